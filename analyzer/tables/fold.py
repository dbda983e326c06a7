"""Figures over many rows that are read a part at a time, in memory that does not grow with them."""

from __future__ import annotations

from collections import Counter
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import polars as pl

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_MANY = 2_000_000  # values that are put in order at once: 16 MB
_STEPS = 4096


def stretches(parts: Iterable[pl.DataFrame], size: int) -> Iterator[pl.DataFrame]:
    """The rows of all parts, `size` at a time; fewer at the end."""
    held: list[pl.DataFrame] = []
    for part in parts:
        held.append(part)
        if sum(frame.height for frame in held) < size:
            continue
        rows = pl.concat(held)
        whole = rows.height - rows.height % size
        yield from (rows.slice(begin, size) for begin in range(0, whole, size))
        held = [rows.slice(whole)] if whole < rows.height else []
    if held:
        yield pl.concat(held)


class Middle:
    """The median of finite numbers that come a part at a time; of very many, they have to come again."""

    def __init__(self) -> None:
        self._held: list[pl.Series] = []
        self._count = 0
        self._ends: list[tuple[float, float]] = []

    def add(self, values: pl.Series) -> None:
        """Further numbers."""
        if len(values):
            self._ends.append((_number(values.min()), _number(values.max())))
            self._count += len(values)
            self._held = [*self._held, values] if self._count <= _MANY else []

    def value(self, again: Callable[[], Iterator[pl.Series]]) -> float | None:
        """The middle of all numbers, each call of `again` giving all of them; `None` where there are none."""
        if self._held:
            return _number(pl.concat(self._held).median())
        if not self._ends:
            return None
        return _middle(again, self._count, min(low for low, _ in self._ends), max(high for _, high in self._ends))


def _number(value: object) -> float:
    return float(value) if isinstance(value, (int, float)) else 0.0


def _middle(values: Callable[[], Iterator[pl.Series]], count: int, least: float, most: float) -> float:
    """The middle of very many numbers: how many lie in each of many steps, then those of the middle step in order."""
    if least == most:
        return least
    wanted = ((count - 1) // 2, count // 2)
    sizes: Counter[int] = Counter()
    for part in values():
        sizes.update(_counted(_steps(part, least, most)))
    steps = sorted(sizes)
    ends = list(accumulate(sizes[step] for step in steps))
    places = [next(index for index, end in enumerate(ends) if end > rank) for rank in wanted]
    inside: Counter[float] = Counter()
    for part in values():
        inside.update(_counted(part.filter(_steps(part, least, most).is_in([steps[place] for place in places]))))
    before = ends[places[0]] - sizes[steps[places[0]]]
    ordered = sorted(inside)
    reach = list(accumulate(inside[value] for value in ordered))
    both = [next(value for value, end in zip(ordered, reach, strict=True) if before + end > rank) for rank in wanted]
    return sum(both) / 2


def _steps(values: pl.Series, least: float, most: float) -> pl.Series:
    """In which of many equal steps from the least to the most each value lies."""
    return ((values - least) * (_STEPS / (most - least))).cast(pl.Int64)


def _counted(values: pl.Series) -> dict[Any, int]:
    return dict(values.value_counts(name="count").rows())
