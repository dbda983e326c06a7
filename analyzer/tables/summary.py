"""What the rows of a table come to: the figures, ranks and ends that several readers ask for, found together."""

from __future__ import annotations

from collections import Counter
from operator import itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple

import polars as pl

from analyzer.tables.fold import Extremes, Fold, Middle, finite, grouped, place
from analyzer.tables.table import batches

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.evidence import Ref
    from analyzer.tables.table import Rows

FIGURES: Final[dict[str, tuple[str, ...]]] = {
    "DecodeBatch": (
        "running_count",
        "queue_count",
        "tokens_token",
        "usage_ratio",
        "throughput_token_per_s",
        "accept_len_count",
    ),
    "PrefillBatch": ("throughput_token_per_s",),
}
CURVES: Final[dict[str, tuple[str, ...]]] = {
    "DecodeBatch": ("throughput_token_per_s", "usage_ratio", "running_count", "queue_count")
}
POINTS = 800  # a chart has no room for more
_PLACE = ("source", "line", "start", "time_s")
_RANK = ("node", "dp", "pp", "tp")


class Column(NamedTuple):
    """The finite numbers of a column, and the lines of the first and the last of them.

    `curve` has a time and a number for each row with a time; of many, the least and the most of every stretch.
    """

    rows: int
    least: float
    middle: float
    most: float
    total: float
    first: Ref
    last: Ref
    curve: list[tuple[float, float]]


class Summary(NamedTuple):
    """A table in short.

    `columns` holds what was asked for, `None` where no row has a number there. `ranks` counts the rows of each node,
    DP, PP and TP rank, `lines` has the first and the last line of each source. `ends` are the first of the earliest and
    the last of the latest rows, with their times; none where no row has a time.
    """

    columns: dict[str, Column | None]
    ranks: Counter[tuple[object, ...]]
    lines: dict[str, tuple[int, int]]
    ends: tuple[tuple[float, Ref], ...]


def summary(rows: Rows, figures: Sequence[str] = (), curves: Sequence[str] = ()) -> Summary:
    """All of it; `figures` are the columns to fold, `curves` those of them that make curves."""
    folds = {name: _Column(name, drawn=name in curves) for name in figures}
    ranks: Counter[tuple[object, ...]] = Counter()
    lines: dict[str, tuple[int, int]] = {}
    ends: list[tuple[tuple[float, Ref], tuple[float, Ref]]] = []
    for part in batches(rows, [*_PLACE, *_RANK, *figures]):
        dated = _dated(part)
        ends += [_ends(dated)] if dated.height else []
        ranks.update(dict(grouped(part, _RANK, pl.len())))
        for (source,), line in grouped(part, ("source",), pl.col("line").min()):
            lines[source] = min(lines.get(source, (line, line))[0], line), lines.get(source, (line, line))[1]
        for (source,), line in grouped(part, ("source",), pl.col("line").max()):
            lines[source] = lines[source][0], max(lines[source][1], line)
        for column in folds.values():
            column.add(part, dated)
    again = {name: column for name, column in folds.items() if column.wants_more}
    for part in batches(rows, ["time_s", *again]) if again else ():
        dated = _dated(part)
        in_time = dated if dated["time_s"].is_sorted() else dated.sort("time_s", maintain_order=True)
        for column in again.values():
            column.add_again(part, in_time)
    columns = {name: column.told(rows) for name, column in folds.items()}
    earliest = min((first for first, _ in ends), key=itemgetter(0), default=None)
    latest = max((last for _, last in reversed(ends)), key=itemgetter(0), default=None)
    return Summary(columns, ranks, lines, (earliest, latest) if earliest and latest else ())


class _Column:
    """What becomes known of a column: by all parts, and by all parts once more where it `wants_more`."""

    def __init__(self, name: str, *, drawn: bool) -> None:
        self._fold = Fold()
        self._name = name
        self._drawn = drawn
        self._dated = 0
        self._middle = Middle()
        self._extremes: Extremes | None = None

    def add(self, part: pl.DataFrame, dated: pl.DataFrame) -> None:
        known = finite(part[[*_PLACE, self._name]], self._name)
        self._fold.add(known, self._name)
        self._middle.add(known[self._name])
        self._dated += known.height if dated is part else self._points(dated).height

    @property
    def wants_more(self) -> bool:
        return self._fold.rows > 0 and (self._drawn or not self._middle.known)

    def add_again(self, part: pl.DataFrame, in_time: pl.DataFrame) -> None:
        if not self._middle.known:
            self._middle.add_again(self._values(part))
        if self._drawn:
            self._extremes = self._extremes or Extremes(_stretch(self._dated))
            self._extremes.add(self._points(in_time))

    def _values(self, part: pl.DataFrame) -> pl.Series:
        return finite(part[[self._name]], self._name)[self._name]

    def _points(self, dated: pl.DataFrame) -> pl.DataFrame:
        return finite(dated[["time_s", self._name]], self._name)

    def told(self, rows: Rows) -> Column | None:
        fold = self._fold
        middle = self._middle.value(lambda: (self._values(part) for part in batches(rows, [self._name])))
        if middle is None or fold.ends is None:
            return None
        curve = self._extremes.points() if self._extremes else []
        return Column(fold.rows, fold.least, middle, fold.most, fold.total, *fold.ends, curve)


def _stretch(count: int) -> int:
    """How many points give their least and their most where there is no room for all."""
    return -(-count // (POINTS // 2)) if count > POINTS else 1


def _dated(part: pl.DataFrame) -> pl.DataFrame:
    return part.drop_nulls("time_s") if part["time_s"].null_count() else part


def _ends(dated: pl.DataFrame) -> tuple[tuple[float, Ref], tuple[float, Ref]]:
    """Time and line of the first of the earliest rows and of the last of the latest."""
    times, first, last = dated["time_s"], 0, dated.height - 1
    if not times.is_sorted():
        first, last = times.arg_min() or 0, last - (times.reverse().arg_max() or 0)
    return (times[first], place(dated, first)), (times[last], place(dated, last))
