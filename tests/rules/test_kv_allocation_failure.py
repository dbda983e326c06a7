"""Allocations inside the pool that failed: pages, a pool that was full, slots; and retractions, which are survived."""

from __future__ import annotations

from typing import Any

from analyzer.events import Failure, ServerReady
from tests.build import size, where
from tests.rules.answers import answers, cleared, failure, found, numbers
from tests.rules.batches import decode

RULE = "kv-allocation-failure"


def failed(**figures: int) -> Failure:
    amounts: dict[str, Any] = {name: size(f"{value} token", 30) for name, value in figures.items()}
    text = "Prefill out of memory. Try to lower your batch size."
    return failure(RULE, text, 30, "10:10:00", detail="Prefill", **amounts)


def test_a_server_without_the_error_says_nothing() -> None:
    assert answers(RULE) == []


def test_an_error_that_was_survived_is_cleared() -> None:
    assert "worked on" in cleared(RULE, failed(tokens=10, available=0), ServerReady(where=where(90, "10:30:00")))


def test_enough_tokens_but_too_few_pages() -> None:
    verdict = found(RULE, failed(tokens=1444, available=5120), values={"page_size": 64})
    assert verdict.summary == "the KV pool could not give 1,444 tokens although 5,120 tokens were available"
    assert "pages of 64" in verdict.explanation
    assert numbers(verdict)["tokens of one page"] == 64


def test_a_pool_that_was_full() -> None:
    verdict = found(RULE, failed(tokens=48, available=12))
    assert verdict.summary == "the KV pool could not give 48 tokens: 12 tokens were available"
    assert "nothing was left to evict" in verdict.explanation


def test_fewer_running_requests_are_offered_by_what_ran() -> None:
    verdict = found(RULE, failed(tokens=48, available=12), tables=decode(running_count=[20.0, 32.0, 30.0]))
    # three quarters of 32
    assert verdict.remedy[1].after == "24"


def test_slots_are_told_in_the_line_s_own_words() -> None:
    line = failure(RULE, "RuntimeError: alloc_req_slots runs out of memory.", 30, "10:10:00", detail="alloc_req_slots")
    assert "alloc_req_slots" in found(RULE, line).summary


def test_a_single_request_that_outgrew_the_pool_is_told() -> None:
    text = "ValueError: Failed to retract any request. No space left for only one request."
    assert "outgrew the whole pool" in found(RULE, failure(RULE, text, 30, "10:10:00")).explanation
