"""Kernels that were not built for the GPU: memory advice printed below them is beside the point."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.events import GpuListed, GpuOutOfMemory, ServerReady
from tests.build import DAY, tp, where
from tests.rules.answers import answers, cleared, failure, found, numbers, report_on, root_of

if TYPE_CHECKING:
    from pathlib import Path

NOTHING = "nothing installed is built for this GPU"
RULE = "unsupported-gpu-architecture"
TEXT = "Exception: Capture cuda graph failed: CUDA error: no kernel image is available for execution on the device"
LINE = failure(RULE, TEXT, 9, "10:00:36", tp(0), detail="no kernel image is available")


def card(name: str, index: str = "0") -> GpuListed:
    return GpuListed(where=where(6, source="nvidia-smi.txt"), name=name, index=index)


def test_a_capture_without_memory_says_nothing_of_the_card() -> None:
    assert answers(RULE, GpuOutOfMemory(where=where(9, "10:00:36"), text="CUDA out of memory.")) == []


def test_a_warning_that_the_server_survives_is_cleared() -> None:
    assert "worked on" in cleared(RULE, LINE, ServerReady(where=where(12, "10:05:00")))


def test_unlike_cards_do_not_tell_which_one_refused() -> None:
    assert numbers(found(RULE, LINE, outside=(card("Tesla T4"), card("NVIDIA L4", "1")))) == {}


def test_a_card_that_is_not_in_the_table_leaves_the_finding_as_it_is() -> None:
    assert (
        found(RULE, LINE, outside=(card("AMD Instinct MI300X"),)).summary == f"{NOTHING}: no kernel image is available"
    )


def test_the_listed_card_gives_its_compute_capability() -> None:
    verdict = found(RULE, LINE, outside=(card("Tesla T4"),))
    assert verdict.summary == f"{NOTHING}: no kernel image is available; the GPU is a Tesla T4: Turing, sm_75"
    assert numbers(verdict) == {"compute capability": 7.5}, "NVIDIA's list: T4 is of compute capability 7.5"


LOG = f"""\
[{DAY} 10:00:00] server_args=ServerArgs(model_path='/m', tp_size=1, port=30000, mem_fraction_static=0.88)
[{DAY} 10:00:23] Load weight begin. avail mem=14.50 GB
[{DAY} 10:00:36] Capture cuda graph begin. This can take up to several minutes. avail mem=2.55 GB
[{DAY} 10:00:36] Scheduler hit an exception: Traceback (most recent call last):
  File "/x/sglang/srt/managers/scheduler.py", line 4025, in run_scheduler_process
    scheduler = Scheduler(
  File "/x/sglang/srt/model_executor/cuda_graph_runner.py", line 738, in __init__
    raise Exception(
{TEXT}
Possible solutions:
1. set --mem-fraction-static to a smaller value (e.g., 0.8 or 0.7)
2. set --cuda-graph-max-bs to a smaller value (e.g., 16)

[{DAY} 10:00:36] Received sigquit from a child process. It usually means the child failed.
"""


def test_the_failed_capture_is_its_symptom_and_memory_is_not_accused(tmp_path: Path) -> None:
    report = report_on(tmp_path, server_log=LOG)
    assert (report.verdict.outcome, report.verdict.finding) == ("launch-failed", RULE)
    assert "memory has no part" in root_of(report).explanation
    roles = {f.id: f.role for f in report.findings}
    assert roles["graph-capture-failed"] == "symptom"
    assert "graph-capture-oom" not in roles
