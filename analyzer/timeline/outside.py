"""Spans and curves under the phases: the health wait, the silence, memory, throughput, token usage."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer import units
from analyzer.evidence import Instant
from analyzer.timeline.model import Series, Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import polars as pl

    from analyzer.launches import Launch, Timed
    from analyzer.tables.table import Rows
    from analyzer.timeline.model import Sign

_POINTS = 800  # a chart has no room for more
_AT_ONCE = 64  # stretches that are thinned together


def health_waits(launch: Launch, start: Instant | None) -> list[Span]:
    """A probe that gave up after a stated time: the span began that long before, never before the launch."""
    made = []
    for item in launch.outside:
        probe = item.event
        if not isinstance(probe, ev.ProbeFailed) or not probe.gave_up or item.at is None:
            continue
        begun, label = start, "gave up"
        if probe.waited is not None:
            begun = Instant(item.at.seconds - probe.waited.number(), item.at.slack)
            label = f"gave up after {units.shown(probe.waited)}"
        made.append(Span("health-wait", begun, item.at, (item.ref,), label))
    return made


def silence(progress: Sign | None, clock: Sign | None) -> list[Span]:
    """From the last progress to the clock outside."""
    if progress is None or clock is None or clock.at.seconds <= progress.at.seconds:
        return []
    refs = tuple(s.ref for s in (progress, clock) if s.ref is not None)
    label = f"{clock.at.seconds - progress.at.seconds:,.0f} s without a line of progress"
    return [Span("silence", progress.at, clock.at, refs, label)]


def series(launch: Launch) -> list[Series]:
    """Host memory from dated snapshots; throughput, token usage, running and queued requests from decode lines."""
    return [s for s in (*_memory(launch), *_batches(launch)) if len(s.time) > 1]


def _memory(launch: Launch) -> list[Series]:
    made = []
    for node in launch.nodes:
        points: Sequence[Timed[ev.Event]] = [t for t in launch.outside if t.node == node and t.at is not None]
        for name in ("available", "used"):
            found = [
                (t.at.seconds, value.number())
                for t in points
                if isinstance(t.event, ev.MemorySnapshot) and t.at and (value := getattr(t.event, name)) is not None
            ]
            found.sort()
            times, values = zip(*found, strict=True) if found else ((), ())
            made.append(Series(f"host memory {name}", "B", node, times, values))
    return made


_COLUMNS = (
    ("throughput_token_per_s", "generation throughput", "token/s"),
    ("usage_ratio", "token usage", "ratio"),
    ("running_count", "running requests", "1"),
    ("queue_count", "queued requests", "1"),
)


def _batches(launch: Launch) -> list[Series]:
    rows = launch.tables.get("DecodeBatch")
    if rows is None:
        return []
    from analyzer.tables.table import batches  # noqa: PLC0415 - needs polars, only where there are rows

    names = [column for column, _, _ in _COLUMNS]
    counts = dict.fromkeys(names, 0)
    for part in batches(rows, ("time_s", *names)):
        dated = part.drop_nulls("time_s")
        for name in names:
            counts[name] += dated.height - dated[name].null_count()
    return [_figure(launch.id, rows, counts[column[0]], *column) for column in _COLUMNS]


def _figure(of: str, rows: Rows, count: int, *told: str) -> Series:
    from analyzer.tables.fold import Middle, stretches  # noqa: PLC0415 - needs polars, only where there are rows
    from analyzer.tables.table import batches  # noqa: PLC0415 - the same

    column, name, unit = told
    values = Middle()

    def dated() -> Iterator[pl.DataFrame]:
        for part in batches(rows, ("time_s", column)):
            yield part.drop_nulls().sort("time_s", maintain_order=True)

    def heard() -> Iterator[pl.DataFrame]:
        for part in dated():
            values.add(part[column])
            yield part

    stretch = -(-count // (_POINTS // 2)) if count > _POINTS else 1
    kept = [_extremes(part, column, stretch) for part in stretches(heard(), stretch * _AT_ONCE)]
    points = sorted((point for part in kept for point in part.rows()), key=itemgetter(0))
    middle = values.value(lambda: (part[column] for part in dated()))
    return Series(name, unit, of, tuple(at for at, _ in points), tuple(value for _, value in points), middle)


def _extremes(rows: pl.DataFrame, column: str, stretch: int) -> pl.DataFrame:
    """The rows with the least and the most of every stretch, where there are more rows than a chart has room for."""
    import polars as pl  # noqa: PLC0415 - only where there are rows

    if stretch == 1:
        return rows
    extremes = (
        rows.with_row_index()
        .group_by(pl.col("index") // stretch, maintain_order=True)
        .agg(pl.col(column).arg_min().alias("least"), pl.col(column).arg_max().alias("most"))
    )
    ends = extremes.select(pl.col("index") * stretch + pl.concat_list("least", "most"))
    return rows[ends.explode("index")["index"].unique().sort()]
