"""Rows of steady-state lines become frames with the columns of `analyzer.tables`."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import polars as pl

from analyzer.evidence import Rank, Ref, Stamp
from analyzer.parsers import rows as module
from analyzer.parsers.rows import Rows, seconds
from analyzer.records import Record
from analyzer.tables import TABLES

if TYPE_CHECKING:
    import pytest


def record(line: int, moment: datetime | None = None) -> Record:
    stamp = moment and Stamp("t", moment)
    return Record(Ref("s", line, line, line * 10), "Decode batch", stamp=stamp, rank=Rank(dp=1, tp=3), node="n0")


def test_a_source_without_rows_has_no_frames() -> None:
    rows = Rows()
    assert rows.frames() == {}


def test_a_row_keeps_its_place_and_what_it_lacks_is_null() -> None:
    rows = Rows()
    rows.add("DecodeBatch", {"running_count": 50.0, "graph_flag": True}, record(7, datetime(1970, 1, 2, 0, 0, 1)))
    (row,) = rows.frames()["DecodeBatch"].to_dicts()
    assert (row["line"], row["start"], row["time_s"], row["dp"], row["pp"], row["tp"], row["node"]) == (
        7,
        70,
        86_401.0,
        1,
        None,
        3,
        "n0",
    )
    assert (row["running_count"], row["graph_flag"], row["queue_count"]) == (50.0, True, None)


def test_every_table_has_its_columns_in_order() -> None:
    rows = Rows()
    for table in TABLES:
        rows.add(table, {}, record(1))
    for table, frame in rows.frames().items():
        assert frame.columns == list(TABLES[table])


def test_many_rows_are_spilled_and_come_back_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_TOGETHER", 3)
    rows = Rows()
    for line in range(1, 9):
        rows.add("Access", {"path": "/health", "status_count": 200.0}, record(line))
    frame = rows.frames()["Access"]
    assert frame["line"].to_list() == list(range(1, 9))
    assert frame.schema["path"] == pl.String


def test_rows_that_come_as_columns_stand_between_the_others() -> None:
    rows, columns = Rows(), Rows()
    for line in (2, 5):
        rows.add("Access", {"path": "/health", "status_count": 200.0}, record(line))
    for line in (3, 4):
        columns.add("Access", {"path": "/generate", "status_count": 503.0}, record(line))
    rows.extend(columns.frames())
    rows.add("Access", {"path": "/health", "status_count": 200.0}, record(6))
    rows.extend({})
    frame = rows.frames()["Access"]
    assert frame["line"].to_list() == [2, 3, 4, 5, 6]
    assert frame["status_count"].to_list() == [200.0, 503.0, 503.0, 200.0, 200.0]


def test_an_undated_time_counts_from_midnight() -> None:
    assert seconds(Stamp("01:00:05", datetime(1900, 1, 1, 1, 0, 5), dated=False)) == 3605.0
    assert seconds(None) is None
