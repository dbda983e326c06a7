"""A table in short says of all its parts together what each row says."""

from __future__ import annotations

from collections import Counter
from statistics import median
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.evidence import Ref
from analyzer.tables import fold
from analyzer.tables.summary import CURVES, FIGURES, POINTS, Column, summary
from analyzer.tables.table import Table
from tests.build import rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

USAGE = "usage_ratio"


def table(*parts: pl.DataFrame) -> Table:
    """The parts of a table that was cut out for a launch."""
    return Table("DecodeBatch", [(part, ()) for part in parts])


def test_a_column_that_nobody_prints_is_none() -> None:
    found = summary(rows("DecodeBatch", running_count=[1.0]), (USAGE,), (USAGE,))
    assert found.columns == {USAGE: None}
    assert found.ends == ()
    assert found.ranks == {("n0", None, None, None): 1}
    assert found.lines == {"server.log": (100, 100)}


def test_what_is_asked_for_is_in_the_tables() -> None:
    for name, figures in FIGURES.items():
        found = summary(rows(name, line=[7]), figures, CURVES.get(name, ()))
        assert found.columns == dict.fromkeys(figures)


def test_a_column_has_its_figures_lines_and_curve() -> None:
    early = rows("DecodeBatch", line=[3, 5], start=[20, 70], time_s=[8.0, 7.0], usage_ratio=[None, 0.25])
    late = rows("DecodeBatch", line=[8, 9], start=[90, 99], time_s=[9.0, None], usage_ratio=[0.75, 0.5])
    found = summary(table(early, late), (USAGE,), (USAGE,)).columns[USAGE]
    assert found is not None
    assert (found.rows, found.least, found.middle, found.most, found.total) == (3, 0.25, 0.5, 0.75, 1.5)
    assert (found.first, found.last) == (Ref("server.log", 5, 5, 70), Ref("server.log", 9, 9, 99))
    assert found.curve == [(7.0, 0.25), (9.0, 0.75)]


def test_a_column_that_is_not_asked_for_a_curve_has_none() -> None:
    found = summary(rows("DecodeBatch", time_s=[1.0], usage_ratio=[0.5]), (USAGE,)).columns[USAGE]
    assert found is not None
    assert found.curve == []


def test_of_rows_at_one_time_the_first_is_the_earliest_and_the_last_the_latest() -> None:
    early = rows("DecodeBatch", line=[1, 2, 3], time_s=[5.0, 5.0, 9.0])
    late = rows("DecodeBatch", line=[4, 5, 6], time_s=[9.0, 9.0, 5.0])
    assert summary(table(early, late)).ends == ((5.0, Ref("server.log", 1, 1)), (9.0, Ref("server.log", 5, 5)))


def test_each_source_has_its_first_and_its_last_line() -> None:
    frame = rows("Access", source=["a.log", "b.log", "a.log"], line=[4, 90, 7])
    assert summary(frame).lines == {"a.log": (4, 7), "b.log": (90, 90)}


def test_of_many_rows_every_least_and_most_is_on_the_curve_and_the_median_is_that_of_all() -> None:
    figures = [100.0] * 9_000 + [50.0] * 1_000
    figures[1_234], figures[7_777] = 900.0, 1.0
    frame = rows("DecodeBatch", time_s=[float(n) for n in range(10_000)], usage_ratio=figures)
    found = summary(frame, (USAGE,), (USAGE,)).columns[USAGE]
    assert found is not None
    assert len(found.curve) <= POINTS
    assert found.curve == sorted(found.curve)
    assert {(1_234.0, 900.0), (7_777.0, 1.0)} <= set(found.curve)
    assert found.middle == 100.0, "nine of ten lines say so"


ROW = st.tuples(
    st.one_of(st.none(), st.integers(0, 9)), st.one_of(st.none(), st.integers(0, 9)), st.sampled_from([None, 0, 1])
)


@given(st.lists(st.lists(ROW, min_size=1, max_size=9), min_size=1, max_size=5))
def test_parts_come_to_what_all_rows_come_to(parts: list[list[tuple[int | None, int | None, int | None]]]) -> None:
    frames, line = [], 1
    for part in parts:
        times, values, ranks = zip(*part, strict=True)
        lines = list(range(line, line + len(part)))
        frames.append(rows("DecodeBatch", line=lines, time_s=times, usage_ratio=values, tp=ranks))
        line += len(part)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fold, "HELD", 4)
        found = summary(table(*frames), (USAGE,), (USAGE,))
    everything = [row for part in parts for row in part]
    assert found.ranks == Counter(("n0", None, None, rank) for _, _, rank in everything)
    assert found.lines == {"server.log": (1, len(everything))}
    _same(found.columns[USAGE], [value for _, value, _ in everything])


def _same(found: Column | None, values: Sequence[int | None]) -> None:
    told = [value for value in values if value is not None]
    if found is None:
        assert not told
        return
    lines = [line for line, value in enumerate(values, 1) if value is not None]
    ends = Ref("server.log", lines[0], lines[0]), Ref("server.log", lines[-1], lines[-1])
    assert found[:7] == (len(told), min(told), median(told), max(told), sum(told), *ends)
