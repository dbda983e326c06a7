"""The steady-state rows of one launch, cut out of the tables of its sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import polars as pl

    from analyzer.launches.segments import Segment
    from analyzer.parsers.parsed import Parsed
    from analyzer.tables.table import Rows


def tables_of(segments: Sequence[Segment], sources: Sequence[Parsed], node_of: dict[int, str]) -> dict[str, Rows]:
    """Each table's rows between the first line of a stretch and the next one's, with `source` and `node` columns.

    Where one source holds the stretches of several launches, its rows belong to the stretch that began last before
    them.
    """
    if not any(source.tables for source in sources):
        return {}
    from analyzer.tables.table import Table, View, batches, together  # noqa: PLC0415 - 140 ms that `--help` need not pay

    by_name = {s.name: s for s in sources}
    found: dict[str, list[Rows]] = {}
    needs = "line", "node", "time_s"
    for segment in segments:
        cut = _cut(segment, node_of[id(segment)])
        for name, rows in by_name[segment.source].tables.items():
            mine = rows.seen(View(needs, cut, segment.span)) if isinstance(rows, Table) else cut(rows)
            if any(True for _ in batches(mine, ["line"])):
                found.setdefault(name, []).append(mine)
    return {name: together(name, pieces) for name, pieces in found.items()}


def _cut(segment: Segment, node: str) -> Callable[[pl.DataFrame], pl.DataFrame]:
    import polars as pl  # noqa: PLC0415 - see `tables_of`

    span = segment.span

    def cut(frame: pl.DataFrame) -> pl.DataFrame:
        lines = frame["line"]
        inside = lines.is_between(*span)
        rows = frame if inside.all() else frame.filter(inside)
        if segment.node_hint:
            rows = rows.filter(pl.col("node") == segment.node_hint)
        time = (pl.col("time_s") - segment.ahead) if segment.ahead else pl.col("time_s")
        return rows.with_columns(time, source=pl.lit(segment.source), node=pl.lit(node))

    return cut
