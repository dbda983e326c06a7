"""Who else holds memory on a host: other processes of the last listing, another server of the same input."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer.ledgers.processes import PARENTS, WORKERS, latest
from analyzer.units import assumed, total

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.incident import Host, Incident
    from analyzer.launches import Launch, Timed
    from analyzer.units import Amount, Byte

_ENDS = (ev.StopRequested, ev.ShutdownStep, ev.RankDead, ev.HostPoolRefused, ev.ExceptionRaised, ev.TreeKilled)
_WORTH = assumed("1", "GiB", "smaller processes are the system's")


def others_hold(incident: Incident, host: Host) -> Amount[Byte] | None:
    """What they hold together; `None` where nothing of weight is listed."""
    sizes = [t.event.resident for t in others(incident, host) if t.event.resident is not None]
    return total(sizes).called("resident in other processes") if sizes else None


def neighbours_asked(incident: Incident) -> Amount[Byte] | None:
    """What the ranks of another server of the same input announce, where it began before this one and goes on.

    It is taken to run on the same host; nothing but the host's memory says so.
    """
    sizes = [
        pool.size
        for launch in incident.neighbours
        if _beside(incident, launch)
        for pool in (t.event for t in launch.events if isinstance(t.event, ev.HostPoolAnnounced))
        if pool.size is not None
    ]
    return total(sizes).called("host pools of the other server") if sizes else None


def _beside(incident: Incident, launch: Launch) -> bool:
    """Whether another launch may run at the same time on the same host."""
    start = incident.timeline.start
    first = next((t.at for t in launch.events if t.at is not None), None)
    if start is None or first is None or first.seconds >= start.seconds or len(launch.nodes) > 1:
        return False
    mine, theirs = set(incident.launch.host_names.values()), set(launch.host_names.values())
    elsewhere = bool(mine and theirs) and not mine & theirs
    same_log = bool(set(launch.sources) & set(incident.launch.sources))
    return not elsewhere and not same_log and not any(isinstance(t.event, _ENDS) for t in launch.events)


def others(incident: Incident, host: Host) -> list[Timed[ev.ProcessListed]]:
    """Processes of more than a GiB that are not this server's, the largest first."""
    rows = last_listing(incident, host)
    own = own_pids(incident, rows)
    found = [t for t in rows if t.event.pid not in own and t.event.resident and _WORTH.surely_below(t.event.resident)]
    return sorted(found, key=lambda t: -t.event.resident.value if t.event.resident else 0)


def last_listing(incident: Incident, host: Host) -> list[Timed[ev.ProcessListed]]:
    """The rows of the last listing of a host that tells sizes; undated ones count as last."""
    rows = incident.at_node(host, ev.ProcessListed)
    sized = {(t.ref.source, t.event.snapshot) for t in rows if t.event.resident}
    return latest([t for t in rows if (t.ref.source, t.event.snapshot) in sized])


def own_pids(incident: Incident, rows: Sequence[Timed[ev.ProcessListed]]) -> frozenset[int]:
    """The pids of this server among the rows.

    Its parent is the one with its command line; its workers are those below it, by parent where the listing names
    parents, else by the nearest parent with a smaller pid, as a process starts its children after itself.
    """
    parents = [t.event.pid for t in rows if any(word in t.event.command for word in PARENTS)]
    own = _own_parent(incident, parents)
    above = {t.event.pid: t.event.parent for t in rows}
    found = {own} if own is not None else set()
    for row in rows:
        if any(word in row.event.command for word in WORKERS):
            parent = _ancestor(row.event.pid, above, parents)
            if own is None or parent in {own, None}:
                found.add(row.event.pid)
    return frozenset(found)


def _own_parent(incident: Incident, parents: Sequence[int]) -> int | None:
    argv = incident.arguments.argv
    typed = [t.event.pid for t in incident.of(ev.CommandLine) if t.event.argv == argv and t.event.pid in parents]
    return typed[0] if typed else parents[0] if len(parents) == 1 else None


def _ancestor(pid: int, above: dict[int, int | None], parents: Sequence[int]) -> int | None:
    at: int | None = pid
    for _ in range(8):
        at = above.get(at) if at is not None else None
        if at in parents:
            return at
    if above.get(pid) is not None:
        return None
    return max((p for p in parents if p < pid), default=None)
