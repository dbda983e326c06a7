"""Figures over rows that come a part at a time are those over all of them."""

from __future__ import annotations

from collections import Counter
from statistics import median

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.evidence import Ref
from analyzer.tables import fold

PARTS = st.lists(st.lists(st.integers(-50, 50).map(lambda n: n / 4), max_size=30), max_size=8)
INFINITE, NAN = float("inf"), float("nan")


def middle(parts: list[list[float]], held: int) -> float | None:
    """The middle where no more than so many numbers are held."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fold, "HELD", held)
        found = fold.Middle()
        series = [pl.Series(part, dtype=pl.Float64) for part in parts]
        for part in series:
            found.add(part)
        for part in series if not found.known else ():
            found.add_again(part)
        return found.value(lambda: series)


def rows(values: list[float | None], begin: int = 1) -> pl.DataFrame:
    """Rows of one source, ten bytes to a line."""
    lines = list(range(begin, begin + len(values)))
    starts = [10 * (line - 1) for line in lines]
    types = {"line": pl.Int64, "start": pl.Int64, "n": pl.Float64}
    return pl.DataFrame({"line": lines, "start": starts, "n": values}, types).with_columns(source=pl.lit("a.log"))


def test_nothing_has_no_middle() -> None:
    assert middle([], 10) is None
    assert middle([[]], 10) is None


@given(PARTS, st.sampled_from([1, 4, 20, 1000]))
def test_the_middle_is_that_of_all_numbers_however_few_are_held(parts: list[list[float]], held: int) -> None:
    everything = [value for part in parts for value in part]
    assert middle(parts, held) == (median(everything) if everything else None)


def test_numbers_in_step_with_the_sample_give_no_other_middle() -> None:
    # of 9,999 numbers 6,666 are 1 to 5, in turn, and every third is 100: the sample of those alone lies above
    numbers = [100.0 if n % 3 == 0 else n % 5 + 1.0 for n in range(9_999)]
    assert middle([numbers], 4_000) == median(numbers)
    assert median(numbers) < 100


def test_of_very_many_numbers_few_are_held_and_the_middle_is_exact() -> None:
    found = fold.Middle()
    parts = [pl.Series(range(begin, 1_000_000, 10), dtype=pl.Float64) for begin in range(10)]
    for part in parts:
        found.add(part)
    for part in parts:
        found.add_again(part)
    assert found.value(lambda: pytest.fail("no third time")) == 499_999.5  # between 499,999 and 500,000


def test_what_is_no_finite_number_is_left_out() -> None:
    assert fold.finite(rows([1.0, None, NAN, INFINITE, -INFINITE, 2.0]), "n")["n"].to_list() == [1.0, 2.0]
    assert fold.finite(rows([1e308, 1e308]), "n").height == 2, "whose sum is more than a float holds"
    assert fold.finite(rows([None]), "n").height == 0


def test_a_fold_knows_the_lines_of_its_ends() -> None:
    found = fold.Fold()
    for part in (rows([3.0, 5.0], begin=4), rows([], begin=6), rows([1.0], begin=9)):
        found.add(part, "n")
    assert (found.rows, found.least, found.most, found.total) == (3, 1.0, 5.0, 9.0)
    assert found.ends == (Ref("a.log", 4, 4, 30), Ref("a.log", 9, 9, 80))
    assert fold.Fold().ends is None


@given(st.lists(st.lists(st.integers(0, 9), max_size=20), max_size=6), st.integers(1, 9))
def test_of_every_stretch_the_first_least_and_the_first_most_are_kept(parts: list[list[int]], size: int) -> None:
    everything = [float(n) for part in parts for n in part]
    expected = []
    for begin in range(0, len(everything), size):
        stretch = everything[begin : begin + size]
        ends = {stretch.index(min(stretch)), stretch.index(max(stretch))}
        expected += [(float(begin + place), stretch[place]) for place in sorted(ends)]
    found, begin = fold.Extremes(size), 0
    for part in parts:
        times = [float(begin + n) for n in range(len(part))]
        found.add(pl.DataFrame({"time_s": times, "n": part}, {"time_s": pl.Float64, "n": pl.Float64}))
        begin += len(part)
    assert found.points() == expected


def test_points_are_in_the_order_of_time() -> None:
    found = fold.Extremes(2)
    found.add(pl.DataFrame({"time_s": [5.0, 6.0, 1.0], "n": [7.0, 8.0, 9.0]}))
    assert found.points() == [(1.0, 9.0), (5.0, 7.0), (6.0, 8.0)]


@given(st.lists(st.tuples(st.sampled_from(["a", "b"]), st.sampled_from([None, 0, 1]), st.just(None)), max_size=12))
def test_rows_are_counted_by_their_keys(keys: list[tuple[str, int | None, None]]) -> None:
    frame = pl.DataFrame(keys, {"node": pl.String, "dp": pl.Int64, "tp": pl.Int64}, orient="row")
    assert dict(fold.grouped(frame, ("node", "dp", "tp"), pl.len())) == Counter(keys)
