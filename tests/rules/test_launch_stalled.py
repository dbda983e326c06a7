"""No progress before ready."""

from __future__ import annotations

from analyzer.events import (
    Complaint,
    Event,
    GraphCaptureBegun,
    HostPoolAnnounced,
    KernelCompile,
    MemoryPoolEnded,
    OomKill,
    ProcessListed,
    ServerReady,
    ShardsProgress,
    StopRequested,
    WeightLoadBegun,
)
from analyzer.evidence import Where
from analyzer.vocabulary import Status
from tests.build import ref, size, stamp, tp, where
from tests.rules.answers import answers, cleared, found, numbers

RULE = "launch-stalled"
CAPTURE = GraphCaptureBegun(where=where(10, "10:05:00", tp(0)))
LOAD = WeightLoadBegun(where=where(3, "10:03:00", tp(0)))


def frame(done: int, elapsed: int, total: int = 100, line: int = 4) -> ShardsProgress:
    """A frame of the bar: no header, so that it stands at the time of the header above it."""
    place = Where(ref(line), stamp("10:03:00"), direct=False)
    amounts = {"done": size(f"{done} count", line), "total": size(f"{total} count", line)}
    return ShardsProgress(where=place, elapsed=size(f"{elapsed} s", line), **amounts)


def test_a_log_that_simply_ends_is_no_stall() -> None:
    assert answers(RULE, CAPTURE) == []


def test_a_ready_server_is_cleared() -> None:
    assert "left its launch" in cleared(RULE, CAPTURE, ServerReady(where=where(20, "10:06:00")), as_of="12:00:00")


def test_graph_capture_may_be_quiet_for_ten_minutes() -> None:
    assert "may be quiet" in cleared(RULE, CAPTURE, as_of="10:14:59")


def test_a_bar_that_moved_a_moment_ago_is_no_stall() -> None:
    # the last frame was drawn 1,200 s after the load began at 10:03:00, at 10:23:00
    assert "it was for 60 s" in cleared(RULE, LOAD, frame(50, 1200), as_of="10:24:00")


def test_pinning_300_gb_may_take_600_s() -> None:
    pool = HostPoolAnnounced(where=where(20, "10:06:42", tp(0)), size=size("300.00 GB", 20))  # at 0.5 GB/s
    assert "600 s" in cleared(RULE, pool, as_of="10:12:42")


def test_a_compiler_may_be_quiet_for_half_an_hour() -> None:
    build = KernelCompile(where=where(11, "10:05:10", tp(0)), what="flashinfer")
    assert "may be quiet" in cleared(RULE, CAPTURE, build, as_of="10:30:00")


def test_a_launch_that_was_stopped_or_killed_is_another_finding() -> None:
    stop = StopRequested(where=where(20, "11:05:00"), signal="SIGTERM")
    kill = OomKill(where=where(1, "11:05:00", source="dmesg.txt"), command="sglang::schedul")
    assert answers(RULE, CAPTURE, stop) == []
    assert answers(RULE, CAPTURE, outside=(kill,)) == []


def test_silence_beyond_the_phase_s_own_is_a_stall() -> None:
    verdict = found(RULE, CAPTURE, as_of="10:25:00")
    assert verdict.status is Status.SUPPORTED
    assert numbers(verdict)["time without progress"] == 1200  # 10:25:00 less 10:05:00
    assert "in graph-capture" in verdict.summary


def test_a_bar_that_stopped_is_a_stall() -> None:
    # 24 s per shard; twenty shards' time is 480 s; the last frame is of 10:23:00
    assert numbers(found(RULE, LOAD, frame(50, 1200), as_of="10:33:00"))["time without progress"] == 600


def test_a_person_s_word_alone_is_a_hypothesis() -> None:
    hung = Complaint(where=where(1, source="notes.txt"), topic="hung")
    assert found(RULE, CAPTURE, outside=(hung,)).status is Status.HYPOTHESIS


def test_a_dead_scheduler_under_a_live_parent_leaves_the_reason_open() -> None:
    listed: list[Event] = [
        ProcessListed(where=where(1, source="ps.txt"), pid=1, state="Ssl", command="python3 -m sglang.launch_server"),
        ProcessListed(where=where(2, source="ps.txt"), pid=2, state="Rl", command="sglang::scheduler_TP0"),
        ProcessListed(where=where(3, source="ps.txt"), pid=3, state="Z", command="[sglang::schedul] <defunct>"),
    ]
    behind = MemoryPoolEnded(where=where(9, "10:04:59", tp(1)))
    verdict = found(RULE, behind, CAPTURE, outside=tuple(listed), as_of="10:25:00")
    assert verdict.status is Status.HYPOTHESIS
    assert "1 of its schedulers have ended" in verdict.summary
