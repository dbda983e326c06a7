"""Heartbeats that stand still or move."""

from __future__ import annotations

from analyzer.events import HealthFailed, ServerReady
from analyzer.ledgers.health import beat, frozen, recovered
from tests.build import incident, instant, launch, where

READY = ServerReady(where=where(5, "10:05:00"))


def check(time: str, heartbeat: str, line: int = 20) -> HealthFailed:
    return HealthFailed(where=where(line, time), heartbeat=heartbeat)


def test_two_checks_within_a_moment_are_one_client_s_retries() -> None:
    assert frozen(incident(launch(READY, check("10:06:00", "10:05:30"), check("10:06:05", "10:05:30", 21)))) is None


def test_one_check_after_which_two_minutes_went_on_is_a_stall() -> None:
    assert frozen(incident(launch(READY, check("10:06:00", "10:05:30")), as_of="10:08:00")) is not None


def test_the_stall_began_with_the_heartbeat() -> None:
    still = frozen(incident(launch(READY, check("10:06:00", "10:05:30"), check("10:07:00", "10:05:30", 21))))
    assert still is not None
    assert still.since == instant("10:05:30")


def test_a_heartbeat_that_cannot_be_read_is_none() -> None:
    [item] = incident(launch(check("10:06:00", "never"))).of(HealthFailed)
    assert beat(item) is None


def test_checks_before_more_work_have_recovered() -> None:
    late = ServerReady(where=where(30, "10:10:00"))
    assert len(recovered(incident(launch(check("10:06:00", "10:05:30"), late)))) == 1
