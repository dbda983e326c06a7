"""Who else holds memory on a host: other processes of the last listing, another server of the same input."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer.ledgers.processes import latest, own_pids
from analyzer.units import assumed, total

if TYPE_CHECKING:
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
