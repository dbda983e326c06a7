"""Watchdogs and heartbeats that stand still."""

from __future__ import annotations

from analyzer.events import (
    Complaint,
    Fact,
    HealthFailed,
    KernelCompile,
    ProbeFailed,
    ServerReady,
    StopRequested,
    WatchdogFired,
    WeightLoadBegun,
)
from analyzer.vocabulary import Status
from tests.build import size, tp, where
from tests.rules.answers import answers, cleared, found, numbers
from tests.rules.test_collective_timeout import waited

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


def test_a_soft_watchdog_after_which_work_went_on_shows_no_stall() -> None:
    build = KernelCompile(where=where(40, "10:16:30", tp(0)), what="Triton")
    assert answers(RULE, READY, dog("10:15:00", 0, soft=True), build) == []


def probe(time: str, line: int, kind: str = "curl") -> ProbeFailed:
    return ProbeFailed(where=where(line, time, source="curl.txt"), text="curl: (28) Operation timed out", probe=kind)


def test_one_probe_that_fails_or_probes_of_a_launch_show_no_stall() -> None:
    assert answers(RULE, READY, outside=(probe("10:20:00", 1),)) == []
    readiness = [probe(f"10:2{i}:00", i, "readiness") for i in range(3)]
    assert answers(RULE, READY, outside=readiness) == []


def test_probes_of_a_server_that_was_stopped_show_no_stall() -> None:
    stopped = StopRequested(where=where(30, "10:06:00"), signal="SIGTERM")
    assert answers(RULE, READY, stopped, outside=(probe("10:20:00", 1), probe("10:21:00", 2))) == []


def test_probes_that_fail_again_after_the_last_work_are_supported_from_outside() -> None:
    verdict = found(RULE, READY, outside=(probe("10:20:00", 1), probe("10:21:00", 2)))
    assert verdict.status is Status.SUPPORTED
    # 10:05:00 to 10:21:00
    assert numbers(verdict) == {"words from outside": 2, "from the last progress to the last of them": 960}


def test_a_person_s_word_counts_where_time_went_on() -> None:
    said = Complaint(where=where(1, source="note.txt"), text="it hangs, no tokens", topic="hung")
    assert found(RULE, READY, outside=(said,), as_of="10:20:00").summary.endswith("it hangs, no tokens")
    assert answers(RULE, READY, outside=(said,)) == []


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


def test_a_soft_watchdog_after_which_nothing_came_shows_the_same_stall() -> None:
    verdict = found(RULE, READY, dog("10:15:00", 0, soft=True))
    assert numbers(verdict)["from the last progress to the watchdog"] == 600  # 10:15:00 less ready at 10:05:00


def test_before_ready_it_is_the_server_s_own_request() -> None:
    begun = WeightLoadBegun(where=where(6, "10:01:00", tp(0)))
    assert "before it was ready" in found(RULE, begun, dog("10:10:00", 0), dog("10:10:01", 1, 21)).summary


def test_a_watchdog_without_any_line_of_the_launch_means_that_it_had_come_up() -> None:
    assert "after it was ready" in found(RULE, dog("10:10:00", 0)).summary


def test_a_stack_in_a_step_of_the_launch_says_that_it_was_launching() -> None:
    frames = "capture (cuda_graph_runner.py:867)\ninit_device_graphs (model_runner.py:2776)"
    caught = Fact(where=where(1, source="stacks.txt"), name="stack sglang::scheduler_TP0", value=frames)
    assert "while it was launching" in found(RULE, dog("10:10:00", 0), caught).summary


def test_a_collective_given_up_before_the_watchdog_fired_is_what_it_waited_for() -> None:
    assert "collective-timeout" in found(RULE, READY, dog("10:15:00", 0), waited(0)).explains  # given up at 10:20:00
    assert "collective-timeout" not in found(RULE, READY, waited(0), dog("10:25:00", 0, 60)).explains
