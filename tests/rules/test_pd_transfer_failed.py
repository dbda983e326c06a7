"""Transfers between prefill and decode."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer.events import ServerReady, StopRequested
from analyzer.verdict import Cleared, Found
from analyzer.vocabulary import Status
from tests.build import launch, tp, where
from tests.rules.answers import failure, found
from tests.rules.batches import decode as batches
from tests.rules.several import judged, legs

if TYPE_CHECKING:
    from analyzer.events import Event, Failure
    from analyzer.launches import Launch

RULE = "pd-transfer-failed"
READY = ServerReady(where=where(5, "10:05:00"))


def lost(line: int, detail: str, time: str = "10:20:00") -> Failure:
    return failure(
        RULE, f"transfer failed for request {line}", line, time, tp(7), detail=detail, pattern="pd-request-failed"
    )


def leg(*events: Event, **more: Any) -> Launch:
    return launch(READY, *events, **more)


def decode(*events: Event, other: Launch | None = None, **more: Any) -> list[Any]:
    made = leg(*events, **more)
    return judged(RULE, legs(other or leg(), made)[1])


# Every 100 s from 10:05:00 to 10:21:40.
SERVED = batches(100.0, running_count=[1.0] * 11)
ABORTS = [lost(20 + n, "Aborted by AbortReq.") for n in range(6)]


def test_clients_that_go_away_from_a_leg_that_serves_are_cleared() -> None:
    [verdict] = decode(*ABORTS, tables=SERVED)
    assert isinstance(verdict, Cleared)


def test_one_failure_among_many_requests_is_cleared() -> None:
    [verdict] = decode(lost(20, "might be dead", "10:07:00"), tables=SERVED)
    assert isinstance(verdict, Cleared)


def test_failures_after_the_other_leg_was_stopped_are_its_echo() -> None:
    stop = StopRequested(where=where(9, "10:19:00"), signal="SIGTERM")
    assert decode(*(lost(20 + n, "might be dead") for n in range(4)), other=leg(stop)) == []


def test_a_decode_leg_that_never_ran_a_batch_did_not_lose_its_clients_for_nothing() -> None:
    [verdict] = decode(*ABORTS)
    assert isinstance(verdict, Found)
    assert verdict.harm
    assert verdict.summary.startswith("6 transfers failed on the decode leg")


def test_the_cause_is_looked_for_on_the_other_side() -> None:
    [verdict] = decode(*(lost(20 + n, "might be dead") for n in range(4)))
    assert isinstance(verdict, Found)
    assert verdict.status is Status.SUPPORTED
    assert verdict.summary.endswith("the cause is on the prefill side")


def test_without_the_other_leg_s_log_it_is_a_hypothesis() -> None:
    made = leg(*(lost(20 + n, "timed out after 300.0s in KVPoll.Bootstrapping") for n in range(5)))
    incident = legs(made, launch())[0]
    object.__setattr__(incident, "neighbours", ())
    [verdict] = judged(RULE, incident)
    assert isinstance(verdict, Found)
    assert verdict.status is Status.HYPOTHESIS
    assert "the decode side, whose log is not here" in verdict.summary


def test_the_leg_is_told_from_the_lines_where_the_server_s_role_is_not() -> None:
    lines = [
        failure(
            RULE, f"Prefill transfer failed for request {n}", 20 + n, "10:20:00", tp(7), pattern="pd-request-failed"
        )
        for n in range(5)
    ]
    verdict = found(RULE, READY, *lines)
    assert "failed on the prefill leg: " in verdict.summary
    assert "the decode side" in verdict.summary
