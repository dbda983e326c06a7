"""Milestones of each process become phases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.events import (
    ArgumentsPrinted,
    CapacityPrinted,
    Event,
    ExceptionRaised,
    GraphCaptureBegun,
    GraphCaptureEnded,
    HostPoolAnnounced,
    HostPoolRefused,
    KvPoolAllocated,
    MemoryPoolEnded,
    ServerReady,
    ShardsProgress,
    WeightLoadBegun,
    WeightsLoaded,
)
from analyzer.timeline.phases import finish, process_lines
from analyzer.vocabulary import Phase
from tests.build import instant, size, timed, tp, where

if TYPE_CHECKING:
    from analyzer.timeline.model import ProcessLine


def lines(*events: Event) -> dict[str, ProcessLine]:
    return {p.id: p for p in process_lines([timed(e) for e in events])}


def spans(line: ProcessLine) -> list[tuple[Phase, float | None, str]]:
    return [(s.phase, s.seconds, s.state) for s in line.phases]


def test_begin_and_end_make_a_phase() -> None:
    found = lines(WeightLoadBegun(where=where(1, "10:00:00", tp(0))), WeightsLoaded(where=where(2, "10:03:00", tp(0))))
    assert spans(found["n0/TP0"]) == [(Phase.WEIGHT_LOAD, 180.0, "done")]


def test_a_phase_without_an_end_is_open() -> None:
    found = lines(HostPoolAnnounced(where=where(1, "10:06:42", tp(3))))
    assert spans(found["n0/TP3"]) == [(Phase.HOST_POOL, None, "open")]


def test_an_end_alone_is_dated_back_by_its_own_figure() -> None:
    found = lines(WeightsLoaded(where=where(2, "10:03:00", tp(0)), elapsed=size("60 s")))
    assert spans(found["n0/TP0"]) == [(Phase.WEIGHT_LOAD, 60.0, "done")]


def test_pools_begin_where_the_weights_end() -> None:
    found = lines(
        WeightLoadBegun(where=where(1, "10:00:00", tp(0))),
        WeightsLoaded(where=where(2, "10:03:00", tp(0))),
        KvPoolAllocated(where=where(3, "10:03:04", tp(0))),
        MemoryPoolEnded(where=where(4, "10:03:05", tp(0))),
    )
    assert spans(found["n0/TP0"])[1] == (Phase.KV_POOL, 5.0, "done")


def test_a_bar_without_a_header_belongs_to_the_first_rank() -> None:
    found = lines(WeightLoadBegun(where=where(1, "10:00:00", tp(0))), ShardsProgress(where=where(2, "10:00:00")))
    assert set(found) == {"n0/TP0"}


def test_a_draft_model_repeats_a_phase_as_a_second_occurrence() -> None:
    found = lines(
        WeightLoadBegun(where=where(1, "10:00:00", tp(0))),
        WeightsLoaded(where=where(2, "10:01:00", tp(0))),
        WeightLoadBegun(where=where(3, "10:02:00", tp(0))),
        WeightsLoaded(where=where(4, "10:02:30", tp(0))),
    )
    assert [s for _, s, _ in spans(found["n0/TP0"])] == [60.0, 30.0]
    assert found["n0/TP0"].unexplained == 60.0


def test_an_exception_fails_the_open_phase() -> None:
    found = lines(
        GraphCaptureBegun(where=where(1, "10:00:00", tp(0))),
        ExceptionRaised(where=where(2, "10:00:20", tp(0)), process="scheduler"),
    )
    assert spans(found["n0/TP0"]) == [(Phase.GRAPH_CAPTURE, 20.0, "failed")]


def test_a_refused_host_pool_fails_its_own_phase_and_not_the_one_before() -> None:
    found = lines(
        WeightLoadBegun(where=where(1, "10:00:00", tp(0))),
        ExceptionRaised(where=where(2, "10:01:00", tp(0)), process="scheduler"),
        HostPoolRefused(where=where(2, "10:01:00", tp(0))),
    )
    assert spans(found["n0/TP0"]) == [(Phase.WEIGHT_LOAD, 60.0, "done"), (Phase.HOST_POOL, 0.0, "failed")]


def test_a_handled_exception_fails_nothing() -> None:
    found = lines(
        GraphCaptureBegun(where=where(1, "10:00:00", tp(0))),
        ExceptionRaised(where=where(2, "10:00:20", tp(0)), handled=True),
        GraphCaptureEnded(where=where(3, "10:00:30", tp(0))),
    )
    assert spans(found["n0/TP0"]) == [(Phase.GRAPH_CAPTURE, 30.0, "done")]


def test_the_capacity_line_ends_no_phase_that_is_not_open() -> None:
    found = lines(CapacityPrinted(where=where(1, "10:00:00", tp(0))))
    assert found["n0/TP0"].phases == []


def test_ready_ends_what_other_ranks_left_open() -> None:
    made = process_lines(
        [
            timed(ArgumentsPrinted(where=where(1, "10:00:00"))),
            timed(HostPoolAnnounced(where=where(2, "10:01:00", tp(1)))),
            timed(ServerReady(where=where(3, "10:02:00"))),
        ]
    )
    finish(made, instant("10:02:00"))
    found = {p.id: p for p in made}
    assert spans(found["n0/TP1"]) == [(Phase.HOST_POOL, 60.0, "done"), (Phase.SERVING, None, "open")]
    assert found["n0/main"].phases[0].seconds == 60.0  # the arguments are done when the first rank speaks
