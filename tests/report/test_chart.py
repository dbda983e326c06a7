"""A chart stands under the bars' own axis and shows what its series holds."""

from __future__ import annotations

import pytest

from analyzer.contract import Series
from analyzer.report.bars import Axis
from analyzer.report.chart import ROWS, chart
from analyzer.report.page import LABEL, Look, printed

LOOK = Look(100)
AXIS = Axis(1000.0, LOOK.width - LABEL - 9)


def drawn(series: Series, look: Look = LOOK) -> list[str]:
    return printed(chart(series, AXIS, look), look).removesuffix("\n").split("\n")


def made(time: list[float], value: list[float], unit: str = "token/s") -> Series:
    return Series("generation throughput", unit, "n0", time, value, {})


def cells(line: str) -> list[int]:
    return [n - LABEL for n, sign in enumerate(line) if n >= LABEL and sign not in " \n"]


def test_an_empty_series_has_no_chart() -> None:
    assert chart(made([], []), AXIS, LOOK) == []


def test_a_chart_names_its_series_and_its_greatest_value() -> None:
    lines = drawn(made([0, 1000], [0, 930]))
    assert lines[0] == "generation throughput of n0"
    assert lines[1].strip().startswith("930 tok/s")
    assert len(lines) <= 1 + ROWS + 1


@pytest.mark.parametrize(("begin", "end"), [(0.0, 1000.0), (250.0, 500.0), (900.0, 990.0)])
def test_a_time_stands_in_the_column_that_the_bars_give_it(begin: float, end: float) -> None:
    columns = [cell for line in drawn(made([begin, end], [5, 5]))[1:] for cell in cells(line)]
    assert min(columns) == pytest.approx(AXIS.cell(begin), abs=1)
    assert max(columns) == pytest.approx(AXIS.cell(end), abs=1)


def test_a_silence_is_not_bridged() -> None:
    time = [float(t) for t in (*range(0, 200, 10), *range(800, 1000, 10))]
    columns = {cell for line in drawn(made(time, [5.0] * len(time)))[1:] for cell in cells(line)}
    assert not columns & set(range(AXIS.cell(250), AXIS.cell(750)))


def test_a_single_low_value_among_many_stays_visible() -> None:
    time = [t / 50 for t in range(50_000)]
    value = [0.0 if n == 25_000 else 100.0 for n in range(50_000)]
    lines = drawn(made(time, value))[1:]
    rows = {n for n, line in enumerate(lines) if AXIS.cell(500.0) in range(*_around(cells(line)))}
    assert max(rows) == ROWS, "the lowest row is reached"


def _around(columns: list[int]) -> tuple[int, int]:
    return (min(columns, default=0) - 1, max(columns, default=-2) + 2)


def test_what_is_no_number_is_left_out() -> None:
    assert drawn(made([0, 500, 1000], [5, float("nan"), 5])) == drawn(made([0, 1000], [5, 5]))


def test_nothing_but_ascii_where_only_ascii_prints() -> None:
    assert "".join(drawn(made([0, 1000], [1, 2]), Look(100, ascii=True))).isascii()


def test_what_lies_far_outside_the_axis_is_not_drawn_and_what_is_below_nothing_is() -> None:
    inside = made([0, 500, 1000], [5, 6, 5])
    outside = made([-1e9, 0, 500, 1000, 1e9], [5, 5, 6, 5, 5])
    assert drawn(outside) == drawn(inside)
    assert len(drawn(made([0, 1000], [-1e300, 1e300]))) <= 1 + ROWS + 1
