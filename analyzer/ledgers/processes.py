"""Which processes of the server the listings and kernel records show: alive, stuck, dead, killed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from analyzer import events as ev

if TYPE_CHECKING:
    from analyzer.incident import Incident
    from analyzer.launches import Timed

PARENTS = ("sglang.launch_server", "sglang serve", "launch_server.py")
WORKERS = ("sglang::", "sglang:", "sgl_")
_ZONES = 14 * 3600.0  # no two places are further apart in time


@dataclass(frozen=True, slots=True)
class Listing:
    """The last process listing: the server's workers by state, and whether its parent is there."""

    parent_alive: bool
    alive: tuple[Timed[ev.ProcessListed], ...]
    dead: tuple[Timed[ev.ProcessListed], ...]
    stuck: tuple[Timed[ev.ProcessListed], ...]


def listing(incident: Incident) -> Listing | None:
    """The schedulers of the last listing; `None` where no listing shows a server."""
    rows = incident.of(ev.ProcessListed)
    if not rows:
        return None
    last = max(t.event.snapshot for t in rows)
    rows = [t for t in rows if t.event.snapshot == last]
    parents = [t for t in rows if any(p in t.event.command for p in PARENTS)]
    workers = [t for t in rows if any(w in t.event.command for w in WORKERS)]
    schedulers = [t for t in workers if "schedul" in t.event.command]
    if not parents and not workers:
        return None
    dead = tuple(t for t in schedulers if is_dead(t))
    alive = tuple(t for t in schedulers if not is_dead(t))
    stuck = tuple(t for t in alive if t.event.state.startswith("D"))
    return Listing(any(not is_dead(t) for t in parents), alive, dead, stuck)


def is_dead(item: Timed[Any]) -> bool:
    """Whether the row is of a process that has ended and waits to be collected."""
    return bool(item.event.state.startswith(("Z", "X")) or "<defunct>" in item.event.command)


def own_oom_kills(incident: Incident) -> list[Timed[ev.OomKill]]:
    """Kernel OOM records of this server: by pid where a listing or the log names pids, else by the process's name.

    A record of a name alone that is older than the launch by more than clocks of two zones can differ is of another.
    """
    known = {
        t.event.pid for t in incident.of(ev.ProcessListed) if any(w in t.event.command for w in (*WORKERS, *PARENTS))
    }
    found = []
    for item in incident.of(ev.OomKill):
        named = item.event.command.startswith(("sglang", "sgl")) or (
            item.event.command.startswith("python") and not known
        )
        if item.event.pid in known or (named and not _long_before(incident, item)):
            found.append(item)
    return found


def _long_before(incident: Incident, item: Timed[Any]) -> bool:
    start = incident.timeline.start
    return start is not None and item.at is not None and item.at.seconds < start.seconds - _ZONES
