"""The rows of one table, however many: some in memory, most in files, read back a part at a time."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import polars as pl

from analyzer.tables import TABLES
from analyzer.tables.spill import File

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

_FEW = 2_000
_NO_LINE = 2**62
TYPES = {"int": pl.Int64, "float": pl.Float64, "text": pl.String, "bool": pl.Boolean}


class View(NamedTuple):
    """A change to every part of a table: which columns it looks at, and what it makes of a frame that has them.

    It makes nothing of rows that do not lie within `lines`.
    """

    needs: tuple[str, ...]
    of: Callable[[pl.DataFrame], pl.DataFrame]
    lines: tuple[int, int] | None = None

    def blind(self, part: pl.DataFrame | File) -> bool:
        """Whether it makes nothing of a part."""
        return self.lines is not None and isinstance(part, File) and not _meet(self.lines, part.span)


class Table:
    """Rows of the table `name`, in the order of their lines; parts are changed by their views as they are read."""

    def __init__(self, name: str, parts: Iterable[tuple[pl.DataFrame | File, tuple[View, ...]]]) -> None:
        self.name = name
        self.parts = list(parts)

    def batches(self, columns: Iterable[str]) -> Iterator[pl.DataFrame]:
        """The rows, a few hundred thousand at a time, with these columns."""
        names = list(columns)
        for part, views in self.parts:
            if any(view.blind(part) for view in views):
                continue
            frame = _whole(part, self.name, [*names, *(name for view in views for name in view.needs)])
            for view in views:
                frame = view.of(frame)
            if frame.height:
                yield frame[names]

    def seen(self, view: View) -> Table:
        """The same rows with a further view on them."""
        return Table(self.name, [(part, (*views, view)) for part, views in self.parts])


Rows: TypeAlias = pl.DataFrame | Table


def batches(rows: Rows, columns: Iterable[str]) -> Iterator[pl.DataFrame]:
    """The rows a part at a time, with these columns; those in memory as one part. Empty parts are left out."""
    if isinstance(rows, Table):
        yield from rows.batches(columns)
    elif rows.height:
        yield rows[list(columns)]


def together(name: str, pieces: Iterable[Rows]) -> Rows:
    """The rows of all pieces, one after another."""
    found = list(pieces)
    frames = [piece for piece in found if not isinstance(piece, Table)]
    if len(frames) == len(found):
        return pl.concat(frames, how="diagonal_relaxed")
    parts = [piece.parts if isinstance(piece, Table) else [(piece, ())] for piece in found]
    return Table(name, [part for several in parts for part in several])


def ordered(name: str, columns: Sequence[pl.DataFrame | File], others: Sequence[pl.DataFrame | File]) -> Table:
    """The parts of `columns`, which follow one another, with the rows of `others` at their lines between them.

    `others` alone stay as they are.
    """
    if not columns:
        return Table(name, [(part, ()) for part in others])
    ends = [0, *(_last_line(part) for part in columns[:-1]), _NO_LINE]
    return Table(
        name, [(part, _between(name, others, *span)) for part, span in zip(columns, pairwise(ends), strict=True)]
    )


def _between(name: str, others: Sequence[pl.DataFrame | File], begin: int, end: int) -> tuple[View, ...]:
    """A view that puts those of other rows in their places that lie behind one line, and not behind another."""
    near = [part for part in others if _first_line(part) <= end and _last_line(part) > begin]
    held: list[tuple[pl.DataFrame, list[int]]] = []

    def between(columns: Sequence[str]) -> pl.DataFrame:
        found = [_whole(part, name, columns)[columns] for part in near]
        rows = pl.concat([few.filter((few["line"] > begin) & (few["line"] <= end)) for few in found])
        return rows.sort("line", maintain_order=True) if len(found) > 1 else rows

    def merge(many: pl.DataFrame) -> pl.DataFrame:
        if not held:
            rows = between(many.columns)
            if rows.height > _FEW:
                return pl.concat([many, rows]).sort("line", maintain_order=True)
            held.append((between(list(TABLES[name])), many["line"].search_sorted(rows["line"]).to_list()))
        few, places = held[0]
        return _put(few[many.columns], places, many) if places else many

    return (View(("line",), merge),) if near else ()


def _first_line(part: pl.DataFrame | File) -> int:
    return part.first if isinstance(part, File) else int(part["line"][0])


def _last_line(part: pl.DataFrame | File) -> int:
    return part.last if isinstance(part, File) else int(part["line"][-1])


def _meet(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] <= other[1] and other[0] <= one[1]


def _put(few: pl.DataFrame, places: Sequence[int], many: pl.DataFrame) -> pl.DataFrame:
    """The rows of both, those of `few` before the rows of `many` at these places; to cut is quicker than to sort."""
    parts, begin, first = [], 0, 0
    for end, several in Counter(places).items():
        parts += [many.slice(begin, end - begin), few.slice(first, several)]
        begin, first = end, first + several
    return pl.concat([*parts, many.slice(begin)])


def one(rows: Table) -> Rows:
    """The rows as one frame, where none of them is in a file."""
    if any(isinstance(part, File) for part, _ in rows.parts):
        return rows
    return pl.concat(list(rows.batches(TABLES[rows.name])), rechunk=True)


def _whole(part: pl.DataFrame | File, table: str, names: Iterable[str]) -> pl.DataFrame:
    """The part with the columns of the table that are named; one that was not worth keeping is null, the node empty."""
    wanted = [name for name in dict.fromkeys(names) if name in TABLES[table]]
    if isinstance(part, File):
        part = part.read(wanted)
    missing = [name for name in wanted if name not in part.columns]
    if not missing:
        return part
    nothing = {name: "" if name == "node" else None for name in missing}
    return part.with_columns(pl.lit(nothing[name], TYPES[TABLES[table][name]]).alias(name) for name in missing)
