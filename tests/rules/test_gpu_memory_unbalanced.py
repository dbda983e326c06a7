"""Unequal GPUs: what SGLang's message guesses, and what listings say about the guess."""

from __future__ import annotations

import pytest

from analyzer.events import Failure, ServerReady
from tests.build import size, where
from tests.rules.answers import answers, cleared, failure, found, numbers
from tests.rules.launched import card, loaded

RULE = "gpu-memory-unbalanced"


def refused(time: str = "10:03:22") -> Failure:
    sizes = {"free": size("15.38 GiB", 30), "total": size("23.29 GiB", 30)}
    return failure(RULE, "ValueError: The memory capacity is unbalanced.", 30, time, **sizes)


def test_unlike_cards_without_a_refusal_say_nothing() -> None:
    assert answers(RULE, outside=(card("0", "16 GiB", "0 GiB"), card("1", "24 GiB", "0 GiB", 3))) == []


def test_a_refusal_that_was_survived_is_cleared() -> None:
    assert "worked on" in cleared(RULE, refused(), ServerReady(where=where(90, "10:30:00")))


def test_the_threshold_is_nine_tenths_of_the_checking_rank_s_memory() -> None:
    # 23.29 × 0.9
    assert numbers(found(RULE, refused()))["below which SGLang refuses"] == pytest.approx(20.961 * 2**30)


def test_without_a_listing_the_guess_stays_a_guess() -> None:
    verdict = found(RULE, refused())
    assert "not checked" in verdict.summary
    assert verdict.not_known


def test_idle_cards_of_unlike_size_refute_the_guess() -> None:
    cards = (card("0", "16 GiB", "3 MiB", name="RTX A4000"), card("1", "24 GiB", "3 MiB", 3, name="RTX 3090"))
    verdict = found(RULE, refused(), outside=cards)
    assert "idle and differ in size: RTX A4000 (16 GiB), RTX 3090 (24 GiB)" in verdict.summary
    assert "of one kind" in verdict.remedy[0].action


def test_an_occupied_card_is_named() -> None:
    cards = (card("0", "24 GiB", "3 MiB"), card("1", "24 GiB", "8 GiB", 3))
    assert "GPU 1 is in use" in found(RULE, refused(), outside=cards).summary


def test_a_draft_model_meets_what_its_own_target_left() -> None:
    verdict = found(RULE, loaded("40 GiB", "38 GiB"), refused("10:06:00"), outside=(card("0", "80 GiB", "70 GiB"),))
    assert "own model had been loaded before" in verdict.summary
