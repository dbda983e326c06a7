"""Kernels that are compiled at run time."""

from __future__ import annotations

from analyzer.events import GraphCaptureBegun, HealthFailed, KernelCompile, ServerReady
from analyzer.evidence import Where
from analyzer.vocabulary import Status
from tests.build import ref, size, stamp, tp, where
from tests.rules.answers import answers, cleared, found, numbers, raised

RULE = "slow-kernel-compile"
CAPTURE = GraphCaptureBegun(where=where(10, "10:05:00", tp(0)))
SESSION = KernelCompile(
    where=where(11, "10:05:00", tp(0)), what="DeepGEMM", text="Entering DeepGEMM JIT Pre-Compile session"
)
READY = ServerReady(where=where(30, "10:10:00"))


def bar(done: int, elapsed: int, time: str, line: int) -> KernelCompile:
    amounts = {
        "done": size(f"{done} count", line),
        "total": size("16384 count", line),
        "elapsed": size(f"{elapsed} s", line),
    }
    return KernelCompile(where=Where(ref(line), stamp(time), direct=False), what="DeepGEMM", **amounts)


def built(time: str, seconds: str, line: int) -> KernelCompile:
    text = f"Triton kernel took {seconds} s to compile after serving started"
    return KernelCompile(where=where(line, time, tp(0)), what="Triton", elapsed=size(f"{seconds} s", line), text=text)


def check(time: str, heartbeat: str, line: int) -> HealthFailed:
    return HealthFailed(where=where(line, time), heartbeat=heartbeat, waited=size("20 s", line))


def test_a_minute_of_compiling_is_usual() -> None:
    assert "compiled for 60 s" in cleared(RULE, CAPTURE, SESSION, bar(100, 60, "10:05:00", 12))


def test_a_launch_that_failed_meanwhile_has_another_cause() -> None:
    crash = raised("ValueError", "no", 40, "10:20:00", tp(0))
    assert answers(RULE, CAPTURE, SESSION, bar(6200, 88, "10:15:00", 12), crash) == []


def test_builds_while_serving_without_a_failed_check_did_no_harm() -> None:
    assert "no health check failed" in cleared(RULE, READY, built("10:12:00", "41.87", 40))


def test_short_builds_are_lost_among_requests() -> None:
    assert answers(RULE, READY, built("10:12:00", "2.5", 40)) == []


def test_a_bar_that_moves_after_ten_minutes_is_slow_and_no_hang() -> None:
    # the last frame was drawn 88 s after its kernel was begun, at 10:16:28
    begun = KernelCompile(where=where(12, "10:15:00", tp(0)), what="DeepGEMM", text="Try DeepGEMM JIT Compiling")
    verdict = found(RULE, CAPTURE, SESSION, begun, bar(6200, 88, "10:15:00", 13))
    assert verdict.status is Status.ESTABLISHED
    assert verdict.summary.endswith("the kernel in hand is at 6,200 of 16,384")
    assert numbers(verdict)["time spent compiling so far"] == 688


def test_checks_that_failed_around_a_build_are_its_harm() -> None:
    events = (check("10:12:40", "10:12:00", 39), built("10:12:42", "41.87", 40), built("10:20:00", "12.00", 60))
    verdict = found(RULE, READY, *events)
    assert verdict.harm
    assert numbers(verdict) == {"longest build": 41.87, "failed health checks": 1, "different heartbeats": 1}
