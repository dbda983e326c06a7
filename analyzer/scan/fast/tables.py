"""The rows of steady lines, gathered over many chunks and made frames of `analyzer.tables` by the hundred thousand."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from analyzer.scan.fast.access import Tails
from analyzer.tables import TABLES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from analyzer.evidence import Rank
    from analyzer.scan.fast.template import Columns, Template
    from analyzer.scan.fast.words import Positions

_TYPES = {"int": pl.Int64, "float": pl.Float64, "text": pl.String, "bool": pl.Boolean}
_RANKS = ("dp", "pp", "tp")


class Lines(NamedTuple):
    """Where rows stand: line numbers, byte offsets, seconds, and labels of ranks (below zero for none)."""

    number: Positions
    start: Positions
    seconds: NDArray[np.float64]
    label: Positions


class Gathered:
    """Rows by the form of their lines. `count` says how many there are."""

    def __init__(self, ranks: list[Rank]) -> None:
        self.count = 0
        self._ranks = ranks
        self._parts: dict[int, list[tuple[Lines, Columns]]] = {}
        self._forms: dict[int, Template | Tails] = {}

    def add(self, form: Template | Tails, lines: Lines, columns: Columns) -> None:
        """Adds rows of one form."""
        self._forms[id(form)] = form
        self._parts.setdefault(id(form), []).append((lines, columns))
        self.count += len(lines.number)

    def take(self) -> tuple[dict[str, pl.DataFrame], Counter[str]]:
        """The rows by table, in the order of lines, and how often keys occurred that no column takes."""
        frames: dict[str, list[pl.DataFrame]] = {}
        unknown: Counter[str] = Counter()
        for key, parts in self._parts.items():
            form = self._forms[key]
            frame = _in_order(self._frame(form, parts))
            frames.setdefault("Access" if isinstance(form, Tails) else form.table, []).append(frame)
            if not isinstance(form, Tails):
                unknown.update({name: count * frame.height for name, count in form.unknown.items()})
        self._parts.clear()
        self.count = 0
        return {name: found[0] if len(found) == 1 else _merged(found) for name, found in frames.items()}, unknown

    def _frame(self, form: Template | Tails, parts: Sequence[tuple[Lines, Columns]]) -> pl.DataFrame:
        number, start, seconds, label = (np.concatenate([lines[n] for lines, _ in parts]) for n in range(4))
        given = {"line": pl.Series(number), "start": pl.Series(start), "time_s": pl.Series(seconds)}
        given |= {name: self._numbers(name, label) for name in _RANKS}
        given["node"] = pl.repeat("", len(number), dtype=pl.String, eager=True)
        columns = {name: np.concatenate([found[name] for _, found in parts]) for name in parts[0][1]}
        table = "Access" if isinstance(form, Tails) else form.table
        if isinstance(form, Tails):
            given["path"] = pl.Series(form.paths, dtype=pl.String).gather(pl.Series(columns["tail"]))
            given["status_count"] = pl.Series(np.array(form.status)[columns["tail"]])
        else:
            given |= {name: pl.Series(values) for name, values in columns.items()}
        return pl.DataFrame([_column(given, name, kind, len(number)) for name, kind in TABLES[table].items()])

    def _numbers(self, name: str, label: Positions) -> pl.Series:
        """One of the numbers of each row's rank, null where it has none."""
        said = [getattr(rank, name) for rank in self._ranks]
        told = np.array([*(np.nan if number is None else number for number in said), np.nan])  # the last: no rank
        if np.isnan(told).all():
            return pl.repeat(None, len(label), dtype=pl.Int64, eager=True)
        return pl.Series(told[label], nan_to_null=True).cast(pl.Int64)


def _column(given: dict[str, pl.Series], name: str, kind: str, count: int) -> pl.Series:
    found = given.get(name)
    if found is None:
        return pl.repeat(None, count, dtype=_TYPES[kind], eager=True).alias(name)
    return found.alias(name)


def _in_order(frame: pl.DataFrame) -> pl.DataFrame:
    """The rows in the order of lines: access lines with and without a header have one form, and come apart."""
    return frame if frame["line"].is_sorted() else frame.sort("line")


def _merged(frames: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """The rows of several forms in the order of lines; mostly one form is over when the next begins."""
    ordered = sorted(frames, key=lambda frame: int(frame["line"][0]))
    together = pl.concat(ordered)
    if all(int(one["line"][-1]) < int(other["line"][0]) for one, other in pairwise(ordered)):
        return together
    return together.sort("line")
