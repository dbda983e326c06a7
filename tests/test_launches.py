"""Sources become launches, each with its nodes, arguments and surroundings."""

from __future__ import annotations

from datetime import datetime

import polars as pl

from analyzer.events import (
    ArgumentsPrinted,
    CommandLine,
    DistributedInitBegun,
    Event,
    HostPoolAnnounced,
    MemorySnapshot,
    ReleaseStated,
    ServerReady,
)
from analyzer.evidence import Stamp
from analyzer.launches import Gathered, launches
from analyzer.parsers.parsed import Parsed
from analyzer.tables import TABLES
from tests.build import size, tp, where


def source(name: str, *events: Event, sha: str = "", tables: dict[str, pl.DataFrame] | None = None) -> Parsed:
    return Parsed(name, sha256=sha or name, bytes=100, lines=99, events=list(events), tables=tables or {})


def begun(name: str, time: str, *ranks: int, line: int = 2, **values: object) -> list[Event]:
    printed: list[Event] = [ArgumentsPrinted(where=where(line - 1, time, source=name), values=values)] if values else []
    return printed + [DistributedInitBegun(where=where(line + r, time, tp(r), name)) for r in ranks]


def gathered(*sources: Parsed) -> Gathered:
    return launches(sources)


def test_nothing_at_all_is_no_launch() -> None:
    assert gathered(source("poem.txt")).launches == []


def test_snapshots_alone_speak_of_a_server_without_its_log() -> None:
    made = gathered(source("free.txt", MemorySnapshot(where=where(1, source="free.txt")))).launches
    assert len(made) == 1
    assert made[0].events == []
    assert len(made[0].outside) == 1


def test_a_copy_is_left_out_and_said() -> None:
    one = source("a.log", *begun("a.log", "10:00:00", 0), sha="x")
    found = gathered(one, source("b.log", *begun("b.log", "10:00:00", 0), sha="x"))
    assert len(found.launches) == 1
    assert found.notes == ["b.log is a copy of a.log and was left out"]


def test_of_two_copies_the_one_beside_its_rotated_files_stays() -> None:
    older = source("server.log.1", *begun("server.log.1", "09:00:00", 0), sha="y")
    copies = [source(name, *begun(name, "10:00:00", 0), sha="x") for name in ("copy.log", "server.log")]
    assert gathered(copies[0], older, copies[1]).notes == ["copy.log is a copy of server.log and was left out"]


def test_nodes_are_numbered_by_their_rank_and_not_by_their_names() -> None:
    first = source("zebra.log", *begun("zebra.log", "10:00:00", 0, nnodes=2, node_rank=0))
    second = source("ant.log", *begun("ant.log", "10:00:05", 1, nnodes=2, node_rank=1))
    (made,) = gathered(second, first).launches
    assert made.nodes == {"n0": ("zebra.log",), "n1": ("ant.log",)}
    assert {t.process for t in made.events if isinstance(t.event, DistributedInitBegun)} == {"n0/TP0", "n1/TP1"}


def test_a_snapshot_belongs_to_the_node_of_its_name() -> None:
    first = source("node0.log", *begun("node0.log", "10:00:00", 0, nnodes=2, node_rank=0))
    second = source("node1.log", *begun("node1.log", "10:00:05", 1, nnodes=2, node_rank=1))
    free = source("node1.free.txt", MemorySnapshot(where=where(3, source="node1.free.txt")))
    (made,) = gathered(first, second, free).launches
    assert [t.node for t in made.outside] == ["n1"]


def test_of_two_launches_in_one_file_the_last_decides() -> None:
    log = source("a.log", *begun("a.log", "10:00:00", 0, port=1), *begun("a.log", "11:00:00", 0, line=20, port=1))
    first, second = gathered(log).launches
    assert (first.last_of_server, second.last_of_server) == (False, True)


def test_an_undated_snapshot_is_of_the_last_launch() -> None:
    log = source("a.log", *begun("a.log", "10:00:00", 0, port=1), *begun("a.log", "11:00:00", 0, line=20, port=1))
    first, second = gathered(log, source("free.txt", MemorySnapshot(where=where(3, source="free.txt")))).launches
    assert (len(first.outside), len(second.outside)) == (0, 1)


def test_the_command_line_of_the_printed_port_is_this_servers() -> None:
    log = source("a.log", *begun("a.log", "10:00:00", 0, port=30001, tp_size=2))
    typed = [
        CommandLine(
            where=where(i, source="ps.txt"), argv=("sglang.launch_server", "--port", str(30000 + i), "--tp", "2")
        )
        for i in range(3)
    ]
    (made,) = gathered(log, source("ps.txt", *typed)).launches
    assert made.arguments.argv[2] == "30001"


def test_an_image_tag_states_the_release() -> None:
    log = source("a.log", *begun("a.log", "10:00:00", 0))
    note = source("notes.txt", ReleaseStated(where=where(1, source="notes.txt"), version="0.5.9"))
    (made,) = gathered(log, note).launches
    assert made.release.text == "0.5.9"


def test_a_time_of_day_snapshot_is_put_on_the_day_of_the_log() -> None:
    log = source("a.log", *begun("a.log", "10:00:00", 0))
    moment = Stamp("10:05:00", datetime(1900, 1, 1, 10, 5, 0), dated=False)
    snapshot = MemorySnapshot(where=where(1, source="free.txt"))
    dated = MemorySnapshot(where=type(snapshot.where)(snapshot.where.ref, moment))
    (made,) = gathered(log, source("free.txt", dated)).launches
    at, start = made.outside[0].at, made.events[0].at
    assert at is not None
    assert start is not None
    assert at.seconds - start.seconds == 300


def rows(*lines: int) -> pl.DataFrame:
    empty = {name: [None] * len(lines) for name in TABLES["DecodeBatch"] if name != "line"}
    return pl.DataFrame({"line": list(lines), **empty}, schema_overrides=dict.fromkeys(empty, pl.Float64))


def test_batch_lines_go_to_the_launch_that_began_before_them() -> None:
    log = source(
        "a.log",
        *begun("a.log", "10:00:00", 0, port=1),
        ServerReady(where=where(5, "10:01:00", source="a.log")),
        *begun("a.log", "11:00:00", 0, line=20, port=1),
        tables={"DecodeBatch": rows(7, 8, 30)},
    )
    first, second = gathered(log).launches
    assert first.tables["DecodeBatch"]["line"].to_list() == [7, 8]
    assert second.tables["DecodeBatch"]["line"].to_list() == [30]


def test_batch_lines_before_a_launch_s_first_step_are_not_of_it() -> None:
    log = source("a.log", *begun("a.log", "11:00:00", 0, line=20, port=1), tables={"DecodeBatch": rows(7, 30)})
    (made,) = gathered(log).launches
    assert made.tables["DecodeBatch"]["line"].to_list() == [30]


def test_batch_lines_above_the_first_other_line_of_a_tail_are_of_its_server() -> None:
    ready = ServerReady(where=where(20, "10:01:00", source="a.log"))
    (made,) = gathered(source("a.log", ready, tables={"DecodeBatch": rows(7, 8, 30)})).launches
    assert made.tables["DecodeBatch"]["line"].to_list() == [7, 8, 30]


def test_rotated_pieces_are_one_launch_on_one_node() -> None:
    older = source("server.log.1", *begun("server.log.1", "10:00:00", 0, tp_size=1))
    newer = source(
        "server.log", HostPoolAnnounced(where=where(1, "10:06:42", tp(0), "server.log"), size=size("300.00 GB"))
    )
    (made,) = gathered(newer, older).launches
    assert made.nodes == {"n0": ("server.log.1", "server.log")}


def newest_first(name: str, *events: Event, lines: tuple[int, ...]) -> Parsed:
    """An export of 40 lines whose first one was written last; events and rows come in the order of writing."""
    log = source(name, *events, tables={"DecodeBatch": rows(*lines)})
    log.newest_first = True
    return log


def test_of_an_export_with_the_newest_line_first_the_batches_above_the_last_event_are_the_launch_s() -> None:
    log = newest_first("a.log", *begun("a.log", "10:00:00", 0, line=40, port=1), lines=(41, 30, 2))
    (made,) = gathered(log).launches
    assert made.tables["DecodeBatch"]["line"].to_list() == [30, 2], "line 41 was written before the launch's first"
    assert made.newest_first == {"a.log"}


def test_two_launches_of_an_export_with_the_newest_line_first_each_have_their_batches() -> None:
    log = newest_first(
        "a.log",
        *begun("a.log", "10:00:00", 0, line=39, port=1),
        ServerReady(where=where(35, "10:01:00", source="a.log")),
        *begun("a.log", "11:00:00", 0, line=20, port=1),
        lines=(34, 22, 18, 2),
    )
    first, second = gathered(log).launches
    assert first.tables["DecodeBatch"]["line"].to_list() == [34, 22]
    assert second.tables["DecodeBatch"]["line"].to_list() == [18, 2]


def test_a_tail_with_the_newest_line_first_has_all_of_its_batches() -> None:
    ready = ServerReady(where=where(20, "10:01:00", source="a.log"))
    (made,) = gathered(newest_first("a.log", ready, lines=(30, 8, 7))).launches
    assert made.tables["DecodeBatch"]["line"].to_list() == [30, 8, 7]
