"""The steady-state rows of one launch, cut out of the tables of its sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

    from analyzer.launches.segments import Segment
    from analyzer.parsers.parsed import Parsed


def tables_of(
    segments: Sequence[Segment], sources: Sequence[Parsed], node_of: dict[int, str]
) -> dict[str, pl.DataFrame]:
    """Each table's rows between the first line of a stretch and the next one's, with `source` and `node` columns.

    Where one source holds the stretches of several launches, its rows belong to the stretch that began last before
    them.
    """
    import polars as pl  # noqa: PLC0415 - 140 ms that `--help` need not pay

    by_name = {s.name: s for s in sources}
    found: dict[str, list[pl.DataFrame]] = {}
    for segment in segments:
        first, last = segment.lines if segment.events else (0, 0)
        for name, frame in by_name[segment.source].tables.items():
            rows = frame.filter(pl.col("line").is_between(first, _end(segment, last)))
            if segment.node_hint:
                rows = rows.filter(pl.col("node") == segment.node_hint)
            if rows.height:
                place = [
                    pl.lit(segment.source).alias("source"),
                    pl.lit(node_of[id(segment)]).alias("node"),
                    pl.col("time_s") - segment.ahead,
                ]
                found.setdefault(name, []).append(rows.with_columns(place))
    return {name: pl.concat(frames, how="diagonal_relaxed") for name, frames in found.items()}


def _end(segment: Segment, last: int) -> int:
    return segment.until if segment.until is not None else max(last, 2**53)
