"""Spans and curves under the phases: the health wait, the silence, memory, throughput, token usage."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer import units
from analyzer.evidence import Instant
from analyzer.timeline.model import Series, Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.launches import Launch, Timed
    from analyzer.timeline.model import Sign

_POINTS = 400  # a chart has no room for more; folded by averaging neighbours


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
    return [
        Span(
            "silence", progress.at, clock.at, refs, f"{clock.at.seconds - progress.at.seconds:,.0f} s without progress"
        )
    ]


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
    import polars as pl  # noqa: PLC0415 - only where there are rows

    frame = launch.tables.get("DecodeBatch")
    if frame is None:
        return []
    made = []
    for column, name, unit in _COLUMNS:
        rows = frame.select("time_s", column).drop_nulls().sort("time_s", maintain_order=True)
        step = max(1, rows.height // _POINTS)
        if step > 1:
            rows = rows.with_row_index().group_by(pl.col("index") // step, maintain_order=True).mean()
        times, values = rows["time_s"].to_list(), rows[column].to_list()
        made.append(Series(name, unit, launch.id, tuple(times), tuple(values)))
    return made
