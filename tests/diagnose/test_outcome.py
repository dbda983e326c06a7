"""What became of a launch."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from analyzer.diagnose.outcome import Judgement, outcome_of
from analyzer.events import (
    ArgumentsPrinted,
    ChildFailed,
    Complaint,
    ErrorLine,
    Event,
    ExitCode,
    GraphCaptureBegun,
    HealthFailed,
    HostPoolAnnounced,
    KilledPrinted,
    MemorySnapshot,
    Notice,
    OomKill,
    OrchestratorAct,
    ProbeFailed,
    ProgressLine,
    RankDead,
    ServerReady,
    StopRequested,
    WarmupBegun,
    WeightLoadBegun,
)
from analyzer.vocabulary import Outcome, Phase
from tests.build import incident, launch, size, tp, where
from tests.rules.answers import failure, raised
from tests.rules.batches import decode

if TYPE_CHECKING:
    from analyzer.diagnose.outcome import Ended

ARGUMENTS = {"tp_size": 2}
CAPTURE = GraphCaptureBegun(where=where(10, "10:05:00", tp(0)))
READY = ServerReady(where=where(20, "10:06:00"))
CRASH = raised("ValueError", "no", 30, "10:20:00", tp(0))
STOP = StopRequested(where=where(40, "10:30:00"), signal="SIGTERM")
DEAD = RankDead(where=where(30, "10:20:00"), text="died (exit code: -9)", code=size("-9 count", 30))
LOST = failure("collective-timeout", "Connection closed by peer", 30, "10:20:00", tp(0), victim=True)


def ended(*events: Event, rules: Judgement | None = None, as_of: str | None = None, **more: Any) -> Ended:
    more.setdefault("values", ARGUMENTS)
    return outcome_of(incident(launch(*events, **more), as_of=as_of), rules or Judgement())


def test_a_log_that_ends_while_it_advances_is_launching() -> None:
    assert ended(CAPTURE).outcome is Outcome.LAUNCHING


def test_a_few_lines_without_head_or_end_are_unknown() -> None:
    assert ended(ProgressLine(where=where(3, "10:00:00", tp(0))), values=None).outcome is Outcome.UNKNOWN


def test_a_server_without_a_clock_against_it_is_ready() -> None:
    assert ended(CAPTURE, READY).outcome is Outcome.READY


def test_an_idle_server_is_ready_however_late_it_is_looked_at() -> None:
    assert ended(CAPTURE, READY, as_of="2026-02-18 10:00:00").outcome is Outcome.READY


def test_harm_that_a_rule_shows_makes_it_degraded() -> None:
    assert ended(CAPTURE, READY, rules=Judgement(harmed=True)).outcome is Outcome.DEGRADED


def test_more_batches_than_a_warm_up_runs_are_serving() -> None:
    assert ended(tables=decode(running_count=[1.0] * 3)).outcome is Outcome.READY


def test_a_clock_beyond_the_phase_s_patience_makes_it_hung() -> None:
    found = ended(CAPTURE, as_of="10:15:00")
    assert (found.outcome, found.phase) == (Outcome.LAUNCH_HUNG, Phase.GRAPH_CAPTURE)


def test_a_clock_within_it_does_not() -> None:
    assert ended(CAPTURE, as_of="10:14:59").outcome is Outcome.LAUNCHING


def test_a_launch_that_advances_slowly_is_slow_whatever_a_person_says() -> None:
    hung = Complaint(where=where(1, source="notes.txt"), topic="hung")
    assert ended(CAPTURE, outside=(hung,), rules=Judgement(slow=True)).outcome is Outcome.LAUNCH_SLOW
    assert ended(CAPTURE, outside=(hung,)).outcome is Outcome.LAUNCH_HUNG


def test_a_probe_that_gave_up_while_the_launch_advanced_shows_no_hang() -> None:
    # begun at 10:02:37 by the arguments, still advancing at 10:05:00
    soon = ProbeFailed(where=where(1, source="notes.txt"), gave_up=True, waited=size("150 s"))
    late = ProbeFailed(where=where(1, source="notes.txt"), gave_up=True, waited=size("600 s"))
    assert ended(CAPTURE, outside=(soon,)).outcome is Outcome.LAUNCHING
    assert ended(CAPTURE, outside=(late,)).outcome is Outcome.LAUNCH_HUNG


def test_memory_that_is_used_up_explains_a_quiet_launch_that_somebody_looked_at() -> None:
    looked = MemorySnapshot(where=where(1, source="free.txt"), total=size("449 GiB"))
    assert ended(CAPTURE, outside=(looked,), rules=Judgement(explains_quiet=True)).outcome is Outcome.LAUNCH_HUNG


def test_a_launch_that_cannot_come_up_and_that_nobody_looked_at_is_neither_fine_nor_hung() -> None:
    assert ended(CAPTURE, rules=Judgement(explains_quiet=True)).outcome is Outcome.UNKNOWN


def test_a_launch_that_a_probe_gave_up_on_is_late_by_that_yardstick() -> None:
    gave_up = ProbeFailed(where=where(1, "10:12:00", source="notes.txt"), gave_up=True)
    before = ProbeFailed(where=where(1, "09:12:00", source="notes.txt"), gave_up=True)
    assert ended(CAPTURE, outside=(before,)).outcome is Outcome.LAUNCHING
    assert ended(CAPTURE, outside=(gave_up,)).outcome is Outcome.LAUNCH_SLOW


@pytest.mark.parametrize(("events", "outcome"), [((), Outcome.LAUNCH_FAILED), ((READY,), Outcome.CRASHED)])
def test_an_error_of_its_own_ends_a_launch_or_a_server(events: tuple[Event, ...], outcome: Outcome) -> None:
    assert ended(CAPTURE, *events, CRASH).outcome is outcome


def test_an_error_at_the_server_s_own_request_is_a_failed_launch() -> None:
    assert ended(CAPTURE, WarmupBegun(where=where(19, "10:05:59")), CRASH).outcome is Outcome.LAUNCH_FAILED


def test_a_stop_without_an_error_is_a_stop() -> None:
    found = ended(CAPTURE, READY, STOP, failure("scheduler-crashed", "Aborted", 41, "10:30:01"))
    assert (found.outcome, found.phase) == (Outcome.STOPPED, Phase.SHUTDOWN)


def test_a_stop_after_an_error_is_a_crash() -> None:
    assert ended(CAPTURE, READY, CRASH, STOP).outcome is Outcome.CRASHED


def test_a_stop_of_a_server_that_stood_still_is_a_hang() -> None:
    checks = [HealthFailed(where=where(30 + n, f"10:20:{n}0"), heartbeat="10:19:30") for n in range(4)]
    assert ended(CAPTURE, READY, *checks, STOP).outcome is Outcome.SERVING_HUNG


def test_a_probe_that_stopped_it_makes_it_killed() -> None:
    act = OrchestratorAct(where=where(1, source="pod.txt"), act="killed", reason="Container x failed liveness probe")
    assert ended(CAPTURE, READY, STOP, outside=(act,)).outcome is Outcome.KILLED


def test_a_dead_rank_with_exit_code_minus_nine_is_a_kill() -> None:
    echo = ChildFailed(where=where(31, "10:20:01"), text="SIGQUIT received")
    assert ended(CAPTURE, READY, DEAD, echo).outcome is Outcome.KILLED


def test_a_kernel_s_record_outside_the_log_is_a_kill() -> None:
    record = OomKill(where=where(3, "10:20:00", source="dmesg.txt"), pid=11, command="sglang::schedul")
    assert ended(CAPTURE, READY, outside=(record,)).outcome is Outcome.KILLED


@pytest.mark.parametrize(
    ("time", "command", "outcome"),
    [
        ("10:05:38", "sglang::schedul", Outcome.KILLED),
        ("10:09:38", "sglang::schedul", Outcome.LAUNCH_FAILED),  # four minutes later: of another launch
        ("10:04:38", "sglang::schedul", Outcome.KILLED),  # by a clock that is behind
        ("10:05:38", "postgres", Outcome.LAUNCH_FAILED),
    ],
)
def test_a_rank_that_is_told_dead_seconds_before_the_kernel_s_record_was_killed(
    time: str, command: str, outcome: Outcome
) -> None:
    gone = RankDead(where=where(30, "10:05:30"), text="Rank 3 scheduler is dead.")
    record = OomKill(where=where(3, time, source="dmesg.txt"), pid=11, command=command)
    assert ended(CAPTURE, gone, outside=(record,)).outcome is outcome


def test_a_peer_that_vanished_from_a_whole_set_of_logs_was_killed() -> None:
    assert ended(CAPTURE, READY, LOST).outcome is Outcome.KILLED


def test_a_peer_on_a_node_whose_log_is_missing_leaves_a_crash() -> None:
    values = {"tp_size": 16, "nnodes": 2, "node_rank": 0}
    assert ended(CAPTURE, READY, LOST, values=values).outcome is Outcome.CRASHED


def test_killed_by_hand_after_a_long_silence_is_the_hang_that_was_ended() -> None:
    printed = KilledPrinted(where=where(30, "10:25:00"), text="Killed")
    assert ended(CAPTURE, printed).outcome is Outcome.LAUNCH_HUNG
    assert ended(CAPTURE, KilledPrinted(where=where(30, "10:06:00"), text="Killed")).outcome is Outcome.KILLED


def test_an_abrupt_end_is_a_kill_before_ready_and_nothing_after() -> None:
    said = Notice(where=where(30, "10:07:00"), topic="abrupt-end")
    assert ended(CAPTURE, said).outcome is Outcome.KILLED
    assert ended(CAPTURE, READY, said).outcome is Outcome.READY


def test_snapshots_without_a_log_are_unknown() -> None:
    looked = MemorySnapshot(where=where(1, source="free.txt"), total=size("449 GiB"))
    assert ended(outside=(looked,), values=None).outcome is Outcome.UNKNOWN


def test_the_arguments_alone_are_a_launch() -> None:
    assert (
        ended(ArgumentsPrinted(where=where(1, "10:00:00")), WeightLoadBegun(where=where(2, "10:00:05", tp(0)))).outcome
        is Outcome.LAUNCHING
    )


def test_the_same_unknown_error_again_and_again_is_no_advance() -> None:
    once = ErrorLine(where=where(20, "10:08:00"), text="connection refused, retrying", count=3)
    often = ErrorLine(where=where(20, "10:08:00"), text="connection refused, retrying", count=480)
    assert ended(CAPTURE, once).outcome is Outcome.LAUNCHING
    assert ended(CAPTURE, often).outcome is Outcome.LAUNCH_HUNG


def test_a_tail_with_only_a_time_out_claims_nothing_about_ready() -> None:
    line = failure("collective-timeout", "Watchdog caught collective operation timeout", 30, "10:20:00")
    late = outcome_of(incident(launch(line)), Judgement())
    assert late.outcome is Outcome.CRASHED
    assert late.said == "ended with an error; whether it had been ready before, no line shows"


def test_a_tail_with_only_an_error_of_any_time_leaves_open_what_it_ended() -> None:
    line = failure("illegal-memory-access", "an illegal memory access was encountered", 30, "10:20:00")
    found = outcome_of(incident(launch(line)), Judgement())
    assert found.outcome is Outcome.UNKNOWN
    assert "no line shows whether it had been ready" in found.said
    refused = failure("invalid-arguments", "unrecognized arguments: --foo", 30, "10:20:00")
    assert outcome_of(incident(launch(refused)), Judgement()).outcome is Outcome.LAUNCH_FAILED


def free_at(time: str, available: str) -> MemorySnapshot:
    return MemorySnapshot(
        where=where(3, time, source="free.txt"), total=size("449 GiB"), available=size(f"{available} GiB")
    )


def test_pools_that_fill_are_not_said_to_make_no_progress() -> None:
    pools = [HostPoolAnnounced(where=where(20 + r, "10:06:42", tp(r)), size=size("300.00 GB")) for r in (0, 1)]
    looks = [free_at("10:07:00", "329"), free_at("10:12:00", "129")]
    made = ended(*pools, outside=looks, rules=Judgement(explains_quiet=True))
    assert made.outcome is Outcome.LAUNCH_HUNG
    assert "still filling at the last look (200 GiB in 300 s)" in made.said  # 329 - 129, 10:12 - 10:07


def test_pools_that_have_used_the_memory_up_fill_no_more() -> None:
    pools = [HostPoolAnnounced(where=where(20 + r, "10:06:42", tp(r)), size=size("300.00 GB")) for r in (0, 1)]
    looks = [free_at("10:07:00", "329"), free_at("10:12:00", "9")]
    made = ended(*pools, outside=looks, rules=Judgement(explains_quiet=True))
    assert (made.outcome, made.said) == (Outcome.LAUNCH_HUNG, "")


def test_a_probe_that_gave_up_says_nothing_of_an_advance() -> None:
    loading = WeightLoadBegun(where=where(10, "10:05:00", tp(0)))
    gave_up = ProbeFailed(where=where(1, "10:12:41", source="notes.txt"), gave_up=True, waited=size("600 s"))
    made = ended(loading, outside=[gave_up])
    assert made.outcome is Outcome.LAUNCH_SLOW
    assert "whether it still advanced" in made.said
    assert ended(replace(loading, where=where(10, "10:12:00", tp(0))), outside=[gave_up]).said == ""


LAST = ErrorLine(where=where(50, "10:06:30"), text="the node is given back")


def test_a_launch_whose_log_ends_with_an_error_that_nothing_explains_cannot_be_told() -> None:
    made = ended(CAPTURE, LAST)
    assert made.outcome is Outcome.UNKNOWN
    assert "the node is given back" in made.said


def test_an_error_that_a_launch_got_over_leaves_it_launching() -> None:
    assert ended(replace(LAST, where=where(9, "10:04:00")), CAPTURE).outcome is Outcome.LAUNCHING


def test_a_server_that_was_ready_before_such_an_error_stays_ready_in_words_that_say_so() -> None:
    made = ended(CAPTURE, READY, LAST)
    assert made.outcome is Outcome.READY
    assert "ends with an error line" in made.said


def test_a_launcher_s_word_that_the_server_ended_is_an_end_with_an_error() -> None:
    told = ExitCode(where=where(50), reason="server process")
    assert ended(CAPTURE, outside=[told]).outcome is Outcome.LAUNCH_FAILED
    assert ended(CAPTURE, READY, outside=[told]).outcome is Outcome.CRASHED


def test_what_others_say_of_a_launch_that_advanced_leaves_it_in_doubt() -> None:
    probe = ProbeFailed(where=where(2, source="events.txt"), probe="liveness")
    code = ExitCode(where=where(2, source="ps.txt"), code=size("1 count", 2), text="Exited (1) 2 minutes ago")
    assert ended(CAPTURE, outside=[probe]).outcome is Outcome.UNKNOWN
    assert "Exited (1)" in ended(CAPTURE, outside=[code]).said
    assert ended(CAPTURE, READY, outside=[probe, code]).outcome is Outcome.READY
