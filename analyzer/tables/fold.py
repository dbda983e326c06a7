"""Figures over many rows that are read a part at a time, in memory that does not grow with them."""

from __future__ import annotations

from math import isfinite, isqrt
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import polars as pl

from analyzer.evidence import Ref

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

HELD = 1 << 16  # values of one column that are held: 512 KB
_SOME = 3  # of more, every third: ranks that take turns are mostly 2, 4, 8, and each is met alike


def finite(rows: pl.DataFrame, column: str) -> pl.DataFrame:
    """The rows with a finite number in a column."""
    known = rows.drop_nulls(column) if rows[column].null_count() else rows
    if isfinite(number(known[column].sum())):  # quicker than to look at each; sums of finite numbers may overflow
        return known
    return known.filter(known[column].is_finite())


def number(value: object) -> float:
    """What a fold of polars gives; 0 for nothing."""
    return float(value) if isinstance(value, (int, float)) else 0.0


def place(rows: pl.DataFrame, index: int) -> Ref:
    """The line of a row."""
    row = rows.row(index, named=True)
    return Ref(row["source"], row["line"], row["line"], row["start"])


def grouped(rows: pl.DataFrame, keys: Sequence[str], figure: pl.Expr) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """The keys of each group of rows, and a figure of it; what is alike in all rows is not compared row by row."""
    if not rows.height:
        return
    alike = dict(zip(keys, rows[list(keys)].row(0), strict=True))
    apart = [key for key in keys if not _alike(rows[key])]
    found = rows.group_by(apart, maintain_order=True).agg(figure) if apart else rows.select(figure)
    for *group, value in found.rows():
        yield tuple((alike | dict(zip(apart, group, strict=True))).values()), value


def _alike(values: pl.Series) -> bool:
    nulls = values.null_count()
    return nulls == len(values) or (not nulls and values.min() == values.max())


class Fold:
    """How many numbers a column has, their least, most and sum, and the first and last line, a part at a time."""

    def __init__(self) -> None:
        self.rows = 0
        self.least = float("inf")
        self.most = float("-inf")
        self.ends: tuple[Ref, Ref] | None = None
        self._totals: list[float] = []

    def add(self, rows: pl.DataFrame, column: str) -> None:
        """Further rows, with their places; none lacks its number."""
        if not rows.height:
            return
        values = rows[column]
        self.rows += rows.height
        self.least = min(self.least, number(values.min()))
        self.most = max(self.most, number(values.max()))
        self._totals.append(number(values.sum()))
        self.ends = (self.ends[0] if self.ends else place(rows, 0), place(rows, -1))

    @property
    def total(self) -> float:
        """The sum."""
        return sum(self._totals)


class Middle:
    """The median of finite numbers that come a part at a time; of very many, they have to come a second time.

    Of those an even sample is held. It tells two of them between which the middle of all must lie; the second time,
    the numbers below are counted and those between are held.
    """

    def __init__(self) -> None:
        self._count = 0
        self._every = 1
        self._size = 0
        self._held: list[pl.Series] = []
        self._near: _Near | None = None

    def add(self, values: pl.Series) -> None:
        """Further numbers."""
        taken = values.gather_every(self._every)
        self._count += len(values)
        self._size += len(taken)
        self._held.append(taken)
        while self._size > HELD:
            self._every *= _SOME
            self._held = [pl.concat(self._held).gather_every(_SOME)]
            self._size = len(self._held[0])

    @property
    def known(self) -> bool:
        """Whether no number has to come a second time."""
        return self._every == 1

    def add_again(self, values: pl.Series) -> None:
        """Further numbers, the second time."""
        if self._near is None:
            self._near = self._around()
        self._near.add(values)

    def _around(self) -> _Near:
        ordered = pl.concat(self._held).sort()
        # The middle of a random sample is off by half the root of its size: here by no more than five times as much.
        margin, middle = 5 * isqrt(self._size) // 2 + 1, self._size // 2
        return _Near(ordered[max(0, middle - margin)], ordered[min(self._size - 1, middle + margin)])

    def value(self, again: Callable[[], Iterable[pl.Series]]) -> float | None:
        """The middle; `None` where there are no numbers. `again` gives all of them, where the sample was not even."""
        if self.known:
            return _median(self._held) if self._count else None
        found = self._near.middle(self._count) if self._near is not None else None
        return _median(list(again())) if found is None else found


class _Near:
    """How many numbers lie below two of them and at each, and those that lie between."""

    def __init__(self, low: float, high: float) -> None:
        self._ends = low, high
        self._below = self._at_low = self._at_high = 0
        self._between: list[pl.Series] = []

    def add(self, values: pl.Series) -> None:
        low, high = self._ends
        self._below += int((values < low).sum())
        self._at_low += int((values == low).sum())
        self._at_high += int((values == high).sum()) if high > low else 0
        self._between.append(values.filter((values > low) & (values < high)))

    def middle(self, count: int) -> float | None:
        """The middle of all `count` numbers; `None` where it does not lie between the two."""
        low, high = self._ends
        between = pl.concat(self._between).sort()
        inside = self._below + self._at_low
        above = inside + len(between)
        ranks = (count - 1) // 2, count // 2
        if ranks[0] < self._below or ranks[1] >= above + self._at_high:
            return None
        both = [low if rank < inside else between[rank - inside] if rank < above else high for rank in ranks]
        return _median([pl.Series(both)])


def _median(parts: list[pl.Series]) -> float:
    return number(pl.concat(parts).median())


class Extremes:
    """The least and the most of every stretch of so many numbers, each beside its time; all of them for a size of 1."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._rest: pl.DataFrame | None = None
        self._points: list[tuple[float, float]] = []

    def add(self, rows: pl.DataFrame) -> None:
        """Further rows of a time and a number."""
        rows = pl.concat([self._rest, rows]) if self._rest is not None else rows
        whole = rows.height - rows.height % self._size
        self._take(rows.head(whole), self._size)
        self._rest = rows.slice(whole) if whole < rows.height else None

    def points(self) -> list[tuple[float, float]]:
        """Time and number of all that were found, in order of time; the last stretch may be shorter."""
        if self._rest is not None:
            self._take(self._rest, self._rest.height)
            self._rest = None
        return sorted(self._points, key=itemgetter(0))

    def _take(self, rows: pl.DataFrame, size: int) -> None:
        """Rows in whole stretches."""
        if not rows.height:
            return
        stretches = pl.col(rows.columns[1]).reshape((-1, size)).arr
        ends = rows.select(least=stretches.arg_min(), most=stretches.arg_max()).rows()
        chosen = sorted({index * size + end for index, both in enumerate(ends) for end in both})
        self._points += [rows.row(index) for index in chosen]
