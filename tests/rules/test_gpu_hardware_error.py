"""Faults that the vendor lays to the hardware, and the server whose end they explain."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from analyzer.events import GpuFault, GpuListed
from analyzer.evidence import Where
from analyzer.verdict import Unknown
from analyzer.vocabulary import Status
from tests.build import DAY, ref, size, stamp, tp, where
from tests.rules.answers import answers, cleared, failure, found, numbers, report_on

if TYPE_CHECKING:
    from pathlib import Path

RULE = "gpu-hardware-error"
CRASH = failure("illegal-memory-access", "CUDA error: an illegal memory access was encountered", 9, "10:00:02", tp(1))
ECC = "CUDA error: uncorrectable ECC error encountered"


def xid(number: int, time: str = "10:00:00", said: str = "", *, line: int = 1) -> GpuFault:
    text = f"NVRM: Xid (PCI:0000:2d:00): {number}, {said}"
    return GpuFault(where=Where(ref(line, "dmesg.txt"), stamp(time)), text=text, code=f"Xid {number}", gpu="0000:2d:00")


@pytest.mark.parametrize("number", [13, 31, 43, 45])
def test_what_a_program_may_have_caused_accuses_no_hardware(number: int) -> None:
    assert answers(RULE, CRASH, outside=(xid(number),)) == []


def test_a_record_of_another_day_is_cleared() -> None:
    assert "its time is not that" in cleared(RULE, CRASH, outside=(xid(79, "2026-02-10 03:00:00"),))


@pytest.mark.parametrize("number", [63, 64, 92])
def test_what_only_records_mended_memory_ends_no_server_by_itself(number: int) -> None:
    other = failure("scheduler-crashed", "Fatal Python error: Aborted", 9, "10:00:02")
    assert "only records" in cleared(RULE, other, outside=(xid(number),))


def test_a_count_beside_an_error_that_is_not_a_gpu_s_asks_when_it_was_counted() -> None:
    listed = GpuListed(where=where(5, source="nvidia-smi.txt"), index="1", ecc=size("2 count", 5))
    other = failure("scheduler-crashed", "Fatal Python error: Aborted", 9, "10:00:02")
    [verdict] = answers(RULE, other, outside=(listed,))
    assert isinstance(verdict, Unknown)


def test_a_driver_that_says_at_its_start_that_it_watches_for_errors_reports_none() -> None:
    text = "amdgpu 0000:c1:00.0: amdgpu: RAS: optional ras ta ucode is not available"
    start = GpuFault(where=where(1, "10:00:00", source="dmesg.txt"), text=text, code="RAS", gpu="0000:c1:00.0")
    assert answers(RULE, CRASH, outside=(start,)) == []


def test_a_count_alone_is_only_a_hypothesis() -> None:
    listed = GpuListed(where=where(5, source="nvidia-smi.txt"), index="1", ecc=size("2 count", 5))
    verdict = found(RULE, CRASH, outside=(listed,))
    assert verdict.status is Status.HYPOTHESIS
    assert numbers(verdict) == {"uncorrectable ECC errors of GPU 1": 2}


def test_cards_without_errors_say_nothing() -> None:
    assert answers(RULE, CRASH, outside=(GpuListed(where=where(5), index="0", ecc=size("0 count", 5)),)) == []


@pytest.mark.parametrize("number", [48, 63, 64, 74, 79, 92, 94, 95, 119, 120])
def test_a_record_at_the_moment_of_the_end_is_supported(number: int) -> None:
    assert found(RULE, CRASH, outside=(xid(number),)).status is Status.SUPPORTED


def test_a_record_that_names_a_rank_at_the_moment_of_the_end_is_established() -> None:
    verdict = found(RULE, CRASH, outside=(xid(79, said="pid=4171, name=sglang::schedul, GPU has fallen off the bus."),))
    assert verdict.status is Status.ESTABLISHED
    assert "Xid 79 of GPU 0000:2d:00" in verdict.summary


def test_the_server_s_words_the_driver_s_record_and_the_count_stand_together() -> None:
    line = failure(RULE, ECC, 12, "10:00:01", tp(1), detail="uncorrectable ECC error encountered")
    listed = GpuListed(where=where(5, source="nvidia-smi.txt"), index="1", ecc=size("2 count", 5))
    verdict = found(RULE, line, outside=(xid(48), listed))
    assert verdict.summary == (
        "uncorrectable ECC error encountered on n0/TP1; the driver recorded Xid 48 of GPU 0000:2d:00"
    )
    assert verdict.status is Status.ESTABLISHED
    assert len(verdict.claims) == 3


JOURNAL = f"""\
Feb 17 03:00:00 inf07 sglang[4100]: [{DAY} 03:00:00] server_args=ServerArgs(model_path='/m', tp_size=2, port=30000)
Feb 17 03:01:00 inf07 sglang[4100]: [{DAY} 03:01:00] The server is fired up and ready to roll!
Feb 17 03:14:17 inf07 kernel: NVRM: Xid (PCI:0000:2d:00): 95, pid=88214, name=sglang::schedul, Uncontained: FBHUB.
Feb 17 03:14:18 inf07 sglang[4100]: [{DAY} 03:14:18 TP1] Scheduler hit an exception: Traceback (most recent call last):
Feb 17 03:14:18 inf07 sglang[4100]:   File "/x/sglang/srt/managers/scheduler.py", line 2197, in run_scheduler_process
Feb 17 03:14:18 inf07 sglang[4100]:     scheduler.event_loop_overlap()
Feb 17 03:14:18 inf07 sglang[4100]: torch.AcceleratorError: CUDA error: an illegal memory access was encountered
Feb 17 03:14:18 inf07 sglang[4100]: [{DAY} 03:14:18] SIGQUIT received. signum=None, frame=None. It usually means one child failed.
"""


def test_an_illegal_access_a_second_after_an_uncontained_memory_error_is_the_hardware_s(tmp_path: Path) -> None:
    report = report_on(tmp_path, journal_txt=JOURNAL)
    assert (report.verdict.outcome, report.verdict.finding) == ("crashed", RULE)
    assert {f.id: f.role for f in report.findings}["illegal-memory-access"] == "symptom"
