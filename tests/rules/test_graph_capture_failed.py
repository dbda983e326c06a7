"""Graph capture that failed for another reason than memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.events import GpuOutOfMemory, GraphCaptureBegun, ServerReady
from tests.build import size, tp, where
from tests.rules.answers import cleared, failure, found, numbers

if TYPE_CHECKING:
    from analyzer.events import Failure

RULE = "graph-capture-failed"
TEXT = "Exception: Capture cuda graph failed: 'CustomAllReduceV2' object has no attribute 'obj'"


def captured(text: str, detail: str, line: int = 20, rank: int = 0) -> Failure:
    return failure(RULE, text, line, "10:00:38", tp(rank), detail=detail)


def test_a_capture_that_ran_out_of_memory_is_cleared() -> None:
    text = "Exception: Capture cuda graph failed: CUDA out of memory. Tried to allocate 448.00 MiB."
    oom = GpuOutOfMemory(where=where(20, "10:00:38", tp(0)), text=text)
    assert cleared(RULE, captured(text, "CUDA out of memory."), oom) == "memory ran out during the capture"


def test_a_capture_that_lost_a_peer_is_cleared() -> None:
    text = "Exception: Capture cuda graph failed: [pair.cc:534] Connection closed by peer [192.0.2.1]:45492"
    lost = failure("collective-timeout", text, 20, "10:00:38", tp(0))
    assert cleared(RULE, captured(text, "Connection closed by peer"), lost) == "a peer was lost during the capture"


def test_a_capture_that_was_given_up_by_a_server_that_started_anyway_is_cleared() -> None:
    assert "worked on" in cleared(RULE, captured(TEXT, "x"), ServerReady(where=where(30, "10:05:00")))


def test_what_stands_behind_the_colon_is_quoted_with_the_memory_that_was_free() -> None:
    begun = GraphCaptureBegun(where=where(11, "10:00:30", tp(0)), free=size("8.54 GiB", 11))
    detail = "'CustomAllReduceV2' object has no attribute 'obj'"
    verdict = found(RULE, begun, captured(TEXT, detail), captured(TEXT, detail, 40, 1))
    assert verdict.summary == f"graph capture failed on 2 ranks: {detail}"
    assert numbers(verdict) == {"free on the GPU when the capture began": 8.54 * 2**30}
    assert "8.54 GiB were free when it began" in verdict.claims[-1].text


def test_the_command_without_graphs_is_the_one_that_was_typed_with_the_switch() -> None:
    argv = "python3 -m sglang.launch_server --model-path /m --tp 2"
    assert found(RULE, captured(TEXT, "x"), argv=argv).remedy[0].command_line == f"{argv} --disable-cuda-graph"
