"""Decode lines as a table, for rules that read the serving."""

from __future__ import annotations

from typing import Any

import polars as pl

from analyzer.tables import TABLES
from tests.build import instant

BEGAN = instant("10:05:00").seconds


def decode(every: float = 40.0, **columns: list[float]) -> dict[str, pl.DataFrame]:
    """The table of one rank's decode lines; columns that are not named are empty, as a parser leaves them."""
    rows = len(next(iter(columns.values())))
    place: dict[str, list[Any]] = {
        "source": ["server.log"] * rows,
        "line": [100 + i for i in range(rows)],
        "time_s": [BEGAN + every * i for i in range(rows)],
    }
    empty: dict[str, list[Any]] = {
        name: [None] * rows for name in TABLES["DecodeBatch"] if name not in {*place, *columns}
    }
    return {
        "DecodeBatch": pl.DataFrame({**place, **columns, **empty}, schema_overrides=dict.fromkeys(empty, pl.Float64))
    }
