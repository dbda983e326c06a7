"""Out-of-memory errors, each once and in its phase: by ready, by frames, by the process's own timeline."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from analyzer.events import ArgumentsPrinted, HostPoolAnnounced, ServerReady
from analyzer.ledgers.gpu_shortage import shortages
from analyzer.vocabulary import Phase, Status
from tests.build import incident, launch, size, tp, where
from tests.rules.answers import failure
from tests.rules.launched import begun, capturing, crash, joined, loaded, oom, pooled

if TYPE_CHECKING:
    from analyzer.incident import Incident

READY = ServerReady(where=where(50, "10:04:40"))


def seen(*events: object, **surroundings: object) -> Incident:
    return incident(launch(*events, **surroundings))  # type: ignore[arg-type]


def phases(*events: object) -> list[Phase]:
    return [s.phase for s in shortages(seen(*events))]


def test_a_healthy_launch_has_none() -> None:
    assert phases(begun("78 GiB"), loaded("40 GiB", "38 GiB"), READY) == []


def test_an_error_that_was_survived_does_not_count() -> None:
    assert phases(begun("78 GiB"), oom("10:03:30"), READY) == []


def test_an_error_that_a_scheduler_ended_with_counts_whatever_other_ranks_still_did() -> None:
    assert phases(begun("78 GiB"), oom("10:03:30"), crash("10:03:30"), READY) == [Phase.WEIGHT_LOAD]


def test_two_texts_of_one_record_are_one_error_and_the_one_with_figures_speaks() -> None:
    [made] = shortages(seen(begun("78 GiB"), oom("10:03:30"), oom("10:03:30", wanted="1 GiB")))
    assert made.item.event.wanted is not None


@pytest.mark.parametrize(
    ("frames", "phase"),
    [
        (("scheduler.py:__init__", "model_runner.py:load_model", "loader.py:load_model"), Phase.WEIGHT_LOAD),
        (("model_runner.py:init_memory_pool", "memory_pool.py:_create_buffers"), Phase.KV_POOL),
        (("cuda_graph_runner.py:capture_one_batch_size", "qwen3.py:forward"), Phase.GRAPH_CAPTURE),
        (("piecewise_cuda_graph_runner.py:__init__",), Phase.GRAPH_CAPTURE),
        (("scheduler.py:event_loop_overlap", "layernorm.py:forward_cuda"), Phase.SERVING),
        (("tp_worker.py:forward_batch_generation", "vision.py:forward"), Phase.SERVING),
        (("memory_pool_host.py:__init__",), Phase.HOST_POOL),
    ],
)
def test_frames_say_what_the_process_did(frames: tuple[str, ...], phase: Phase) -> None:
    assert phases(oom("10:03:30"), crash("10:03:30", *frames)) == [phase]


def test_after_ready_frames_of_a_loader_are_an_update_of_the_weights_while_serving() -> None:
    assert phases(READY, oom("10:06:00"), crash("10:06:00", "loader.py:load_model")) == [Phase.SERVING]


def test_the_wrapper_s_own_words_say_capture() -> None:
    wrapped = failure("graph-capture-failed", "Capture cuda graph failed: CUDA out of memory.", 20, "10:04:20")
    assert phases(begun("78 GiB"), wrapped, oom("10:04:20")) == [Phase.GRAPH_CAPTURE]


def test_without_frames_the_process_s_own_phase_counts() -> None:
    ranks = (begun("78 GiB", 4, tp(0)), begun("78 GiB", 5, tp(1)), capturing("4 GiB", 6, tp(1)))
    assert phases(*ranks, oom("10:04:20", 20, tp(1)), oom("10:04:20", 21, tp(0))) == [
        Phase.GRAPH_CAPTURE,
        Phase.WEIGHT_LOAD,
    ]


def test_a_line_without_a_rank_takes_the_slowest_rank_s_phase() -> None:
    ranks = (begun("78 GiB", 4, tp(0)), begun("78 GiB", 5, tp(1)), capturing("4 GiB", 6, tp(1)))
    assert phases(*ranks, oom("10:04:20", 20)) == [Phase.WEIGHT_LOAD]


def test_a_phase_that_can_be_told_by_nothing_accuses_nothing() -> None:
    assert phases(oom("10:04:20")) == []


def test_printed_arguments_say_nothing_of_how_far_a_process_came() -> None:
    assert phases(ArgumentsPrinted(where=where(1, "10:02:37"), values={"tp_size": 1}), oom("10:04:20")) == []


def test_a_host_pool_that_cannot_be_pinned_is_in_its_own_phase() -> None:
    announced = HostPoolAnnounced(where=where(10, "10:04:15"), size=size("300 GB", 10))
    assert phases(begun("78 GiB"), announced, oom("10:04:20")) == [Phase.HOST_POOL]


def test_what_others_hold_counts_while_loading_and_growth_alone_after_it() -> None:
    held = {"wanted": "1 GiB", "total": "80 GiB", "free": "1 GiB", "in_use": "39 GiB"}
    [loading] = shortages(seen(begun("39.5 GiB"), oom("10:03:30", **held)))
    [later] = shortages(seen(begun("39.5 GiB"), pooled(9, "1"), capturing("2 GiB"), oom("10:04:20", **held)))
    # 80 − 1 − 39 = 40; 40 − (80 − 39.5) = −0.5
    assert loading.others is not None
    assert (loading.others.number(), loading.firm, loading.by_others) == (40 * 2**30, Status.ESTABLISHED, True)
    assert (later.others, later.by_others) == (None, False)


def test_without_this_process_s_own_figure_others_are_supported_only() -> None:
    allocated = {"wanted": "1 GiB", "total": "80 GiB", "free": "1 GiB", "allocated": "38 GiB", "reserved": "1 GiB"}
    [made] = shortages(seen(joined("1 GiB"), begun("39 GiB"), oom("10:03:30", **allocated)))
    assert made.firm is Status.SUPPORTED


def test_more_free_than_asked_for_lacks_the_whole_block() -> None:
    [made] = shortages(seen(begun("39 GiB"), oom("10:03:30", wanted="1 GiB", free="2 GiB")))
    assert made.lacking is not None
    assert made.lacking.number() == 2**30


def test_phases_that_are_asked_for_are_the_only_ones_given() -> None:
    launch_and_crash = seen(begun("39 GiB"), oom("10:03:30"))
    assert shortages(launch_and_crash, Phase.SERVING) == []
    assert len(shortages(launch_and_crash, Phase.WEIGHT_LOAD)) == 1
