"""What a worker process does with a part of a log: reads it fast, and hands back what it is not sure of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.catalog import Catalog
from analyzer.parsers.steady import Steady

if TYPE_CHECKING:
    from collections.abc import Mapping

    import polars as pl

    from analyzer.scan.fast.parts import Part, Span
    from analyzer.tables.spill import File, Spill


class PartReader(Steady):
    """Reads spans of a file; what stands before them has been found to allow fast reading."""

    def __init__(self, spill: Spill) -> None:
        from analyzer.scan.fast.parts import Worker  # noqa: PLC0415 - needs numpy, which is an extra

        super().__init__(Catalog.load())
        self.on = True
        self._worker = Worker(spill)

    def __call__(self, span: Span) -> Part:
        """Everything that the span holds."""
        from analyzer.scan.fast import scan  # noqa: PLC0415 - the same

        return self._worker.part(span, lambda stream: scan(stream, self, 0))

    def take(self, tables: Mapping[str, pl.DataFrame | File], unknown: Mapping[str, int]) -> None:
        """Takes over rows by table, in the order of lines, and how often keys occurred that no column takes."""
        self._worker.take(tables, unknown)
