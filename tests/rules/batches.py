"""Decode lines as a table, for rules that read the serving."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.build import instant, rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

BEGAN = instant("10:05:00").seconds


def decode(every: float = 40.0, **columns: Sequence[Any]) -> dict[str, pl.DataFrame]:
    """The table of one rank's decode lines, so many seconds apart."""
    count = len(next(iter(columns.values())))
    return {"DecodeBatch": rows("DecodeBatch", **{"time_s": [BEGAN + every * i for i in range(count)], **columns})}
