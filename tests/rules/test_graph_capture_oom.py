"""Out of memory during graph capture, told from other failed captures and from memory that others took meanwhile."""

from __future__ import annotations

from analyzer.events import GraphCaptureBegun, GraphCaptureEnded, GraphCaptureProgress
from tests.build import size, tp, where
from tests.rules.answers import answers, cleared, failure, found, numbers
from tests.rules.launched import begun, capturing, crash, loaded, oom, pooled

RULE = "graph-capture-oom"
FULL = {"wanted": "448 MiB", "total": "95 GiB", "free": "123 MiB", "in_use": "94.8 GiB"}
LAUNCH = (begun("94.6 GiB"), loaded("14 GiB", "80.6 GiB"), pooled(140_000, "9.6"), capturing("4.38 GiB"))
BAR = GraphCaptureProgress(where=where(12, "10:04:15"), batch_size=size("152 count", 12))


def test_a_capture_that_ended_is_cleared() -> None:
    ended = GraphCaptureEnded(where=where(13, "10:04:20"), free=size("3 GiB", 13))
    assert cleared(RULE, *LAUNCH, ended) == "the graphs were captured"


def test_another_failure_of_the_capture_is_left_alone() -> None:
    text = "Exception: Capture cuda graph failed: CUDA error: no kernel image is available for execution on the device"
    assert answers(RULE, *LAUNCH, failure("graph-capture-failed", text, 20, "10:04:20")) == []


def test_memory_that_others_took_after_the_pool_was_sized_is_theirs() -> None:
    # 95 − 0.12 − 60 = 34.88 in other hands, of which 95 − 94.6 = 0.4 were there before
    held = oom("10:04:20", wanted="448 MiB", total="95 GiB", free="0.12 GiB", in_use="60 GiB")
    assert "others took the memory" in cleared(RULE, *LAUNCH, held)


def test_a_neighbour_beside_whom_the_pool_was_sized_is_no_excuse() -> None:
    # 95 − 0.12 − 45 = 49.88 in other hands, of which 95 − 46 = 49 were there before
    beside = oom("10:04:20", wanted="448 MiB", total="95 GiB", free="0.12 GiB", in_use="45 GiB")
    found(RULE, begun("46 GiB"), loaded("14 GiB", "32 GiB"), capturing("2 GiB"), beside)


def test_room_batch_size_and_a_lower_fraction_are_shown() -> None:
    verdict = found(RULE, *LAUNCH, BAR, oom("10:04:20", **FULL), values={"mem_fraction_static": 0.95})
    assert "at batch size 152" in verdict.summary
    assert "4.38 GiB were free when the capture began" in verdict.summary
    # 0.95 − (448 − 123) ÷ 1024 ÷ 94.6 − 0.02 = 0.9266
    assert [remedy.after for remedy in verdict.remedy[:2]] == ["0.92", "76"]


def test_a_draft_s_capture_is_not_shown_by_the_target_s_bar() -> None:
    draft = GraphCaptureBegun(where=where(15, "10:04:18"), free=size("0.9 GiB", 15), graph="draft")
    verdict = found(RULE, *LAUNCH, BAR, draft, oom("10:04:20", **FULL))
    assert "graph capture (draft)" in verdict.summary
    assert "0.9 GiB were free when the capture began" in verdict.summary
    assert "batch size being captured" not in numbers(verdict)
    bar = GraphCaptureProgress(where=where(16, "10:04:18"), batch_size=size("32 count", 16))
    drawn = found(RULE, *LAUNCH, BAR, draft, bar, oom("10:04:20", **FULL))
    assert (numbers(drawn)["batch size being captured"], drawn.remedy[1].after) == (32, "16")


def test_the_bar_of_rank_0_counts_for_a_rank_that_began_later() -> None:
    later = capturing("4 GiB", 14, tp(3))
    verdict = found(RULE, *LAUNCH, BAR, later, oom("10:04:20", 20, tp(3), **FULL))
    assert numbers(verdict)["batch size being captured"] == 152


def test_a_fraction_that_would_leave_no_pool_is_not_offered() -> None:
    # a pool begins above 1 − 5 ÷ 94.6 = 0.947
    verdict = found(
        RULE,
        begun("94.6 GiB"),
        loaded("5 GiB", "89.6 GiB"),
        capturing("1 GiB"),
        oom("10:04:20", **FULL),
        values={"mem_fraction_static": 0.95},
    )
    assert verdict.remedy[0].after is None


def test_a_wrapped_error_counts_as_capture_whatever_its_frames_say() -> None:
    wrapped = failure(
        "graph-capture-failed", "Exception: Capture cuda graph failed: CUDA out of memory.", 20, "10:04:20"
    )
    verdict = found(RULE, wrapped, oom("10:04:20", **FULL), crash("10:04:20", "qwen3.py:forward"))
    assert wrapped.where.ref in verdict.lines


def test_the_ranks_that_ran_out_are_counted() -> None:
    ranks = [e for i in (6, 7) for e in (capturing("4 GiB", 8, tp(i)), oom("10:04:20", 20 + i, tp(i), **FULL))]
    assert "(2 ranks)" in found(RULE, *ranks).summary


def test_an_error_without_figures_is_found_by_its_phase() -> None:
    verdict = found(RULE, *LAUNCH, oom("10:04:20"))
    assert verdict.sum is None
    assert numbers(verdict) == {"free when the capture began": 4.38 * 2**30}
