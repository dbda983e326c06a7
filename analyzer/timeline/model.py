"""What a timeline consists of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from analyzer.immutable import immutable
from analyzer.vocabulary import Phase

if TYPE_CHECKING:
    from analyzer.evidence import Instant, Rank, Ref
    from analyzer.launches import Timed


@dataclass(slots=True)
class PhaseSpan:
    """One occurrence of a phase. `state`: done, open, failed."""

    phase: Phase
    start: Instant | None
    end: Instant | None = None
    state: str = "open"
    refs: list[Ref] = field(default_factory=list)
    label: str = ""

    @property
    def seconds(self) -> float | None:
        """How long it took; `None` where an end is open or undated."""
        if self.start is None or self.end is None:
            return None
        return max(0.0, self.end.seconds - self.start.seconds)


@dataclass(slots=True)
class ProcessLine:
    """One process: its phases in order and the last that was heard of it. `role`: scheduler, main, server."""

    id: str
    node: str
    role: str
    rank: Rank
    phases: list[PhaseSpan] = field(default_factory=list)
    last: Timed[Any] | None = None
    unexplained: float = 0.0

    @property
    def current(self) -> PhaseSpan | None:
        """The phase it was in when last heard of."""
        return self.phases[-1] if self.phases else None


@immutable
class Span:
    """Something seen from outside: `health-wait`, `silence`, an outage."""

    name: str
    start: Instant | None
    end: Instant | None
    refs: tuple[Ref, ...]
    label: str = ""

    @property
    def seconds(self) -> float | None:
        """Its length."""
        return None if self.start is None or self.end is None else self.end.seconds - self.start.seconds


@immutable
class Series:
    """A figure over time; `of` is whose it is.

    Of many points the least and the most of every stretch are kept; `median` is that of all, undated ones too.
    """

    name: str
    unit: str
    of: str
    time: tuple[float, ...]
    value: tuple[float, ...]
    median: float | None = None


@immutable
class Sign:
    """A moment with the line that shows it (the text where no line does: a time given by the user)."""

    at: Instant
    ref: Ref | None
    what: str


@dataclass(slots=True)
class Timeline:
    """One launch laid out in time.

    `progress` is the last line that shows the launch or the serving advance; `life` the last line of the server at
    all; `clock` the latest moment that something outside the silent processes shows.
    """

    processes: list[ProcessLine]
    spans: list[Span]
    series: list[Series]
    start: Instant | None
    ready: Timed[Any] | None
    progress: Sign | None
    life: Sign | None
    clock: Sign | None

    @property
    def schedulers(self) -> list[ProcessLine]:
        """The processes that hold a rank (the whole server where headers name none)."""
        ranked = [p for p in self.processes if p.role == "scheduler"]
        return ranked or [p for p in self.processes if p.role == "server"]

    @property
    def silence(self) -> float | None:
        """Seconds between the last progress and the clock; `None` without an outside clock."""
        if self.progress is None or self.clock is None:
            return None
        return max(0.0, self.clock.at.seconds - self.progress.at.seconds)

    def phase(self) -> Phase | None:
        """The phase in which the slowest process stands, or stood last.

        A process that is done with one stands in the next that any other process has opened.
        """
        lines = [p for p in self.schedulers if p.current] or self.processes
        spans = [p.current for p in lines if p.current]
        slowest = min(spans, key=_reached, default=None)
        if slowest is None or slowest.state != "done":
            return slowest.phase if slowest else None
        opened = [p.current for p in self.processes if p.current and p.current.state == "open"]
        later = [s for s in opened if _reached(s) > _reached(slowest)]
        return min(later, key=_reached, default=slowest).phase


def _reached(span: PhaseSpan) -> tuple[int, bool]:
    return list(Phase).index(span.phase), span.state == "done"
