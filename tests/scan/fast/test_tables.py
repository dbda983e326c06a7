"""Rows of several forms become one frame in the order of lines, null where a form has no such value."""

from __future__ import annotations

import pytest

from analyzer.catalog import Catalog
from analyzer.parsers.steady import Steady
from analyzer.tables import TABLES

np = pytest.importorskip("numpy")
chunk = pytest.importorskip("analyzer.scan.fast.chunk")
memory = pytest.importorskip("analyzer.scan.fast.memory")
tables = pytest.importorskip("analyzer.scan.fast.tables")

LINES = [
    "[2026-02-17 10:02:51 TP1] Decode batch. #running-req: 1, #queue-req: 7",
    "[2026-02-17 10:02:51 DP3] Decode batch. #running-req: 2, cuda graph: True, #queue-req: 8",
    "[2026-02-17 10:02:51] Decode batch. #running-req: 3, #queue-req: 9",
]


def made() -> object:
    return chunk.Chunk("".join(line + "\n" for line in LINES).encode(), memory.Memory(Steady(Catalog.load())))


def test_rows_have_their_place_and_values() -> None:
    frame = tables.frames(made(), 100, 5000, np.array([1.0, 2.0, 3.0]))["DecodeBatch"]
    assert frame.columns == list(TABLES["DecodeBatch"])
    second = 5000 + len(LINES[0]) + 1
    wanted = ["line", "start", "time_s", "dp", "tp", "node", "running_count", "graph_flag", "usage_ratio"]
    assert frame.select(wanted).rows() == [
        (100, 5000, 1.0, None, 1, "", 1.0, None, None),
        (101, second, 2.0, 3, None, "", 2.0, True, None),
        (102, second + len(LINES[1]) + 1, 3.0, None, None, "", 3.0, None, None),
    ]


def test_a_line_that_was_left_after_all_has_no_row() -> None:
    found = made()
    found.kinds[0] = chunk.LEFT  # type: ignore[attr-defined]
    assert tables.frames(found, 1, 0, np.zeros(3))["DecodeBatch"]["line"].to_list() == [2, 3]
