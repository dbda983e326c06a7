"""Watchdogs and heartbeats that stand still."""

from __future__ import annotations

from analyzer.events import HealthFailed, KernelCompile, ServerReady, StopRequested, WatchdogFired
from analyzer.vocabulary import Status
from tests.build import size, tp, where
from tests.rules.answers import answers, cleared, found, numbers

RULE = "scheduler-stalled"
READY = ServerReady(where=where(5, "10:05:00"))


def check(time: str, heartbeat: str, line: int = 20) -> HealthFailed:
    return HealthFailed(
        where=where(line, time), text="Health check failed.", waited=size("20 s", line), heartbeat=heartbeat
    )


def dog(time: str, rank: int, line: int = 20, *, soft: bool = False) -> WatchdogFired:
    text = "Watchdog timeout (self.watchdog_timeout=300)"
    return WatchdogFired(where=where(line, time, tp(rank)), text=text, timeout=size("300 s", line), soft=soft)


def test_one_failed_check_shows_no_stall() -> None:
    assert answers(RULE, READY, check("10:06:00", "10:05:30")) == []


def test_checks_over_a_heartbeat_that_moves_are_cleared_when_work_goes_on() -> None:
    build = KernelCompile(where=where(40, "10:07:30", tp(0)), what="Triton")
    why = cleared(RULE, READY, check("10:06:00", "10:05:30"), check("10:07:00", "10:06:30", 21), build)
    assert why == "2 health checks failed over 2 heartbeats, and work went on"


def test_different_heartbeats_at_the_end_of_a_log_show_no_stall() -> None:
    assert answers(RULE, READY, check("10:06:00", "10:05:30"), check("10:07:00", "10:06:30", 21)) == []


def test_a_soft_watchdog_ends_nothing() -> None:
    assert answers(RULE, READY, dog("10:15:00", 0, soft=True)) == []


def test_one_heartbeat_in_many_checks_dates_the_stall() -> None:
    verdict = found(
        RULE, READY, check("10:06:00", "10:05:20"), check("10:06:30", "10:05:20", 21), check("10:07:00", "10:05:20", 22)
    )
    assert verdict.status is Status.ESTABLISHED
    assert numbers(verdict) == {
        "failed health checks": 3,
        "from the stall to the first failed check": 40,
        "from the stall to the last failed check": 100,
    }


def test_a_heartbeat_before_midnight_is_of_the_day_before() -> None:
    late = (check("2026-02-18 00:00:10", "23:59:40"), check("2026-02-18 00:00:40", "23:59:40", 21))
    assert numbers(found(RULE, READY, *late))["from the stall to the first failed check"] == 30


def test_the_request_to_stop_follows_the_stall() -> None:
    stop = StopRequested(where=where(30, "10:08:00"), signal="SIGTERM")
    verdict = found(RULE, READY, check("10:06:00", "10:05:20"), check("10:06:30", "10:05:20", 21), stop)
    assert numbers(verdict)["from the stall to the request to stop"] == 160  # 10:08:00 less 10:05:20


def test_a_watchdog_is_dated_against_the_last_progress() -> None:
    verdict = found(RULE, READY, dog("10:10:00", 0))
    assert verdict.summary.startswith("the watchdog fired on n0/TP0 after 300 s")
    assert numbers(verdict)["from the last progress to the watchdog"] == 300  # 10:10:00 less ready at 10:05:00


def test_before_ready_it_is_the_server_s_own_request() -> None:
    assert "before it was ready" in found(RULE, dog("10:10:00", 0), dog("10:10:01", 1, 21)).summary
