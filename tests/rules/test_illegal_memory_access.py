"""Illegal memory accesses: the first rank in time speaks, the network and the hardware are not accused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.events import GpuFault, ServerReady
from analyzer.vocabulary import Status
from tests.build import DAY, tp, where
from tests.rules.answers import answers, cleared, failure, found, numbers, raised, report_on, root_of

if TYPE_CHECKING:
    from pathlib import Path

TOPIC = "illegal-memory-access"
TEXT = "CUDA error: an illegal memory access was encountered"
WATCHDOG = (
    "Process group watchdog thread terminated with exception: CUDA error: an illegal memory access was encountered"
)


def test_a_launch_without_such_a_line_says_nothing() -> None:
    assert answers(TOPIC, ServerReady(where=where(1, "10:00:00"))) == []


def test_a_line_after_which_the_server_works_on_is_cleared() -> None:
    line = failure(TOPIC, TEXT, 1, "10:00:00", detail="an illegal memory access was encountered")
    assert "worked on" in cleared(TOPIC, line, ServerReady(where=where(2, "10:05:00")))


def test_the_first_rank_in_time_speaks_even_where_another_s_line_stands_first() -> None:
    late = failure(TOPIC, TEXT, 10, "10:00:03", tp(1), detail="an illegal memory access was encountered")
    early = failure(TOPIC, TEXT, 20, "10:00:01", tp(6), detail="an illegal memory access was encountered")
    verdict = found(TOPIC, late, early)
    assert verdict.summary == "an illegal memory access was encountered on n0/TP6, then on 1 more"
    assert numbers(verdict) == {"processes reporting it": 2}


def test_a_watchdog_line_gives_the_rank_that_only_its_text_names() -> None:
    line = failure(TOPIC, WATCHDOG, 5, "13:09:57", detail="an illegal memory access was encountered")
    same = failure("collective-timeout", WATCHDOG, 5, "13:09:57", rank_text="4")
    assert found(TOPIC, line, same).summary == "an illegal memory access was encountered on n0/rank 4"


def test_the_kernel_s_own_assertion_is_quoted_and_the_rank_taken_from_the_error_after_it() -> None:
    said = "Assertion `srcIndex < srcSelectDimSize` failed"
    kernel = failure(TOPIC, f"Indexing.cu:1553: block: [3,0,0], thread: [64,0,0] {said}.", 4, "10:00:00", detail=said)
    error = failure(
        TOPIC, "CUDA error: device-side assert triggered", 5, "10:00:01", tp(2), detail="device-side assert triggered"
    )
    verdict = found(TOPIC, kernel, error)
    assert verdict.summary == f"{said} on n0/TP2"
    assert "index is out of range" in verdict.remedy[1].action


def test_the_frame_is_only_where_it_came_to_light() -> None:
    line = failure(TOPIC, TEXT, 5, "10:00:00", tp(3), detail="an illegal memory access was encountered")
    error = raised(
        "torch.AcceleratorError", TEXT, 5, "10:00:00", tp(3), frames=("scheduler.py:run", "batch.py:prepare")
    )
    assert found(TOPIC, line, error).not_known == ("which kernel it was (batch.py:prepare is where it came to light)",)


def test_a_page_fault_that_the_driver_saw_at_that_moment_agrees() -> None:
    line = failure(TOPIC, TEXT, 5, "10:00:00", tp(3), detail="an illegal memory access was encountered")
    xid = "NVRM: Xid (PCI:0000:1b:00): 31, pid=4171, name=sglang::schedul, MMU Fault"
    fault = GpuFault(where=where(1, "10:00:00", source="dmesg.txt"), text=xid, code="Xid 31", gpu="0000:1b:00")
    verdict = found(TOPIC, line, outside=(fault,))
    assert verdict.status is Status.ESTABLISHED
    assert verdict.claims[-1].text.startswith("the driver at that moment: Xid 31 (GPU memory page fault")


def test_the_other_backend_is_offered_in_the_command_that_was_typed() -> None:
    line = failure(TOPIC, TEXT, 5, "10:00:00", tp(3), detail="an illegal memory access was encountered")
    argv = "python3 -m sglang.launch_server --model-path /m --attention-backend triton"
    remedy = found(TOPIC, line, argv=argv).remedy[0]
    assert remedy.command_line == argv.replace("triton", "flashinfer")


LOG = f"""\
[{DAY} 13:00:00] server_args=ServerArgs(model_path='/m', tp_size=8, port=30000)
[{DAY} 13:00:40] The server is fired up and ready to roll!
[{DAY} 13:09:50] INFO:     198.51.100.19:54332 - "POST /v1/chat/completions HTTP/1.1" 200 OK
[rank4]:[E217 13:09:57.700004000 ProcessGroupNCCL.cpp:1895] [PG ID 2 PG GUID 3 Rank 4] {WATCHDOG}
[rank1]:[E217 13:09:58.700001000 ProcessGroupNCCL.cpp:1895] [PG ID 2 PG GUID 3 Rank 1] {WATCHDOG}
[{DAY} 13:09:59] Received sigquit from a child process. It usually means the child failed.
"""


def test_the_watchdog_of_nccl_that_met_it_is_no_time_out(tmp_path: Path) -> None:
    report = report_on(tmp_path, server_log=LOG)
    assert (report.verdict.outcome, report.verdict.finding) == ("crashed", TOPIC)
    assert "rank 4" in root_of(report).summary
    assert not [f for f in report.findings if f.id == "collective-timeout" and f.role in {"root", "contributing"}]
