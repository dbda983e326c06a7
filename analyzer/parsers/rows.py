"""Rows of steady-state lines, gathered into the frames of `analyzer.tables`."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from analyzer.tables import OWN, TABLES
from analyzer.tables.spill import File, Spill

if TYPE_CHECKING:
    from collections.abc import Mapping

    import polars as pl

    from analyzer.evidence import Stamp
    from analyzer.records import Record
    from analyzer.tables import table as stored

_TOGETHER = 10_000  # rows that become columns at once: a row as Python objects takes five times the room
_ZERO = datetime(1970, 1, 1)
_ZERO_UNDATED = datetime(1900, 1, 1)


class Rows:
    """The rows of one source by table; those that are too many to hold go to files.

    `by_line`: in the order of lines, where records of several origins are complete in another one.
    """

    def __init__(self, spill: Spill | None = None) -> None:
        self._rows: dict[str, list[tuple[Any, ...]]] = {}
        self._frames: dict[str, list[pl.DataFrame | File]] = {}
        self._columns: dict[str, list[pl.DataFrame | File]] = {}
        self._spill = spill or Spill()
        self._held = 0
        self._stamp: Stamp | None = None
        self._seconds: float | None = None
        self.by_line = False

    def add(self, table: str, values: dict[str, Any], record: Record) -> None:
        """Adds one row; columns that the line does not give are null."""
        if record.stamp is not self._stamp:
            self._stamp, self._seconds = record.stamp, seconds(record.stamp)
        ref, rank = record.ref, record.rank
        place = (ref.line, ref.start, self._seconds, rank.dp, rank.pp, rank.tp, record.node)
        rows = self._rows.setdefault(table, [])
        rows.append(place + tuple(map(values.get, OWN[table])))
        if len(rows) >= _TOGETHER:
            self._frame(table)

    def extend(self, tables: Mapping[str, pl.DataFrame | File]) -> None:
        """Adds rows that are columns already, in the order of lines; those added one by one may stand between them."""
        for table, frame in tables.items():
            self._keep(self._columns, table, frame)

    def _keep(self, parts: dict[str, list[pl.DataFrame | File]], table: str, frame: pl.DataFrame | File) -> None:
        if not isinstance(frame, File):
            self._held += frame.height
            if self._spill.held + self._held > self._spill.rows:
                self._held -= frame.height
                frame = self._spill.write(frame)
        parts.setdefault(table, []).append(frame)

    def held(self, tables: Mapping[str, stored.Rows]) -> dict[str, stored.Rows]:
        """Tables that another process read, all of whose rows are in memory: held here as far as there is room."""
        if tables:
            from analyzer.tables.table import Table  # noqa: PLC0415 - see `frames`

            self.extend({name: rows for name, rows in tables.items() if not isinstance(rows, Table)})
        return self.frames()

    def frames(self) -> dict[str, stored.Rows]:
        """All rows, in their order."""
        if not (self._rows or self._frames or self._columns):
            return {}
        from analyzer.tables.table import one, ordered  # noqa: PLC0415 - needs polars, which costs 140 ms

        for table in list(self._rows):
            self._frame(table)
        self._spill.settle()
        self._spill.held += self._held
        found = {
            table: ordered(table, self._columns.get(table, []), self._frames.get(table, []))
            for table in TABLES
            if table in self._columns or table in self._frames
        }
        return {table: one(rows) for table, rows in found.items()}

    def _frame(self, table: str) -> None:
        """Makes columns of the rows added one by one."""
        import polars as pl  # noqa: PLC0415 - see `frames`

        types = {"int": pl.Int64, "float": pl.Float64, "text": pl.String, "bool": pl.Boolean}
        rows = self._rows.pop(table)
        columns = zip(*rows, strict=True)
        series = [
            pl.Series(name, values, types[kind], strict=False)
            for (name, kind), values in zip(TABLES[table].items(), columns, strict=True)
        ]
        frame = pl.DataFrame(series)
        self._keep(self._frames, table, frame.sort("line", maintain_order=True) if self.by_line else frame)


def seconds(stamp: Stamp | None) -> float | None:
    """A stamp's local time as seconds since 1970, an undated one's since midnight."""
    if stamp is None:
        return None
    return (stamp.moment - (_ZERO if stamp.dated else _ZERO_UNDATED)).total_seconds()
