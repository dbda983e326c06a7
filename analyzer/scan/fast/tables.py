"""The rows of steady lines, gathered over many chunks and made frames of `analyzer.tables` by the hundred thousand."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import polars as pl

from analyzer.scan.fast.compiled import address, addresses
from analyzer.scan.fast.forms import WIDTHS
from analyzer.scan.fast.layout import Rows
from analyzer.tables import OWN, TABLES
from analyzer.tables.table import TYPES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analyzer.scan.fast.chunk import Chunk, Floats, Ints
    from analyzer.scan.fast.layout import Place
    from analyzer.scan.fast.memory import Memory
    from analyzer.scan.fast.outer import Outer

ROWS = 64 * 1024  # that become frames at once
_CHUNKS = 2  # whose rows have room in one piece of memory: more would be cleared in vain
_RANKS = ("dp", "pp", "tp")
_Number = TypeVar("_Number", bound=np.generic)


class Part:
    """Rows of one table, `count` of them by now: line numbers, byte offsets, seconds, labels of ranks, values.

    `columns` are the numbers that the values have in a chunk.
    """

    def __init__(self, columns: tuple[int, ...], room: int) -> None:
        self.columns = columns
        self.count = 0
        self._room = room
        self._numbers = np.array(columns, np.int64)
        self._places = np.empty((3, room), np.int64)
        self._seconds = np.empty(room)
        self._values = np.empty((len(columns), room))

    def takes(self, columns: tuple[int, ...], count: int) -> bool:
        """Whether so many further rows with these values have room."""
        return columns == self.columns and self.count + count <= self._room

    def behind(self) -> Rows:
        """Where the next row is to be written."""
        rows = (*self._places, self._seconds, self._values)
        places = [each + self.count * self._seconds.itemsize for each in addresses(rows)]
        return Rows(len(self.columns), self._room, address(self._numbers), *places)

    def stand(self, count: int, place: Place, outer: Outer) -> None:
        """Has the next rows, written for lines without their wrappers, stand where and when those have them."""
        rows = slice(self.count, self.count + count)
        lines = self._places[0, rows] - place.number
        self._places[1, rows] = outer.starts(lines) + place.start
        self._seconds[rows] = outer.seconds(lines, self._seconds[rows])

    def place(self, which: int) -> Ints:
        """The line numbers, the byte offsets or the labels."""
        places: Ints = self._places[which, : self.count]
        return places

    @property
    def seconds(self) -> Floats:
        """The time of every row."""
        return self._seconds[: self.count]

    def column(self, number: int) -> Floats:
        """One of the values of every row."""
        if number not in self.columns:
            return np.full(self.count, np.nan)
        values: Floats = self._values[self.columns.index(number), : self.count]
        return values


class Gathered:
    """Rows by table, until they are enough for a frame."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._parts: dict[str, list[Part]] = {}

    def add(self, chunk: Chunk, dated: Ints, place: Place, outer: Outer | None = None) -> None:
        """Adds the rows of a chunk that stands at this place; `dated` says which line prints the time of each.

        `outer` is what the wrappers of its lines say.
        """
        for table, name in enumerate(WIDTHS):
            if room := chunk.count(table):
                part = self._part(name, room)
                count = chunk.take(table, dated, place, part.behind())
                if outer is not None:
                    part.stand(count, place, outer)
                part.count += count

    def _part(self, name: str, room: int) -> Part:
        """Where so many rows of a table have room."""
        columns, parts = self._memory.columns(name), self._parts.setdefault(name, [])
        if not parts or not parts[-1].takes(columns, room):
            parts.append(Part(columns, _CHUNKS * room))
        return parts[-1]

    @property
    def full(self) -> bool:
        """Whether a table has enough."""
        return any(_count(parts) >= ROWS for parts in self._parts.values())

    def take(self, *, full: bool = False) -> tuple[dict[str, pl.DataFrame], Counter[str]]:
        """The rows by table, in the order of lines, and how often keys occurred that no column takes.

        `full`: only those of tables that have enough.
        """
        unknown: Counter[str] = Counter()
        least = ROWS if full else 1
        names = [name for name, parts in self._parts.items() if _count(parts) >= least]
        frames = {name: self._frame(name, self._parts.pop(name), unknown) for name in names}
        return frames, unknown

    def _frame(self, name: str, parts: list[Part], unknown: Counter[str]) -> pl.DataFrame:
        number, start, label = (_joined([part.place(which) for part in parts]) for which in range(3))
        seconds = _joined([part.seconds for part in parts])
        given = {"line": pl.Series(number), "start": pl.Series(start), "time_s": pl.Series(seconds)}
        given |= {rank: told for rank in _RANKS if (told := self._numbers(rank, label)) is not None}
        if node := self._memory.known.node:
            given["node"] = pl.repeat(node, len(number), dtype=pl.String, eager=True)
        forms = _joined([part.column(0) for part in parts]).astype(np.int64)
        if name == "Access":
            given |= self._answers(forms)
        else:
            for column in sorted({column for part in parts for column in part.columns} - {0}):
                values = _joined([part.column(column) for part in parts])
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


def _count(parts: list[Part]) -> int:
    return sum(part.count for part in parts)


def _joined(parts: list[NDArray[_Number]]) -> NDArray[_Number]:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)
