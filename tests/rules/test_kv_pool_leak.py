"""The pool's account: leaks, double frees, and releases that only warn."""

from __future__ import annotations

from typing import Any

from analyzer.events import Failure, ServerReady
from analyzer.vocabulary import Status
from tests.build import size, where
from tests.rules.answers import answers, failure, found, numbers

RULE = "kv-pool-leak"
LATER = ServerReady(where=where(90, "10:30:00"))


def leak(limit: int, **parts: int) -> Failure:
    amounts: dict[str, Any] = {name: size(f"{value} token", 30) for name, value in parts.items()}
    return failure(
        RULE, "ValueError: pool memory leak detected!", 30, "10:05:00", limit=size(f"{limit} token", 30), **amounts
    )


def test_a_server_without_the_assertion_says_nothing() -> None:
    assert answers(RULE, LATER) == []


def test_a_release_that_only_warns_is_not_accused_of_more_than_a_hint() -> None:
    assert found(RULE, leak(1000, available=900, evictable=99), LATER).status is Status.HYPOTHESIS


def test_missing_tokens_are_a_leak() -> None:
    verdict = found(RULE, leak(270_331, available=644, evictable=269_628, protected=0))
    # 270,331 − 644 − 269,628
    assert numbers(verdict)["tokens not accounted for"] == 59
    assert verdict.summary == "59 tokens are missing from the KV pool's account: a leak"
    assert verdict.status is Status.ESTABLISHED


def test_tokens_counted_twice_are_a_double_free() -> None:
    verdict = found(RULE, leak(20_000, available=20_010))
    assert verdict.summary == "10 tokens are counted twice in the KV pool's account: a double free"


def test_request_slots_are_told_in_the_line_s_own_words() -> None:
    line = failure(
        RULE,
        "ValueError: req_to_token_pool memory leak detected!",
        30,
        "10:05:00",
        detail="available_size=2047, total_size=2048",
    )
    assert "available_size=2047" in found(RULE, line).summary
