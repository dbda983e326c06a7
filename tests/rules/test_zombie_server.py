"""A live parent over dead workers."""

from __future__ import annotations

from analyzer.events import ChildFailed, Fact, ProcessListed, ServerReady, ShutdownStep, StopRequested
from analyzer.vocabulary import Status
from tests.build import where
from tests.rules.answers import answers, cleared, found, numbers

RULE = "zombie-server"
READY = ServerReady(where=where(5, "10:05:00"))
PARENT = ProcessListed(
    where=where(1, "10:30:00", source="ps.txt"), pid=1, state="Ssl", command="python3 -m sglang.launch_server --tp 2"
)


def worker(pid: int, state: str, time: str = "10:30:00") -> ProcessListed:
    command = "[sglang::schedul] <defunct>" if state == "Z" else f"sglang::scheduler_TP{pid - 2}"
    return ProcessListed(where=where(pid, time, source="ps.txt"), pid=pid, state=state, command=command, text=command)


def drain(time: str, line: int) -> ShutdownStep:
    return ShutdownStep(where=where(line, time), text="Gracefully exiting... Remaining number of requests 1.")


STOP = StopRequested(where=where(40, "10:10:00"), signal="SIGTERM")


def test_schedulers_that_live_are_cleared() -> None:
    assert "live" in cleared(RULE, READY, outside=(PARENT, worker(2, "Sl"), worker(3, "Sl")))


def test_one_dead_of_two_is_no_zombie_yet() -> None:
    assert answers(RULE, READY, outside=(PARENT, worker(2, "Sl"), worker(3, "Z"))) == []


def test_a_parent_that_is_just_cleaning_up_is_no_zombie() -> None:
    echo = ChildFailed(where=where(40, "10:29:50"), text="SIGQUIT received")
    assert answers(RULE, READY, echo, outside=(PARENT, worker(2, "Z"), worker(3, "Z"))) == []


def test_a_short_drain_is_a_shutdown() -> None:
    steps = [drain(f"10:10:{s:02}", 41 + s) for s in (5, 10, 15, 20)]
    assert answers(RULE, READY, STOP, *steps) == []


def test_defunct_schedulers_under_a_live_parent_are_counted() -> None:
    health = Fact(where=where(1, "10:30:00", source="curl.txt"), name="health.status", value="200")
    verdict = found(RULE, READY, outside=(PARENT, worker(2, "Z"), worker(3, "Z"), health))
    assert verdict.status is Status.ESTABLISHED
    assert verdict.summary == "2 schedulers defunct under a live parent; /health answers 200 all the same"
    assert numbers(verdict) == {"defunct schedulers": 2}


def test_a_drain_without_any_batch_waits_for_nobody() -> None:
    steps = [drain(f"10:{10 + m}:05", 41 + m) for m in range(8)]
    verdict = found(RULE, READY, STOP, *steps)
    assert verdict.status is Status.SUPPORTED
    assert numbers(verdict) == {"time spent draining": 420}  # 10:10:05 to 10:17:05
