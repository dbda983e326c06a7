"""Lays each process's milestones out as phases: what begins one, what belongs to one, what ends one."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer.evidence import NO_RANK, Instant, Rank
from analyzer.timeline.model import PhaseSpan, ProcessLine
from analyzer.vocabulary import Phase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.launches import Timed

_BEGINS: dict[type[ev.Event], Phase] = {
    ev.ArgumentsPrinted: Phase.ARGUMENTS,
    ev.DistributedInitBegun: Phase.DISTRIBUTED_INIT,
    ev.WeightLoadBegun: Phase.WEIGHT_LOAD,
    ev.GraphCaptureBegun: Phase.GRAPH_CAPTURE,
    ev.HostPoolAnnounced: Phase.HOST_POOL,
    ev.HttpStarted: Phase.WARM_UP,
    ev.WarmupBegun: Phase.WARM_UP,
    ev.ServerReady: Phase.SERVING,
    ev.StopRequested: Phase.SHUTDOWN,
}
_BELONGS: dict[type[ev.Event], Phase] = {
    ev.ModelDownload: Phase.MODEL_DOWNLOAD,
    ev.ShardsProgress: Phase.WEIGHT_LOAD,
    ev.KvPoolAllocated: Phase.KV_POOL,
    ev.KvPoolReserved: Phase.KV_POOL,
    ev.SlidingWindowPool: Phase.KV_POOL,
    ev.StateCacheAllocated: Phase.KV_POOL,
    ev.GraphCaptureProgress: Phase.GRAPH_CAPTURE,
}
_ENDS: dict[type[ev.Event], Phase] = {
    ev.DistributedInitEnded: Phase.DISTRIBUTED_INIT,
    ev.WeightsLoaded: Phase.WEIGHT_LOAD,
    ev.MemoryPoolEnded: Phase.KV_POOL,
    ev.GraphCaptureEnded: Phase.GRAPH_CAPTURE,
    ev.CapacityPrinted: Phase.GRAPH_CAPTURE,
    ev.HostPoolRegistered: Phase.HOST_POOL,
    ev.WarmupEnded: Phase.WARM_UP,
}
MILESTONES = (*_BEGINS, *_BELONGS, *_ENDS)
# Progress bars carry no header; rank 0 draws them.
_BARS = (ev.ShardsProgress, ev.GraphCaptureProgress)


def process_lines(events: Sequence[Timed[ev.Event]]) -> list[ProcessLine]:
    """All processes of a launch, schedulers by node and rank, then the main process of each node."""
    heard = {(t.node, t.rank) for t in events}
    ranked = {node: sorted((rank for at, rank in heard if at == node and rank.label()), key=_key) for node, _ in heard}
    lines: dict[str, ProcessLine] = {}
    for item in events:
        line = _line_for(item, ranked[item.node], lines)
        line.last = item
        _advance(line, item)
    for line in lines.values():
        line.unexplained = _unexplained(line)
    return sorted(lines.values(), key=lambda p: (p.node, p.role == "main", _key(p.rank)))


def _key(rank: Rank) -> tuple[int, ...]:
    return tuple(-1 if v is None else v for v in rank)


def _line_for(item: Timed[ev.Event], ranks: list[Rank], lines: dict[str, ProcessLine]) -> ProcessLine:
    rank = item.rank
    if not rank.label() and ranks and isinstance(item.event, _BARS):
        rank = ranks[0]
    label = rank.label()
    role = "scheduler" if label else "main" if ranks else "server"
    id_ = f"{item.node}/{label or role}"
    if id_ not in lines:
        lines[id_] = ProcessLine(id_, item.node, role, rank if label else NO_RANK)
    return lines[id_]


def _advance(line: ProcessLine, item: Timed[ev.Event]) -> None:
    kind = type(item.event)
    if kind in _BEGINS:
        if line.role == "scheduler" and kind is ev.StopRequested:
            return
        _open(line, _BEGINS[kind], item)
    elif kind in _BELONGS:
        _stay(line, _BELONGS[kind], item)
    elif kind in _ENDS:
        _close(line, _ENDS[kind], item)
    elif isinstance(item.event, ev.HostPoolRefused):
        _refuse(line, item)
    elif isinstance(item.event, ev.ExceptionRaised) and not item.event.handled:
        _fail(line, item)


def _fail(line: ProcessLine, item: Timed[ev.Event]) -> None:
    current = line.current
    if current is not None and current.state == "open":
        current.state, current.end = "failed", item.at
        current.refs.append(item.ref)


def _refuse(line: ProcessLine, item: Timed[ev.Event]) -> None:
    """A refused host pool fails its own phase, not the one before, which the exception's line may have failed."""
    current = line.current
    if current is not None and current.state == "failed" and current.end == item.at:
        current.state = "done"
    if current is None or current.phase is not Phase.HOST_POOL:
        _open(line, Phase.HOST_POOL, item)
    _fail(line, item)


def _open(line: ProcessLine, phase: Phase, item: Timed[ev.Event], start: Instant | None = None) -> None:
    current = line.current
    if current and current.phase is phase and current.state == "open" and phase is not Phase.GRAPH_CAPTURE:
        current.refs.append(item.ref)
        return
    if current and current.state == "open":
        current.state, current.end = "done", item.at
    label = item.event.graph if isinstance(item.event, ev.GraphCaptureBegun) else ""
    line.phases.append(PhaseSpan(phase, start or item.at, refs=[item.ref], label=label))


def _stay(line: ProcessLine, phase: Phase, item: Timed[ev.Event]) -> None:
    current = line.current
    if current and current.phase is phase and current.state == "open":
        if len(current.refs) < 3:  # noqa: PLR2004 - the first few lines stand for a progress bar
            current.refs.append(item.ref)
        return
    _open(line, phase, item, start=current.end if current else None)


def _close(line: ProcessLine, phase: Phase, item: Timed[ev.Event]) -> None:
    current = line.current
    if isinstance(item.event, ev.CapacityPrinted) and (current is None or current.phase is not phase):
        return
    if current is None or current.phase is not phase or current.state != "open":
        if current and current.phase is phase:
            return
        _open(line, phase, item, start=_before(line, item))
        current = line.phases[-1]
    current.state, current.end = "done", item.at
    if item.ref not in current.refs:
        current.refs.append(item.ref)


def _before(line: ProcessLine, item: Timed[ev.Event]) -> Instant | None:
    """When a phase began of which only the end is there: its own figure of the time it took, else the phase before."""
    elapsed = getattr(item.event, "elapsed", None)
    if elapsed is not None and item.at is not None:
        return Instant(item.at.seconds - elapsed.number(), item.at.slack)
    return line.current.end if line.current else None


def _unexplained(line: ProcessLine) -> float:
    dated = [s for s in line.phases if s.start is not None]
    if not dated:
        return 0.0
    gaps = 0.0
    for one, other in itertools.pairwise(dated):
        if one.end is not None and one.start is not None and other.start is not None:
            gaps += max(0.0, other.start.seconds - one.end.seconds)
    return gaps


def finish(lines: list[ProcessLine], ready: Instant | None) -> None:
    """After the last line: a server that reached ready has left every launch phase, and its ranks serve.

    The main process is done with the arguments when its first rank speaks; from then on it waits for the ranks.
    """
    first = min(
        (p.phases[0].start for p in lines if p.role == "scheduler" and p.phases and p.phases[0].start), default=None
    )
    for line in lines:
        begun = line.phases[0] if line.phases else None
        if begun is not None and begun.phase is Phase.ARGUMENTS and first is not None:
            begun.state, begun.end = "done", min(begun.end or first, first)
        current = line.current
        if ready is None or line.role == "main" or current is None:
            continue
        if current.state == "open" and current.phase not in {Phase.SERVING, Phase.SHUTDOWN}:
            if current.start is not None and current.start.seconds > ready.seconds:
                continue
            current.state, current.end = "done", ready
        if line.role == "scheduler" and current.state != "failed":
            line.phases.append(PhaseSpan(Phase.SERVING, ready, refs=[]))
