"""Where the GPU ran out: each out-of-memory error that ended a process, with the phase in which it fell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer import units
from analyzer.immutable import immutable
from analyzer.knowledge.functions import EVENT_LOOP, PHASE_OF
from analyzer.ledgers.endings import ends_it
from analyzer.ledgers.gpu_memory import free_before, is_much
from analyzer.ledgers.spoken import record, unhandled
from analyzer.vocabulary import Phase, Status

if TYPE_CHECKING:
    from analyzer.evidence import Instant, Ref
    from analyzer.incident import Incident
    from analyzer.launches import Timed
    from analyzer.timeline import ProcessLine
    from analyzer.units import Amount, Byte

_SERVING = frozenset({Phase.WARM_UP, Phase.SERVING})
_LOADING = frozenset({Phase.DISTRIBUTED_INIT, Phase.WEIGHT_LOAD})


@immutable
class Shortage:
    """One out-of-memory error.

    `others` is what neither is free nor belongs to this process, where it is much; `firm` is how surely another owner
    holds it: while serving it may be this server's own main process, which prepares images on a GPU. `traced` says that
    the phase is that of its traceback's frames, not only of what its process last printed.
    """

    item: Timed[ev.GpuOutOfMemory]
    phase: Phase
    others: Amount[Byte] | None
    firm: Status
    traced: bool = False

    @property
    def ref(self) -> Ref:
        """Its line."""
        return self.item.ref

    @property
    def at(self) -> Instant | None:
        """When it happened."""
        return self.item.at

    @property
    def by_others(self) -> bool:
        """Whether what others hold is why nothing was left."""
        return self.others is not None and self.firm.strength >= Status.SUPPORTED.strength

    @property
    def lacking(self) -> Amount[Byte] | None:
        """How much more would have been needed for this one allocation."""
        event = self.item.event
        if event.wanted is None or event.free is None:
            return event.wanted.called("asked for") if event.wanted is not None else None
        short = (event.wanted.called("asked for") - event.free.called("free at that moment")).called("lacking")
        return short if short.value > 0 else event.wanted.called("asked for")

    @property
    def sum(self) -> str | None:
        """The arithmetic in one line; `None` where the error prints no figures."""
        event, lacking = self.item.event, self.lacking
        if event.wanted is None or event.free is None or lacking is None:
            return None
        return (
            f"{units.shown(event.wanted)} asked for − {units.shown(event.free)} free = {units.shown(lacking)} lacking"
        )

    @property
    def figures(self) -> tuple[Amount[Byte], ...]:
        """What the error text prints, named."""
        event = self.item.event
        found = [(event.wanted, "asked for"), (event.free, "free at that moment"), (event.total, "capacity of the GPU")]
        found += [(event.in_use, "in use by this process"), (event.allocated, "allocated by PyTorch")]
        return tuple(amount.called(name) for amount, name in found if amount is not None)

    @property
    def sentence(self) -> str:
        """The figures in words: `256 MiB asked for, 70 MiB free of 31.9 GiB`."""
        event = self.item.event
        parts = [f"{units.shown(event.wanted)} asked for"] if event.wanted is not None else []
        if event.free is not None:
            of = f" of {units.shown(event.total)}" if event.total is not None else ""
            parts.append(f"{units.shown(event.free)} free{of}")
        if event.in_use is not None:
            parts.append(f"{units.shown(event.in_use)} in use by this process")
        elif event.allocated is not None:
            parts.append(f"{units.shown(event.allocated)} allocated by PyTorch")
        return ", ".join(parts) or "the error prints no figures"


def shortages(incident: Incident, *phases: Phase) -> list[Shortage]:
    """The errors that ended a process, or after which no work was done, of these phases (all, where none is named)."""
    found = incident.launch.once("shortages", lambda: _shortages(incident))
    return [s for s in found if not phases or s.phase in phases]


def _shortages(incident: Incident) -> list[Shortage]:
    raised = unhandled(incident)
    by_record: dict[Ref, Timed[ev.GpuOutOfMemory]] = {}
    for item in incident.of(ev.GpuOutOfMemory):
        here = record(item.ref)
        told = by_record.get(here)
        if (here in raised or ends_it(incident, item)) and (told is None or told.event.wanted is None):
            by_record[here] = item
    found = [made for item in by_record.values() if (made := _shortage(incident, item)) is not None]
    return sorted(found, key=lambda s: (s.at.seconds if s.at else float("inf"), s.ref.line))


def _shortage(incident: Incident, item: Timed[ev.GpuOutOfMemory]) -> Shortage | None:
    phase = phase_of(incident, item)
    if phase is None:
        return None
    return Shortage(item, phase, *_others(incident, item, phase), traced=_traced(incident, item) is phase)


def _others(incident: Incident, item: Timed[ev.GpuOutOfMemory], phase: Phase) -> tuple[Amount[Byte] | None, Status]:
    """What neither is free nor this process's, where it is much; a pool was sized beside what others held before."""
    event = item.event
    if event.total is None or event.free is None:
        return None, Status.UNKNOWN
    taken = event.total.called("capacity of the GPU") - event.free.called("free at that moment")
    if event.in_use is not None:
        others, firm = taken - event.in_use.called("in use by this process"), Status.ESTABLISHED
    elif event.allocated is not None:
        own = event.allocated.called("allocated by PyTorch")
        own = own + event.reserved.called("reserved by PyTorch") if event.reserved is not None else own
        others, firm = taken - own, Status.SUPPORTED
    else:
        return None, Status.UNKNOWN
    if phase not in _LOADING:
        before = free_before(incident, item.process)
        if before is None:
            return None, Status.UNKNOWN
        there = event.total.called("capacity of the GPU") - before.called("free on the GPU before loading")
        others, firm = others - there, Status.HYPOTHESIS if phase in _SERVING else Status.SUPPORTED
    return (others.called("in other hands"), firm) if is_much(incident, others, event.total) else (None, Status.UNKNOWN)


def phase_of(incident: Incident, item: Timed[ev.GpuOutOfMemory]) -> Phase | None:
    """In which phase an error fell: after ready it serves; else by the frames of its traceback, else by its process."""
    here = record(item.ref)
    if _was_ready(incident, item):
        return Phase.SERVING
    if any(record(t.ref) == here for t in incident.failures("graph-capture-failed")):
        return Phase.GRAPH_CAPTURE
    return _traced(incident, item) or _by_time(incident, item)


def _traced(incident: Incident, item: Timed[ev.GpuOutOfMemory]) -> Phase | None:
    raised = incident.launch.once("first raised by record", lambda: _raised(incident)).get(record(item.ref))
    return _by_frames(raised.event.frames) if raised else None


def _raised(incident: Incident) -> dict[Ref, Timed[ev.ExceptionRaised]]:
    return {record(t.ref): t for t in reversed(incident.of(ev.ExceptionRaised))}


def _was_ready(incident: Incident, item: Timed[ev.GpuOutOfMemory]) -> bool:
    ready = incident.timeline.ready
    if ready is None:
        return incident.served and incident.first(ev.WeightLoadBegun) is None
    if ready.at is None or item.at is None:
        place = incident.launch.written(ready.ref.source, ready.ref.line)
        return ready.ref.source == item.ref.source and place < item.written
    return ready.at.seconds <= item.at.seconds


def _by_frames(frames: tuple[str, ...]) -> Phase | None:
    for frame in reversed(frames):
        file, _, function = frame.partition(":")
        if function in PHASE_OF:
            return PHASE_OF[function]
        if function.startswith(EVENT_LOOP):
            return Phase.SERVING
        if "graph_runner" in file and function == "__init__":
            return Phase.GRAPH_CAPTURE
        if "memory_pool_host" in file or "pool_host" in file:
            return Phase.HOST_POOL
    return None


def _by_time(incident: Incident, item: Timed[ev.GpuOutOfMemory]) -> Phase | None:
    """The phase of its process at that moment; of the slowest one where the line names no rank."""
    own = [p for p in incident.timeline.processes if p.id == item.process and p.phases]
    lines = own if own and item.rank.label() else [p for p in incident.timeline.schedulers if p.phases] or own
    order = list(Phase)
    found = [phase for line in lines if (phase := _phase_at(line, item)) is not None]
    return min(found, key=order.index, default=None)


def _phase_at(line: ProcessLine, item: Timed[ev.GpuOutOfMemory]) -> Phase | None:
    """The phase that its own lines show; that arguments were printed says nothing of how far it came."""
    begun = [s for s in line.phases if s.start is None or item.at is None or s.start.seconds <= item.at.seconds]
    return begun[-1].phase if begun and begun[-1].phase is not Phase.ARGUMENTS else None
