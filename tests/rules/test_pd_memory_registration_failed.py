"""Memory that cannot be registered for KV transfer."""

from __future__ import annotations

from analyzer.events import ServerReady
from analyzer.verdict import Found
from analyzer.vocabulary import Status
from tests.build import launch, size, tp, where
from tests.rules.answers import answers, cleared, failure, found, numbers, raised
from tests.rules.several import judged, legs
from tests.rules.test_pd_transfer_failed import lost

RULE = "pd-memory-registration-failed"
READY = ServerReady(where=where(60, "10:08:00"))


def refused(line: int, what: str, code: str) -> object:
    text = f"rdma_context.cpp:203] Failed to register memory 0x7c1cda000000: {what} [{code}]"
    return failure(RULE, text, line, "10:05:00", detail=what, code=size(f"{code} count", line))


def test_a_server_without_such_a_line_is_not_asked() -> None:
    assert answers(RULE, READY) == []


def test_a_probe_s_failed_registrations_at_the_start_are_cleared() -> None:
    events = [refused(10 + n, "Cannot allocate memory", "12") for n in range(8)]
    assert "worked on" in cleared(RULE, *events, READY)


def test_registrations_before_transfers_that_all_fail_did_harm() -> None:
    bad = [refused(10 + n, "Bad address", "14") for n in range(64)]
    made = launch(*bad, READY, *(lost(100 + n, "Failed to send kv chunk", "10:09:00") for n in range(3)))
    [verdict] = judged(RULE, legs(made, launch())[0])
    assert isinstance(verdict, Found)
    assert verdict.harm
    assert verdict.status is Status.SUPPORTED
    assert numbers(verdict) == {"failed registrations": 64}


def test_an_exception_that_says_so_ended_the_rank() -> None:
    text = "RuntimeError: Mooncake Transfer Engine initialization failed."
    opened = failure(
        RULE,
        "Failed to open device ionic_7 on port 1 with GID 1",
        20,
        "10:05:00",
        detail="Failed to open device ionic_7",
    )
    said = failure(RULE, text, 30, "10:05:01", tp(7), detail="Mooncake Transfer Engine initialization failed")
    verdict = found(
        RULE,
        opened,
        said,
        raised("RuntimeError", "Mooncake Transfer Engine initialization failed.", 30, "10:05:01", tp(7)),
    )
    assert verdict.status is Status.ESTABLISHED
    assert "Failed to open device ionic_7 (2 lines); the rank ended with it" in verdict.summary


def test_what_nothing_follows_is_a_hypothesis_and_a_traceback_without_an_end_supports_it() -> None:
    line = refused(20, "Invalid argument", "22")
    assert found(RULE, line).status is Status.HYPOTHESIS
    said = failure(RULE, "Mooncake memory registration failed.", 21, "10:05:00", tp(7))
    cut = raised("", "", 22, "10:05:00", tp(7))
    assert found(RULE, line, said, cut).status is Status.SUPPORTED
    other = raised("", "", 22, "10:05:00", tp(3))
    assert found(RULE, line, said, other).status is Status.HYPOTHESIS
