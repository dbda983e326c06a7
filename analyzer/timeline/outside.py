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
            made.append(Series(f"host memory {name}", "B", node, *_unzipped(found)))
    return made


_CURVES = (
    ("throughput_token_per_s", "generation throughput", "token/s"),
    ("usage_ratio", "token usage", "ratio"),
    ("running_count", "running requests", "1"),
    ("queue_count", "queued requests", "1"),
)


def _batches(launch: Launch) -> list[Series]:
    found = launch.summary("DecodeBatch")
    told = [(found.columns[column], name, unit) for column, name, unit in _CURVES] if found else []
    return [
        Series(name, unit, launch.id, *_unzipped(column.curve), column.middle)
        for column, name, unit in told
        if column is not None
    ]


def _unzipped(points: Sequence[tuple[float, float]]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    times, values = zip(*points, strict=True) if points else ((), ())
    return times, values
