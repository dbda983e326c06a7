"""Faults of a GPU that nobody can lay to the hardware alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from analyzer.events import GpuFault, RankDead
from analyzer.evidence import Where
from analyzer.verdict import Unknown
from analyzer.vocabulary import Status
from tests.build import DAY, ref, size, stamp, tp, where
from tests.rules.answers import answers, cleared, failure, found, numbers, report_on

if TYPE_CHECKING:
    from pathlib import Path

RULE = "gpu-fault"
CRASH = failure("scheduler-crashed", "Fatal Python error: Aborted", 9, "10:00:02")


def xid(number: int, time: str = "10:00:00", name: str = "", *, direct: bool = True) -> GpuFault:
    place = Where(ref(1, "dmesg.txt"), stamp(time), direct=direct)
    text = f"NVRM: Xid (PCI:0000:1b:00): {number}, pid=4171, {name}"
    return GpuFault(where=place, text=text, code=f"Xid {number}", gpu="0000:1b:00")


@pytest.mark.parametrize("number", [48, 63, 64, 74, 79, 92, 94, 95, 119, 120])
def test_what_the_vendor_calls_hardware_is_another_finding(number: int) -> None:
    assert answers(RULE, CRASH, outside=(xid(number),)) == []


def test_the_clean_up_after_a_kill_is_no_fault() -> None:
    assert "follows another fault or" in cleared(RULE, CRASH, outside=(xid(45),))


def test_a_record_of_another_day_is_cleared() -> None:
    assert "its time is not that" in cleared(RULE, CRASH, outside=(xid(31, "2026-02-11 04:00:00"),))


def test_another_program_s_fault_is_cleared_even_at_the_moment_of_the_end() -> None:
    assert "another process" in cleared(RULE, CRASH, outside=(xid(31, name="name=blender, MMU Fault"),))


def test_a_record_without_a_time_of_its_own_beside_another_error_asks_for_the_time() -> None:
    [verdict] = answers(RULE, CRASH, outside=(xid(13, direct=False),))
    assert isinstance(verdict, Unknown)
    assert "dmesg -T" in verdict.confirm[0].command


def test_a_record_without_a_time_of_its_own_beside_an_error_of_a_gpu_is_a_hypothesis() -> None:
    error = failure("illegal-memory-access", "CUDA error: an illegal memory access was encountered", 9, "10:00:02")
    assert found(RULE, error, outside=(xid(13, direct=False),)).status is Status.HYPOTHESIS


@pytest.mark.parametrize("number", [13, 31, 43])
def test_a_driver_s_record_at_the_moment_of_the_end_is_supported_and_accuses_no_hardware(number: int) -> None:
    verdict = found(RULE, CRASH, outside=(xid(number, name="name=sglang::schedul, x"),))
    assert verdict.status is Status.SUPPORTED
    assert "no hardware is accused" in verdict.explanation


def test_the_runtime_s_own_exception_is_named_with_its_meaning_and_the_abort_after_it() -> None:
    own = GpuFault(
        where=Where(ref(5), stamp("10:00:00"), direct=False, pattern="hsa-exception"),
        text="Callback: Queue 0x7e9b aborting with error : HSA_STATUS_ERROR_EXCEPTION: An HSAIL operation … code: 0x1016",
        code="0x1016",
        detail="HSA_STATUS_ERROR_EXCEPTION",
    )
    text = "Subprocess scheduler_2 (pid=4172) crashed with exit code -6."
    dead = RankDead(where=where(7, "10:00:03"), text=text, code=size("-6 count", 7))
    verdict = found(RULE, own, dead)
    assert verdict.summary.startswith("the GPU's runtime reported HSA_STATUS_ERROR_EXCEPTION 0x1016 (a kernel ended in")
    assert verdict.status is Status.SUPPORTED
    assert numbers(verdict) == {"exit code": -6}


def test_the_server_s_own_words_come_before_the_driver_s() -> None:
    line = failure(
        RULE, "CUDA error: unspecified launch failure", 5, "10:00:01", tp(2), detail="unspecified launch failure"
    )
    verdict = found(RULE, line, outside=(xid(13),))
    assert verdict.summary == "a GPU fault on n0/TP2: CUDA error: unspecified launch failure"
    assert numbers(verdict) == {}


HANG = f"""\
[{DAY} 07:21:00] server_args=ServerArgs(model_path='/m', tp_size=8, port=30000)
[{DAY} 07:22:00] The server is fired up and ready to roll!
[{DAY} 07:25:28 TP0] Decode batch, #running-req: 6, #token: 9065, token usage: 0.10, gen throughput (token/s): 150.49, #queue-req: 0
Memory access fault by GPU node-2 (Agent handle: 0x58d4f51c6670) on address 0x7d3ebec20000. Reason: Unknown.
[{DAY} 07:25:54] Health check failed. Server couldn't get a response from detokenizer for last 20 seconds. tic start time: 07:25:34. last_heartbeat time: 07:25:28
[{DAY} 07:27:54] Health check failed. Server couldn't get a response from detokenizer for last 20 seconds. tic start time: 07:27:34. last_heartbeat time: 07:25:28
"""


def test_one_headerless_line_explains_a_server_that_no_longer_answers(tmp_path: Path) -> None:
    verdict = report_on(tmp_path, server_log=HANG).verdict
    assert (verdict.outcome, verdict.finding, verdict.status) == ("serving-hung", RULE, "supported")
