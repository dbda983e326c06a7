"""Rows of several forms become one frame in the order of lines, null where a form has no such value."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from analyzer.catalog import Catalog
from analyzer.parsers.steady import Steady
from analyzer.tables import TABLES

pytest.importorskip("numpy")
chunk = pytest.importorskip("analyzer.scan.fast.chunk")
memory = pytest.importorskip("analyzer.scan.fast.memory")
tables = pytest.importorskip("analyzer.scan.fast.tables")
words = pytest.importorskip("analyzer.scan.fast.words")

LINES = [
    "[2026-02-17 10:02:51 TP1] Decode batch. #running-req: 1, #queue-req: 7",
    "[2026-02-17 10:02:51 DP3] Decode batch. #running-req: 2, cuda graph: True, #queue-req: 8",
    "[2026-02-17 10:02:51] Decode batch. #running-req: 3, #queue-req: 9",
]


def gathered(number: int, at: int) -> object:
    """The rows of the lines, the first of which is line `number` at byte `at`."""
    text = "".join(line + "\n" for line in LINES).encode()
    remembered = memory.Memory(Steady(Catalog.load()))
    found = chunk.Chunk(text + words.PAD, 0, len(text), remembered)
    rows = tables.Gathered(remembered.ranks)
    for part in found.parts:
        lines = part.lines
        place = tables.Lines(lines + number, found.starts[lines] + at, found.seconds[lines], found.label[lines])
        rows.add(part.form, place, part.columns)
    return rows


def test_rows_have_their_place_and_values() -> None:
    found, unknown = gathered(100, 5000).take()  # type: ignore[attr-defined]
    frame = found["DecodeBatch"]
    assert frame.columns == list(TABLES["DecodeBatch"])
    second, third = 5000 + len(LINES[0]) + 1, 5000 + len(LINES[0]) + len(LINES[1]) + 2
    time = datetime(2026, 2, 17, 10, 2, 51, tzinfo=UTC).timestamp()
    wanted = ["line", "start", "time_s", "dp", "tp", "node", "running_count", "graph_flag", "usage_ratio"]
    assert frame.select(wanted).rows() == [
        (100, 5000, time, None, 1, "", 1.0, None, None),
        (101, second, time, 3, None, "", 2.0, True, None),
        (102, third, time, None, None, "", 3.0, None, None),
    ]
    assert unknown == {}


def test_what_was_taken_is_gone() -> None:
    rows = gathered(1, 0)
    assert rows.count == 3  # type: ignore[attr-defined]
    rows.take()  # type: ignore[attr-defined]
    assert (rows.count, rows.take()) == (0, ({}, {}))  # type: ignore[attr-defined]
