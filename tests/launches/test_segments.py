"""One source is cut where a server starts anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from analyzer.events import (
    ArgumentsPrinted,
    CapacityPrinted,
    CommandLine,
    DistributedInitBegun,
    ErrorLine,
    Event,
    MemorySnapshot,
    ServerReady,
    WeightLoadBegun,
)
from analyzer.launches.segments import Segment, split
from analyzer.parsers.parsed import Parsed
from tests.build import timed, tp, where

if TYPE_CHECKING:
    from analyzer.launches import Timed


def cut(*events: Event) -> tuple[list[Segment], list[Timed[Event]]]:
    return split(Parsed("server.log"), [timed(e) for e in events])


def printed(line: int, **values: object) -> ArgumentsPrinted:
    return ArgumentsPrinted(where=where(line, "10:00:00"), values=values)


def test_a_draft_model_that_loads_a_second_time_is_the_same_launch() -> None:
    found, _ = cut(
        printed(1),
        WeightLoadBegun(where=where(2, "10:00:10", tp(0))),
        CapacityPrinted(where=where(3, "10:01:00", tp(0))),
        WeightLoadBegun(where=where(4, "10:01:10", tp(0))),
    )
    assert len(found) == 1


def test_a_second_node_pasted_below_the_first_is_the_same_launch() -> None:
    found, _ = cut(
        printed(1, nnodes=2, node_rank=0), DistributedInitBegun(where=where(2)), printed(3, nnodes=2, node_rank=1)
    )
    assert len(found) == 1


def test_a_second_server_args_line_begins_a_launch() -> None:
    found, _ = cut(printed(1), DistributedInitBegun(where=where(2, "10:00:05")), printed(9))
    assert [s.lines[0] for s in found] == [1, 9]
    assert found[0].until == 8


def test_a_rank_that_joins_again_after_ready_begins_a_launch() -> None:
    found, _ = cut(
        DistributedInitBegun(where=where(1, "10:00:00", tp(0))),
        ServerReady(where=where(2, "10:03:00")),
        DistributedInitBegun(where=where(3, "10:09:00", tp(0))),
    )
    assert [s.lines[0] for s in found] == [1, 3]


def test_a_head_that_was_cut_off_is_a_launch_of_its_own() -> None:
    found, _ = cut(WeightLoadBegun(where=where(1)), printed(5))
    assert len(found) == 2


def test_snapshots_between_the_lines_are_outside() -> None:
    found, outside = cut(printed(1), MemorySnapshot(where=where(2)))
    assert [type(t.event) for t in outside] == [MemorySnapshot]
    assert len(found[0].events) == 1


def test_error_words_in_a_note_make_no_server() -> None:
    found, _ = cut(ErrorLine(where=where(1)))
    assert found == []


def test_error_words_beside_no_batches_make_no_server_either() -> None:
    rows = {"Access": pl.DataFrame({"line": [1]})}
    found, _ = split(Parsed("proxy.log", tables=rows), [timed(ErrorLine(where=where(2), text="failed"))])
    assert found == []


def test_batch_lines_alone_are_a_server_s() -> None:
    [found], _ = split(Parsed("tail.log", tables={"DecodeBatch": pl.DataFrame({"line": [1, 2]})}), [])
    assert found.headless
    assert found.times is None


def test_what_stands_before_a_launch_s_first_step_is_not_of_it() -> None:
    crash = ErrorLine(where=where(9, "10:09:00"), text="failed")
    whole, tail = Segment("a.log", "", 0, [timed(printed(5))]), Segment("a.log", "", 0, [timed(crash)])
    assert (whole.headless, tail.headless) == (False, True)
    assert not Segment("a.log", "", 1, [timed(crash)]).headless


def test_of_an_export_with_the_newest_line_first_a_stretch_reaches_up_to_the_next_one() -> None:
    events = [printed(30), DistributedInitBegun(where=where(29, "10:00:05")), printed(9)]
    found, _ = split(Parsed("server.log", newest_first=True), [timed(e) for e in events])
    assert [s.span for s in found] == [(10, 30), (0, 9)]


def test_an_error_right_below_the_command_is_the_server_s_and_one_farther_away_is_not() -> None:
    command = CommandLine(where=where(3), argv=("sglang", "serve"))

    def said(line: int, text: str) -> list[Segment]:
        return cut(command, ErrorLine(where=where(line), text=text))[0]

    assert not said(20, "RuntimeError: no such thing")
    assert not said(5, "openai.APIConnectionError: Connection error.")
    assert not said(5, "it failed")
    assert len(said(5, "RuntimeError: no such thing")) == 1
