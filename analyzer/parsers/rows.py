"""Rows of steady-state lines, gathered into the frames of `analyzer.tables`."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from analyzer.tables import PLACE, TABLES

if TYPE_CHECKING:
    from collections.abc import Mapping

    import polars as pl

    from analyzer.evidence import Stamp
    from analyzer.records import Record

_TOGETHER = 10_000  # rows that become columns at once: a row as Python objects takes five times the room
_ZERO = datetime(1970, 1, 1)
_ZERO_UNDATED = datetime(1900, 1, 1)
_OWN = {table: tuple(name for name in columns if name not in PLACE) for table, columns in TABLES.items()}


class Rows:
    """The rows of one source by table."""

    def __init__(self) -> None:
        self._rows: dict[str, list[tuple[Any, ...]]] = {}
        self._frames: dict[str, list[pl.DataFrame]] = {}
        self._extended = False
        self._stamp: Stamp | None = None
        self._seconds: float | None = None

    def add(self, table: str, values: dict[str, Any], record: Record) -> None:
        """Adds one row; columns that the line does not give are null."""
        if record.stamp is not self._stamp:
            self._stamp, self._seconds = record.stamp, seconds(record.stamp)
        ref, rank = record.ref, record.rank
        place = (ref.line, ref.start, self._seconds, rank.dp, rank.pp, rank.tp, record.node)
        rows = self._rows.setdefault(table, [])
        rows.append(place + tuple(map(values.get, _OWN[table])))
        if len(rows) >= _TOGETHER:
            self._frame(table)

    def extend(self, tables: Mapping[str, pl.DataFrame]) -> None:
        """Adds rows that are columns already, by line number; those added one by one may stand between them."""
        self._extended = True
        for table, frame in tables.items():
            parts = self._frames.setdefault(table, [])
            if self._rows.get(table):
                self._frame(table)
                parts.append(parts.pop().extend(frame).sort("line", maintain_order=True))
            else:
                parts.append(frame)

    def frames(self) -> dict[str, pl.DataFrame]:
        """All rows, in their order."""
        if not (self._rows or self._frames):
            return {}
        import polars as pl  # noqa: PLC0415 - costs 140 ms, and most sources have no rows

        for table in list(self._rows):
            self._frame(table)
        found = {table: pl.concat(parts) for table, parts in self._frames.items()}
        for table, frame in found.items():
            if self._extended and not frame["line"].is_sorted():
                found[table] = frame.sort("line", maintain_order=True)
        return found

    def _frame(self, table: str) -> None:
        """Makes columns of the rows added one by one."""
        import polars as pl  # noqa: PLC0415 - see `frames`

        types = {"int": pl.Int64, "float": pl.Float64, "text": pl.String, "bool": pl.Boolean}
        columns = zip(*self._rows.pop(table), strict=True)
        series = [
            pl.Series(name, values, types[kind], strict=False)
            for (name, kind), values in zip(TABLES[table].items(), columns, strict=True)
        ]
        self._frames.setdefault(table, []).append(pl.DataFrame(series))


def seconds(stamp: Stamp | None) -> float | None:
    """A stamp's local time as seconds since 1970, an undated one's since midnight."""
    if stamp is None:
        return None
    return (stamp.moment - (_ZERO if stamp.dated else _ZERO_UNDATED)).total_seconds()
