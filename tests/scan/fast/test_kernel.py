"""Rows keep the order of their lines, and one without a time of its own has that of the line that prints it."""

from __future__ import annotations

from typing import Any

import pytest

np = pytest.importorskip("numpy")
layout = pytest.importorskip("analyzer.scan.fast.layout")
laid = pytest.importorskip("tests.scan.fast.laid")
compiled = pytest.importorskip("analyzer.scan.fast.compiled")

HEAD = "[2026-02-17 10:02:51 TP1] "
ACCESS = 'INFO:     10.0.0.1:41 - "GET /health HTTP/1.1" 200 OK'
MEMORY = laid.remembering()


def rows_of(chunk: Any, table: int, *, before: int = 0) -> tuple[int, dict[str, Any]]:
    """How many rows there are behind so many, and their parts."""
    room = before + chunk.count(table) + 1
    width = 3
    parts = {name: np.full(room, -7, np.int64) for name in ("number", "start", "label")}
    parts |= {"seconds": np.full(room, -7.0), "values": np.full((width, room), -7.0)}
    parts["columns"] = np.arange(width)
    place = layout.Place(100, 5000)
    places = {name: compiled.address(part) for name, part in parts.items()}
    rows = layout.Rows(length=before, width=width, room=room, **places)
    return chunk.take(table, chunk.settle(), place, rows), parts


FORMS = ["Decode batch. #running-req: {n}, #queue-req: 5", "Decode batch. #queue-req: 5, #running-req: {n}"]
LINES = [f"[2026-02-17 10:02:{10 + n} TP{n % 2}] {FORMS[n % 2].format(n=n)}" for n in range(6)]


def test_rows_stand_in_the_order_of_their_lines_though_forms_are_learned_one_by_one() -> None:
    chunk = laid.told(LINES, laid.remembering())
    count, parts = rows_of(chunk, 0)
    assert count == 6
    assert parts["number"].tolist() == [100, 101, 102, 103, 104, 105, -7]
    assert parts["start"].tolist() == [*(5000 + sum(len(line) + 1 for line in LINES[:n]) for n in range(6)), -7]
    assert parts["label"].tolist() == [0, 1, 0, 1, 0, 1, -7]
    assert np.diff(parts["seconds"][:6]).tolist() == [1.0] * 5
    assert parts["values"][0].tolist() == [0, 1, 0, 1, 0, 1, -7], "the form"
    assert parts["values"][1].tolist() == [0, 1, 2, 3, 4, 5, -7], "running"
    assert parts["values"][2].tolist() == [5, 5, 5, 5, 5, 5, -7], "queued"


def test_rows_of_lines_that_were_left_are_gone() -> None:
    chunk = laid.told(LINES, laid.remembering())
    chunk.kind[[0, 3]] = layout.LEFT
    count, parts = rows_of(chunk, 0)
    assert (count, parts["number"].tolist()[:4]) == (4, [101, 102, 104, 105])
    assert parts["values"][1].tolist()[:4] == [1, 2, 4, 5]


def test_rows_are_added_behind_those_that_are_there() -> None:
    chunk = laid.told(LINES[:2], laid.remembering())
    count, parts = rows_of(chunk, 0, before=3)
    assert (count, parts["number"].tolist()) == (5, [-7, -7, -7, 100, 101, -7])
    assert parts["values"][:, :3].tolist() == [[-7.0] * 3] * 3


def test_a_row_without_a_time_has_the_seconds_of_the_line_that_prints_them_and_no_rank() -> None:
    chunk = laid.told([LINES[1], ACCESS, HEAD + "said by another", ACCESS], MEMORY)
    access = len(laid.WIDTHS) - 1
    count, parts = rows_of(chunk, access)
    assert count == 2
    assert parts["seconds"][:2].tolist() == chunk.seconds[[0, 2]].tolist()
    assert parts["label"][:2].tolist() == [-1, -1]
