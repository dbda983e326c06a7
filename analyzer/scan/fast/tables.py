"""The rows of steady lines, gathered over many chunks and made frames of `analyzer.tables` by the hundred thousand."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from analyzer.scan.fast.compiled import addresses
from analyzer.scan.fast.forms import WIDTHS
from analyzer.scan.fast.layout import Rows
from analyzer.tables import OWN, TABLES
from analyzer.tables.table import TYPES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analyzer.scan.fast.chunk import Chunk, Floats, Ints
    from analyzer.scan.fast.layout import Place
    from analyzer.scan.fast.memory import Memory

ROWS = 64 * 1024  # that become frames at once
_RANKS = ("dp", "pp", "tp")


class Part(NamedTuple):
    """Rows of one table from one chunk: line numbers, byte offsets, seconds, labels of ranks, values.

    `columns` are the numbers that the values have in a chunk.
    """

    columns: tuple[int, ...]
    number: Ints
    start: Ints
    label: Ints
    seconds: Floats
    values: Floats

    def first(self, count: int) -> Part:
        """The first rows."""
        number, start, label = self.number[:count], self.start[:count], self.label[:count]
        return Part(self.columns, number, start, label, self.seconds[:count], self.values[:, :count])

    def column(self, number: int) -> Floats:
        """One of the values of every row."""
        if number not in self.columns:
            return np.full(len(self.number), np.nan)
        values: Floats = self.values[self.columns.index(number)]
        return values


class Gathered:
    """Rows by table, until they are `full`."""

    def __init__(self, memory: Memory) -> None:
        self._count = 0
        self._memory = memory
        self._parts: dict[str, list[Part]] = {}

    @property
    def full(self) -> bool:
        """Whether they are enough for frames."""
        return self._count >= ROWS

    def add(self, chunk: Chunk, dated: Ints, place: Place) -> None:
        """Adds the rows of a chunk that stands at this place; `dated` says which line prints the time of each."""
        for table, name in enumerate(WIDTHS):
            room = chunk.count(table)
            if room:
                columns = self._memory.columns(name)
                number, start, label = (np.empty(room, np.int64) for _ in range(3))
                part = Part(columns, number, start, label, np.empty(room), np.empty((len(columns), room)))
                held = (np.array(columns, np.int64), *part[1:])
                count = chunk.take(table, dated, place, Rows(len(columns), room, *addresses(held)))
                self._parts.setdefault(name, []).append(part.first(count))
                self._count += count

    def take(self) -> tuple[dict[str, pl.DataFrame], Counter[str]]:
        """The rows by table, in the order of lines, and how often keys occurred that no column takes."""
        unknown: Counter[str] = Counter()
        frames = {name: self._frame(name, parts, unknown) for name, parts in self._parts.items()}
        self._parts.clear()
        self._count = 0
        return frames, unknown

    def _frame(self, name: str, parts: list[Part], unknown: Counter[str]) -> pl.DataFrame:
        number, start, label, seconds = (np.concatenate([part[n] for part in parts]) for n in range(1, 5))
        given = {"line": pl.Series(number), "start": pl.Series(start), "time_s": pl.Series(seconds)}
        given |= {rank: told for rank in _RANKS if (told := self._numbers(rank, label)) is not None}
        forms = np.concatenate([part.column(0) for part in parts]).astype(np.int64)
        if name == "Access":
            given |= self._answers(forms)
        else:
            for column in sorted({column for part in parts for column in part.columns} - {0}):
                values = np.concatenate([part.column(column) for part in parts])
                given[OWN[name][column - 1]] = pl.Series(values, nan_to_null=True)
            self._count_unknown(forms, unknown)
        kinds = {column: kind for column, kind in TABLES[name].items() if column in given}  # the others say nothing
        return pl.DataFrame([given[column].cast(TYPES[kind]).alias(column) for column, kind in kinds.items()])

    def _answers(self, tail: Ints) -> dict[str, pl.Series]:
        paths = pl.Series(self._memory.tails.paths, dtype=pl.String)
        return {
            "path": paths.gather(pl.Series(tail)),
            "status_count": pl.Series(np.array(self._memory.tails.status)[tail]),
        }

    def _count_unknown(self, form: Ints, unknown: Counter[str]) -> None:
        for index, count in enumerate(np.bincount(form).tolist()):
            keys = self._memory.templates[index].unknown
            unknown.update({key: times * count for key, times in keys.items() if count})

    def _numbers(self, name: str, label: Ints) -> pl.Series | None:
        """One of the numbers of each row's rank, null where it has none; nothing where none has any."""
        said = [getattr(rank, name) for rank in self._memory.ranks]
        told: NDArray[np.float64] = np.array([*(np.nan if number is None else number for number in said), np.nan])
        if np.isnan(told).all():
            return None
        return pl.Series(told[label], nan_to_null=True).cast(pl.Int64)  # label -1, without a rank, is the last
