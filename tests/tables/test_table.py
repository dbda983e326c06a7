"""A table gives the same rows wherever they are: in one frame, in several, in files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from analyzer.tables import TABLES
from analyzer.tables.spill import File, Spill
from analyzer.tables.table import TYPES, Table, View, batches, one, ordered, together

if TYPE_CHECKING:
    from collections.abc import Sequence

NAMES = ("line", "running_count", "node")


def frame(lines: Sequence[int]) -> pl.DataFrame:
    """Rows at these lines, each with as many running requests as its line has."""
    known = {"line": lines, "start": lines, "time_s": lines, "running_count": lines, "node": [""] * len(lines)}
    columns = TABLES["DecodeBatch"].items()
    return pl.DataFrame(
        [pl.Series(n, known.get(n, [None] * len(lines)), TYPES[kind], strict=False) for n, kind in columns]
    )


def lines_of(rows: pl.DataFrame | Table) -> list[int]:
    return [line for part in batches(rows, ["line"]) for line in part["line"].to_list()]


def test_no_rows_are_no_batch() -> None:
    assert list(batches(frame([]), ["line"])) == []
    assert list(batches(Table("DecodeBatch", [(frame([]), ())]), ["line"])) == []


def test_rows_in_files_are_those_in_memory() -> None:
    with Spill() as spill:
        parts = [frame([1, 2]), spill.write(frame([3, 4])), frame([5])]
        spill.settle()
        table = Table("DecodeBatch", [(part, ()) for part in parts])
        found = pl.concat(list(table.batches(TABLES["DecodeBatch"])))
        assert found.equals(frame([1, 2, 3, 4, 5]))


def test_rows_read_one_by_one_stand_between_those_that_were_columns() -> None:
    with Spill() as spill:
        columns = [spill.write(frame([2, 4, 6])), spill.write(frame([10, 12])), frame([14])]
        spill.settle()
        table = ordered("DecodeBatch", columns, [frame([1, 5, 7, 8]), frame([13, 15])])
        assert lines_of(table) == [1, 2, 4, 5, 6, 7, 8, 10, 12, 13, 14, 15]
        for names in (NAMES, ("node", "line"), NAMES):  # what was found between the parts is kept for the next time
            found = pl.concat(list(table.batches(names)))
            assert found.equals(frame([1, 2, 4, 5, 6, 7, 8, 10, 12, 13, 14, 15])[list(names)])


def test_rows_that_are_all_in_memory_become_one_frame() -> None:
    found = one(ordered("DecodeBatch", [frame([2, 4]), frame([9])], [frame([3, 11])]))
    assert isinstance(found, pl.DataFrame)
    assert found["line"].to_list() == [2, 3, 4, 9, 11]


def test_many_rows_are_merged_alike() -> None:
    odd, even = frame(range(1, 9001, 2)), frame(range(2, 9001, 2))
    assert lines_of(ordered("DecodeBatch", [odd], [even])) == list(range(1, 9001))


def test_a_view_changes_rows_as_they_are_read_and_skips_files_that_it_does_not_see() -> None:
    def cut(rows: pl.DataFrame) -> pl.DataFrame:
        seen.append(rows["line"].to_list())
        return rows.filter(pl.col("line") > 3).with_columns(source=pl.lit("a.log"))

    seen: list[list[int]] = []
    with Spill() as spill:
        table = Table("DecodeBatch", [(spill.write(frame([1, 2])), ()), (spill.write(frame([3, 4])), ())])
        spill.settle()
        rows = [r for part in table.seen(View(("line",), cut, (4, 9))).batches(["source", "line"]) for r in part.rows()]
        assert rows == [("a.log", 4)]
    assert seen == [[3, 4]]


def test_tables_of_several_sources_follow_one_another() -> None:
    assert isinstance(together("DecodeBatch", [frame([1]), frame([2])]), pl.DataFrame)
    with Spill() as spill:
        file: File = spill.write(frame([3]))
        spill.settle()
        assert lines_of(together("DecodeBatch", [frame([1]), Table("DecodeBatch", [(file, ())])])) == [1, 3]


def test_a_file_whose_rows_come_newest_first_is_seen_by_its_lines() -> None:
    def all_of(rows: pl.DataFrame) -> pl.DataFrame:
        return rows.filter(pl.col("line").is_between(2, 3))

    with Spill() as spill:
        table = Table("DecodeBatch", [(spill.write(frame([9, 5, 1])), ()), (spill.write(frame([4, 3, 2])), ())])
        spill.settle()
        parts = list(table.seen(View(("line",), all_of, (2, 3))).batches(["line"]))
    assert [part["line"].to_list() for part in parts] == [[3, 2]]
