"""One launch in time: phases per process, spans seen from outside, signs of life, curves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer.evidence import Instant
from analyzer.timeline import outside, phases, signs
from analyzer.timeline.model import PhaseSpan, ProcessLine, Series, Sign, Span, Timeline

if TYPE_CHECKING:
    from analyzer.launches import Launch, Timed

__all__ = ["PhaseSpan", "ProcessLine", "Series", "Sign", "Span", "Timeline", "build"]


def build(launch: Launch, as_of: float | None = None) -> Timeline:
    """Lays a launch out; `as_of` is a moment given by the user, on the launch's clock."""
    batches = signs.batch_times(launch)
    lines = phases.process_lines(launch.events)
    ready = _ready(launch)
    served = ready.at if ready else Instant(batches[0][0]) if batches and signs.beyond_warm_up(launch) else None
    phases.finish(lines, served)
    start = min((t.at for t in launch.events if t.at), default=None)
    progress, life = signs.progress(launch, batches), signs.life(launch, batches)
    clock = signs.clock(launch, as_of)
    spans = outside.health_waits(launch, start) + outside.silence(progress, clock)
    return Timeline(lines, spans, outside.series(launch), start, ready, progress, life, clock)


def _ready(launch: Launch) -> Timed[ev.Event] | None:
    return next((t for t in launch.events if isinstance(t.event, ev.ServerReady)), None)
