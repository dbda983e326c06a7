"""The detokenizer's own end, told from one that another process's end brought along."""

from __future__ import annotations

from analyzer.events import HealthFailed
from tests.build import tp, where
from tests.rules.answers import answers, cleared, failure, found, numbers, raised

RULE = "detokenizer-crashed"
HEAD = "DetokenizerManager hit an exception: Traceback (most recent call last):"


def test_health_checks_that_wait_for_it_do_not_accuse_it() -> None:
    assert answers(RULE, HealthFailed(where=where(5, "10:00:00"), heartbeat="09:58:00")) == []


def test_an_exception_after_a_scheduler_s_is_cleared() -> None:
    scheduler = raised("RuntimeError", "x", 5, "10:00:00", tp(0))
    assert cleared(RULE, scheduler, failure(RULE, HEAD, 9, "10:00:02")) == "n0/TP0 raised RuntimeError before it"


def test_its_own_exception_is_quoted() -> None:
    error = raised("IndexError", "list index out of range", 9, "10:00:02", process="detokenizer")
    assert found(RULE, failure(RULE, HEAD, 9, "10:00:02"), error).summary == (
        "the detokenizer raised IndexError: list index out of range"
    )


def test_its_full_table_is_no_lack_of_memory() -> None:
    text = "RuntimeError: Decode status not found for request 4b2f. It may be … due to memory pressure."
    line = failure(RULE, text, 9, "10:00:02", detail="Decode status not found", pattern="detokenizer-state-lost")
    verdict = found(RULE, failure(RULE, HEAD, 8, "10:00:02"), line)
    assert numbers(verdict) == {"table of the detokenizer": 65536}, "SGLang's default: 1 << 16 states"
    assert "host's memory has no part" in verdict.explanation
