"""Cuts one source's events into stretches of one launch each, and tells the server's words from those of outsiders."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer.expression import lazy
from analyzer.launches.model import Timed
from analyzer.launches.named import named_time
from analyzer.parsers.moments import moment

if TYPE_CHECKING:
    from collections.abc import Iterable

    from analyzer.evidence import Instant, Stamp
    from analyzer.launches.clock import Clock
    from analyzer.parsers.parsed import Parsed

# Who is not the server, whatever file it stands in.
OUTSIDE = (
    ev.MemorySnapshot,
    ev.VmstatRow,
    ev.DiskLoad,
    ev.ProcessListed,
    ev.CgroupMemory,
    ev.OomKill,
    ev.OomVictim,
    ev.GpuListed,
    ev.GpuProcess,
    ev.FilesystemListed,
    ev.PortListening,
    ev.PackageListed,
    ev.HostNote,
    ev.Fact,
    ev.ProbeFailed,
    ev.ProbeSettings,
    ev.OrchestratorAct,
    ev.ClockRead,
    ev.Complaint,
    ev.ReleaseStated,
    ev.CommandLine,
    ev.ExitCode,
    ev.Workload,
)
# A line that only a starting server prints: what comes after it on the same process is a new launch.
_FIRST_STEPS = (ev.DistributedInitBegun, ev.WeightLoadBegun)
_BATCHES = frozenset({"DecodeBatch", "PrefillBatch"})
# What a client raises has other names, mostly: of requests, connections, answers.
_RAISED = lazy(
    r"(?:\w+\.)*(?:Runtime|Value|Assertion|Type|Attribute|Key|Index|NotImplemented|Import|Accelerator)Error: "
)
_RIGHT_BELOW = 4  # lines
_END = 2**53  # a line that no source reaches
_LATE = (ev.ServerReady, ev.HttpStarted, ev.CapacityPrinted)


@dataclass(slots=True)
class Segment:
    """A stretch of one source that belongs to one launch.

    `order` counts the stretches of its source; `until` is the last line before the next one begins (`None`: the last),
    above all others where the source lists its newest line first; `ahead` how many seconds its clock was ahead of the
    first node's; `headers` the first and the last second of a source that says nothing but batches.
    """

    source: str
    node_hint: str
    order: int
    events: list[Timed[ev.Event]] = field(default_factory=list)
    arguments: list[ev.ArgumentsPrinted] = field(default_factory=list)
    until: int | None = None
    ahead: float = 0.0
    headers: tuple[float, float] | None = None
    newest_first: bool = False

    @property
    def times(self) -> tuple[float, float] | None:
        """First and last second; `None` where nothing is dated."""
        found = [t.at.seconds for t in self.events if t.at is not None]
        return (min(found), max(found)) if found else self.headers

    @property
    def lines(self) -> tuple[int, int]:
        """First and last line."""
        refs = [t.ref for t in self.events]
        return (min(r.line for r in refs), max(r.last_line for r in refs))

    @property
    def span(self) -> tuple[int, int]:
        """First and last line that can be its own: as far as the stretches beside it, or the source's ends."""
        first, last = self.lines if self.events else (0, 0)
        if self.newest_first:
            return self.until or 0, _END if self.headless else last
        return 0 if self.headless else first, self.until if self.until is not None else max(last, _END)

    @property
    def headless(self) -> bool:
        """Whether no step of a launch is in it: what the source says before its first event is of the same server."""
        return not self.order and not any(
            isinstance(t.event, (ev.ArgumentsPrinted, *_FIRST_STEPS)) for t in self.events
        )

    def made(self, name: str) -> object:
        """A value of the stretch's `server_args` line."""
        return self.arguments[0].values.get(name) if self.arguments else None

    def unsaid(self, name: str) -> bool:
        """Whether its `server_args` line is missing, or cut off before this name."""
        return not self.arguments or (self.arguments[0].cut and name not in self.arguments[0].values)

    @property
    def ranks(self) -> frozenset[int]:
        """The TP ranks that speak in it."""
        return frozenset(t.rank.tp for t in self.events if t.rank.tp is not None)


def timed(source: Parsed, clock: Clock) -> list[Timed[ev.Event]]:
    """All events of a source with their instants, in the order in which they stand.

    Where a source prints no time at all, its snapshots have the time that its name tells.
    """
    untimed = source.first is None and all(e.where.stamp is None for e in source.events)
    named = named_time(source.name) if untimed else None
    at = clock.instant(named.stamp) if named else None
    if named is None or at is None:
        return [Timed(e, clock.instant(_stamp(e)), "", source.newest_first) for e in source.events]
    at = at._replace(slack=named.slack)
    return [Timed(e, at if isinstance(e, OUTSIDE) else None, "", source.newest_first) for e in source.events]


def _stamp(event: ev.Event) -> Stamp | None:
    """The time that an event's own words name, before that of its line."""
    told = moment(event.when) if isinstance(event, ev.OrchestratorAct) and event.when else None
    return told or event.where.stamp


def split(
    source: Parsed, all_events: Iterable[Timed[ev.Event]], clock: Clock | None = None
) -> tuple[list[Segment], list[Timed[ev.Event]]]:
    """The launches of one source, and what in it is not the server's own."""
    outside: list[Timed[ev.Event]] = []
    open_: dict[str, Segment] = {}
    done: list[Segment] = []
    for item in all_events:
        if isinstance(item.event, OUTSIDE) or item.event.where.speaker == "kernel":
            outside.append(item)
            continue
        hint = item.event.where.node
        current = open_.get(hint)
        if current is None or _begins_anew(current, item):
            if current is not None:
                current.until = item.ref.last_line + 1 if source.newest_first else item.ref.line - 1
            current = Segment(source.name, hint, len(done), newest_first=source.newest_first)
            open_[hint] = current
            done.append(current)
        current.events.append(item)
        if isinstance(item.event, ev.ArgumentsPrinted):
            current.arguments.append(item.event)
    return [s for s in done if _speaks(s) or _answers(s, outside)] or _serving(source, done, clock), outside


def _serving(source: Parsed, silent: list[Segment], clock: Clock | None) -> list[Segment]:
    """The stretch of a source that holds batch lines and nothing else of a server's: a piece of a log of serving."""
    if not source.tables.keys() & _BATCHES:
        return []
    ends = (clock.instant(source.first), clock.instant(source.last)) if clock is not None else (None, None)
    headers = (ends[0].seconds, ends[1].seconds) if ends[0] is not None and ends[1] is not None else None
    return silent[:1] or [Segment(source.name, "", 0, headers=headers, newest_first=source.newest_first)]


def _begins_anew(current: Segment, item: Timed[ev.Event]) -> bool:
    if isinstance(item.event, ev.ArgumentsPrinted):
        if not current.arguments:
            return _has_progress(current)
        return not _other_node(current, item.event)
    if not isinstance(item.event, _FIRST_STEPS):
        return False
    return any(isinstance(t.event, _LATE) for t in current.events) and _said_before(current, item)


def _said_before(current: Segment, item: Timed[ev.Event]) -> bool:
    """Whether this process already took this step, and a later one after it (a draft model repeats without it)."""
    ready = next((i for i, t in enumerate(current.events) if isinstance(t.event, ev.ServerReady)), None)
    if ready is None:
        return False
    return any(type(t.event) is type(item.event) and t.rank == item.rank for t in current.events[:ready])


def _other_node(current: Segment, printed: ev.ArgumentsPrinted) -> bool:
    """Two nodes of one launch pasted into one file print the same arguments but for the node rank."""
    nodes = printed.values.get("nnodes") or 1
    before = {a.values.get("node_rank") for a in current.arguments}
    return isinstance(nodes, int) and nodes > 1 and printed.values.get("node_rank") not in before


def _has_progress(current: Segment) -> bool:
    return any(isinstance(t.event, (*_FIRST_STEPS, *_LATE, ev.ExceptionRaised, ev.Failure)) for t in current.events)


def _speaks(segment: Segment) -> bool:
    """Whether anything in it is a server's: stray error-looking lines of a note are not."""
    return any(not isinstance(t.event, (ev.ErrorLine, ev.KilledPrinted)) for t in segment.events)


def _answers(segment: Segment, outside: list[Timed[ev.Event]]) -> bool:
    """Whether an exception's name stands right below the command that launches a server: all that was pasted of it."""
    ends = [t.ref.last_line for t in outside if isinstance(t.event, ev.CommandLine)]
    raised = [t for t in segment.events if isinstance(t.event, ev.ErrorLine) and _RAISED.match(t.event.text)]
    return any(0 < t.ref.line - end <= _RIGHT_BELOW for t in raised for end in ends)


def earliest(items: Iterable[Timed[ev.Event]]) -> Instant | None:
    """The first dated moment."""
    return min((t.at for t in items if t.at is not None), default=None)
