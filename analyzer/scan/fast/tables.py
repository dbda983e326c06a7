"""The rows of a chunk's steady lines as frames of `analyzer.tables`, in the order of the lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from analyzer.scan.fast.chunk import LEFT
from analyzer.tables import PLACE, TABLES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from analyzer.scan.fast.chunk import Chunk, Part
    from analyzer.scan.fast.words import Positions

_TYPES = {"int": pl.Int64, "float": pl.Float64, "text": pl.String, "bool": pl.Boolean}


def frames(chunk: Chunk, number: int, offset: int, seconds: NDArray[np.float64]) -> dict[str, pl.DataFrame]:
    """Each table's rows; lines that were left to the exact reading after all are not among them.

    `number` and `offset` are those of the chunk's first line, `seconds` the time of every line.
    """
    found: dict[str, list[Part]] = {}
    for part in chunk.parts:
        kept = part.only(chunk.kinds[part.lines] != LEFT)
        if len(kept.lines):
            found.setdefault(part.table, []).append(kept)
    return {table: _frame(table, parts, chunk, (number, offset, seconds)) for table, parts in found.items()}


def _frame(
    table: str, parts: Sequence[Part], chunk: Chunk, place: tuple[int, int, NDArray[np.float64]]
) -> pl.DataFrame:
    number, offset, seconds = place
    lines = np.concatenate([part.lines for part in parts])
    order = np.argsort(lines)
    lines = lines[order]
    paths = pl.Series(chunk.paths, dtype=pl.String)
    columns = [
        pl.Series("line", lines + number),
        pl.Series("start", chunk.starts[lines] + offset),
        pl.Series("time_s", seconds[lines]),
    ]
    for name in ("dp", "pp", "tp"):
        numbers = np.array([_or_nan(rank and getattr(rank, name)) for rank in chunk.ranks])
        columns.append(pl.Series(name, numbers[chunk.label[lines]], nan_to_null=True).cast(pl.Int64))
    columns.append(pl.Series("node", [""] * len(lines), pl.String))
    columns += [_column(name, kind, parts, order, paths) for name, kind in TABLES[table].items() if name not in PLACE]
    return pl.DataFrame(columns)


def _or_nan(number: int | None) -> float:
    return np.nan if number is None else float(number)


def _column(name: str, kind: str, parts: Sequence[Part], order: Positions, texts: pl.Series) -> pl.Series:
    """A column over all parts in the order of lines, null where a part has none."""
    pieces = [np.asarray(part.columns.get(name, np.nan), np.float64) for part in parts]
    values = np.concatenate(
        [np.broadcast_to(piece, len(part.lines)) for piece, part in zip(pieces, parts, strict=True)]
    )
    if kind == "text":
        return texts.gather(values[order].astype(np.int64)).alias(name)
    return pl.Series(name, values[order], nan_to_null=True).cast(_TYPES[kind])
