"""A process on the host as the bound, told from schedulers that poll and from queues."""

from __future__ import annotations

from analyzer.events import Complaint, ProcessListed, ServerReady
from analyzer.vocabulary import Status
from tests.build import size, where
from tests.rules.answers import answers, cleared, found
from tests.rules.batches import decode

RULE = "host-cpu-bound"
READY = ServerReady(where=where(11, "10:04:40"))
ROOM = decode(running_count=[60.0] * 8, usage_ratio=[0.22] * 8, queue_count=[0.0] * 8)
SAID = Complaint(where=where(1, source="note.txt"), topic="slow", text="TTFT of 20 to 40 s")


def listed(command: str, percent: int, pid: int = 4270) -> ProcessListed:
    place = where(13, source="top.txt")
    return ProcessListed(where=place, pid=pid, command=command, cpu=size(f"{percent} percent", 13), state="R")


def test_a_scheduler_at_a_full_core_polls() -> None:
    assert answers(RULE, READY, outside=(listed("sglang::schedul", 100),), tables=ROOM) == []


def test_a_detokenizer_that_sleeps_is_cleared() -> None:
    assert "no process" in cleared(RULE, READY, outside=(listed("sglang::detoken", 12),), tables=ROOM)


def test_with_a_queue_the_requests_wait_for_the_gpus() -> None:
    queued = decode(running_count=[60.0] * 8, usage_ratio=[0.97] * 8, queue_count=[9.0] * 8)
    assert answers(RULE, READY, outside=(listed("sglang::detoken", 100), SAID), tables=queued) == []


def test_a_busy_process_that_nobody_complains_of_is_a_hint() -> None:
    verdict = found(RULE, READY, outside=(listed("sglang::detoken", 100),), tables=ROOM)
    assert verdict.status is Status.HYPOTHESIS
    assert not verdict.harm


def test_a_complaint_supports_it() -> None:
    verdict = found(RULE, READY, outside=(listed("sglang::detoken", 100), SAID), tables=ROOM)
    assert verdict.status is Status.SUPPORTED
    assert verdict.harm
    assert verdict.sum == "sglang::detoken 100% of a core; requests wait in 0 of 8 decode lines"
