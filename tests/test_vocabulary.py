"""Every word of a report has its sentence, and statuses have an order."""

from __future__ import annotations

import re

import pytest

from analyzer.vocabulary import FINDINGS, Outcome, Phase, Status, weakest


@pytest.mark.parametrize("word", [*Outcome, *Phase])
def test_a_word_has_a_sentence(word: Outcome | Phase) -> None:
    assert word.sentence


@pytest.mark.parametrize("name", FINDINGS)
def test_a_finding_is_named_and_described_like_the_others(name: str) -> None:
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name)
    assert not FINDINGS[name].sentence.endswith(".")


def test_only_three_outcomes_are_fine() -> None:
    assert {outcome.value for outcome in Outcome if outcome.fine} == {"ready", "stopped", "launching"}


def test_a_conclusion_is_as_strong_as_its_weakest_part() -> None:
    assert weakest([Status.ESTABLISHED, Status.HYPOTHESIS, Status.SUPPORTED]) is Status.HYPOTHESIS


def test_a_conclusion_from_nothing_is_unknown() -> None:
    assert weakest([]) is Status.UNKNOWN
