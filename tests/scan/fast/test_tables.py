"""Rows of several forms become one frame in the order of lines, null where a form has no such value."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from analyzer.tables import TABLES
from analyzer.tables.table import TYPES, Table, one

np = pytest.importorskip("numpy")
layout = pytest.importorskip("analyzer.scan.fast.layout")
laid = pytest.importorskip("tests.scan.fast.laid")
tables = pytest.importorskip("analyzer.scan.fast.tables")

LINES = [
    "[2026-02-17 10:02:51 TP1] Decode batch. #running-req: 1, #queue-req: 7",
    "[2026-02-17 10:02:51 DP3] Decode batch. #running-req: 2, cuda graph: True, #queue-req: 8",
    "[2026-02-17 10:02:51] Decode batch. #running-req: 3, #queue-req: 9",
]
FORM = "Decode batch. #running-req: 1, #queue-req: 7"
TIME = datetime(2026, 2, 17, 10, 2, 51, tzinfo=UTC).timestamp()


def gathered(*parts: tuple[list[str], int, int]) -> Any:
    """The rows of parts of a stream: lines, the number of the first, and the byte at which it stands."""
    memory = laid.remembering()
    rows = tables.Gathered(memory)
    for lines, number, at in parts:
        chunk = laid.told(lines, memory)
        rows.add(chunk, chunk.settle(), layout.Place(number, at))
    return rows


def whole(name: str, *frames: Any) -> Any:
    """Frames as the readers of a table see them: with all of its columns."""
    return one(Table(name, [(frame, ()) for frame in frames]))


def test_without_rows_there_is_no_table() -> None:
    assert gathered().take() == ({}, {})
    assert gathered((["a line", "another"], 1, 0)).take() == ({}, {})


def test_rows_have_their_place_and_values() -> None:
    found, unknown = gathered((LINES, 100, 5000)).take()
    frame = whole("DecodeBatch", found["DecodeBatch"])
    assert frame.columns == list(TABLES["DecodeBatch"])
    assert frame.dtypes == [TYPES[kind] for kind in TABLES["DecodeBatch"].values()]
    second, third = 5000 + len(LINES[0]) + 1, 5000 + len(LINES[0]) + len(LINES[1]) + 2
    wanted = ["line", "start", "time_s", "dp", "tp", "node", "running_count", "graph_flag", "usage_ratio"]
    assert frame.select(wanted).rows() == [
        (100, 5000, TIME, None, 1, "", 1.0, None, None),
        (101, second, TIME, 3, None, "", 2.0, True, None),
        (102, third, TIME, None, None, "", 3.0, None, None),
    ]
    assert unknown == {}


def test_access_lines_have_their_path_and_status_and_no_rank() -> None:
    access = [
        'INFO:     10.0.0.1:41 - "GET /health HTTP/1.1" 200 OK',
        'INFO:     10.0.0.2:42 - "GET /v1/m HTTP/1.1" 503 Service Unavailable',
        'INFO:     10.0.0.3:43 - "GET /health HTTP/1.1" 200 OK',
    ]
    found, _ = gathered(([LINES[0], *access], 1, 0)).take()
    frame = whole("Access", found["Access"])
    assert frame.columns == list(TABLES["Access"])
    assert frame.dtypes == [TYPES[kind] for kind in TABLES["Access"].values()]
    assert frame.select("line", "time_s", "tp", "path", "status_count").rows() == [
        (2, TIME, None, "/health", 200.0),
        (3, TIME, None, "/v1/m", 503.0),
        (4, TIME, None, "/health", 200.0),
    ]


def test_columns_that_say_nothing_are_left_out() -> None:
    found, _ = gathered((LINES, 1, 0)).take()
    told = ["line", "start", "time_s", "dp", "tp", "running_count", "queue_count", "graph_flag"]
    frame = found["DecodeBatch"]
    assert frame.columns == [name for name in TABLES["DecodeBatch"] if name in told]
    assert set(frame.columns) == {*told}
    assert frame.dtypes == [TYPES[TABLES["DecodeBatch"][name]] for name in frame.columns]


def test_without_ranks_there_are_no_columns_of_them() -> None:
    access = 'INFO:     10.0.0.1:41 - "GET /health HTTP/1.1" 200 OK'
    found, _ = gathered((["[2026-02-17 10:02:51] " + FORM, access], 1, 0)).take()
    assert set(found["DecodeBatch"].columns) == {"line", "start", "time_s", "running_count", "queue_count"}
    assert set(found["Access"].columns) == {"line", "start", "time_s", "path", "status_count"}


def test_what_is_left_out_is_what_would_be_null_or_an_empty_node() -> None:
    found, _ = gathered((LINES, 1, 0)).take()
    frame = whole("DecodeBatch", found["DecodeBatch"])
    silent = [name for name in frame.columns if name not in found["DecodeBatch"].columns]
    assert {"node", "pp", "usage_ratio"} <= set(silent)
    assert {name: frame[name].to_list() for name in silent} == {
        name: ["" if name == "node" else None] * len(LINES) for name in silent
    }


def test_frames_with_different_columns_are_one_table() -> None:
    memory = laid.remembering()
    rows, frames = tables.Gathered(memory), []
    for lines in (["[2026-02-17 10:02:51] " + FORM], [LINES[1]], ["[2026-02-17 10:02:51] " + FORM]):
        chunk = laid.told(lines, memory)
        rows.add(chunk, chunk.settle(), layout.Place(len(frames) + 1, 0))
        frames.append(rows.take()[0]["DecodeBatch"])
    assert ["dp" in frame.columns for frame in frames] == ["graph_flag" in frame.columns for frame in frames]
    assert "dp" not in frames[0].columns
    frame = whole("DecodeBatch", *frames)
    assert frame.select("line", "dp", "node", "running_count", "graph_flag").rows() == [
        (1, None, "", 1.0, None),
        (2, 3, "", 2.0, True),
        (3, None, "", 1.0, None),
    ]


def test_keys_that_no_column_takes_are_counted_by_line() -> None:
    lines = [
        f"[2026-02-17 10:02:51] Decode batch. #running-req: {n}, frobs: {n}, frobs: 1, #queue-req: 0" for n in range(3)
    ]
    lines += [f"[2026-02-17 10:02:51] Decode batch. #running-req: {n}, knobs: {n}, #queue-req: 0" for n in range(4)]
    assert gathered((lines, 1, 0)).take()[1] == {"frobs": 6, "knobs": 4}


def test_rows_of_a_line_that_was_left_are_not_there_and_their_keys_not_counted() -> None:
    memory = laid.remembering()
    rows = tables.Gathered(memory)
    chunk = laid.told(["[2026-02-17 10:02:51] Decode batch. #running-req: 1, frobs: 1, #queue-req: 0", *LINES], memory)
    chunk.kind[[0, 2]] = layout.LEFT
    rows.add(chunk, chunk.settle(), layout.Place(1, 0))
    found, unknown = rows.take()
    assert (found["DecodeBatch"]["line"].to_list(), unknown) == ([2, 4], {})


def test_rows_of_several_parts_stand_one_behind_the_other() -> None:
    found, _ = gathered((LINES, 1, 0), (LINES[::-1], 101, 9000)).take()
    frame = found["DecodeBatch"]
    assert frame["line"].to_list() == [1, 2, 3, 101, 102, 103]
    assert frame["running_count"].to_list() == [1.0, 2.0, 3.0, 3.0, 2.0, 1.0]
    assert frame["dp"].to_list() == [None, 3, None, None, 3, None]


def test_what_was_taken_is_gone() -> None:
    rows = gathered((LINES, 1, 0))
    rows.take()
    assert rows.take() == ({}, {})


def test_rows_are_full_when_they_are_enough_for_frames() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "ROWS", 4)
        assert not gathered((LINES, 1, 0)).full
        rows = gathered((LINES, 1, 0), (LINES[:1], 4, 1000))
        assert rows.full
        rows.take(full=True)
        assert not rows.full


def test_only_tables_that_have_enough_are_taken_before_the_end() -> None:
    answers = [f'INFO:     10.0.0.{n}:5123 - "GET /health HTTP/1.1" 200 OK' for n in range(5)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "ROWS", 4)
        rows = gathered(([LINES[0], *answers], 1, 0))
        found, _ = rows.take(full=True)
        assert {name: frame["line"].to_list() for name, frame in found.items()} == {"Access": [2, 3, 4, 5, 6]}
        found, _ = rows.take()
        assert {name: frame["line"].to_list() for name, frame in found.items()} == {"DecodeBatch": [1]}
