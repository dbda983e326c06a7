"""Services that do not answer."""

from __future__ import annotations

from analyzer.events import HostPoolAnnounced, HostPoolRegistered, ServerReady
from analyzer.vocabulary import Status
from tests.build import size, tp, where
from tests.rules.answers import answers, cleared, failure, found, numbers, raised

RULE = "dependency-unreachable"
POOL = HostPoolAnnounced(where=where(10, "10:05:00", tp(0)), size=size("20.00 GB", 10))
TEXT = "Failed to connect to master at 192.0.2.9:50051"


def retry(minute: int) -> object:
    return failure(RULE, TEXT, 20 + minute, f"10:{5 + minute:02}:30", tp(0), detail=TEXT)


def test_a_server_without_such_a_service_is_not_asked() -> None:
    assert answers(RULE, POOL) == []


def test_retries_that_were_answered_in_the_end_are_cleared() -> None:
    went_on = HostPoolRegistered(where=where(60, "10:20:00", tp(0)))
    assert "went on" in cleared(RULE, POOL, *(retry(m) for m in range(4)), went_on)


def test_retries_while_serving_are_cleared() -> None:
    ready = ServerReady(where=where(15, "10:05:10"))
    assert "went on" in cleared(RULE, POOL, ready, *(retry(m) for m in range(4)))


def test_two_retries_are_a_moment() -> None:
    assert "went on" in cleared(RULE, POOL, retry(0), retry(1))


def test_retries_without_end_hold_the_launch() -> None:
    verdict = found(RULE, POOL, *(retry(m) for m in range(4)))
    assert verdict.status is Status.SUPPORTED
    assert verdict.summary == f"{TEXT}: it is retried, and nothing else happens any more"
    assert numbers(verdict) == {"times it was said": 4, "from the first to the last": 180}


def test_an_exception_that_says_so_ended_the_launch() -> None:
    text = "RuntimeError: Failed to setup Mooncake store, error code: -1"
    said = failure(RULE, text, 30, "10:06:00", tp(0), detail="Failed to setup Mooncake store")
    crash = raised("RuntimeError", "Failed to setup Mooncake store, error code: -1", 30, "10:06:00", tp(0))
    assert "the server ended for it" in found(RULE, POOL, said, crash).summary
