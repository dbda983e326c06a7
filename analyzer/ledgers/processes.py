"""Which processes of the server the listings and kernel records show: alive, stuck, dead, killed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer import events as ev
from analyzer.immutable import immutable
from analyzer.launches.ends import UNPLACED
from analyzer.ledgers.elsewhere import beside_living_ranks, is_dead, on_another_host
from analyzer.parsers.bystanders import serves
from analyzer.units import total

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.incident import Incident
    from analyzer.launches import Timed
    from analyzer.units import Amount, Byte

PARENTS = ("sglang.launch_server", "sglang serve", "launch_server.py")
WORKERS = ("sglang::", "sglang:", "sgl_")
_ZONES = 14 * 3600.0  # no two places are further apart in time
# What clocks of two zones may differ by: whole hours, and half ones from where the nearest such zone lies.
_APART = tuple(1800.0 * halves for halves in range(2, 29) if halves % 2 == 0 or halves >= 7)  # noqa: PLR2004
CLOCKS = 60.0  # seconds by which two hosts' clocks may differ
_ONE_CLOCK = 5.0  # by which those of one host may, where many a program has the name
_SOON = 600.0  # seconds after the last line in which a clock of another zone is believed
_A_DAY = 24 * 3600.0  # that a server may hang before its memory runs out


@immutable
class Listing:
    """The last process listing of each node: the server's workers by state, and whether its parent is there."""

    parent_alive: bool
    alive: tuple[Timed[ev.ProcessListed], ...]
    dead: tuple[Timed[ev.ProcessListed], ...]
    stuck: tuple[Timed[ev.ProcessListed], ...]


def listing(incident: Incident) -> Listing | None:
    """The schedulers of each node's last listing; `None` where no listing shows a server."""
    every = incident.of(ev.ProcessListed)
    rows = [t for node in dict.fromkeys(t.node for t in every) for t in latest([t for t in every if t.node == node])]
    parents = [t for t in rows if any(p in t.event.command for p in PARENTS)]
    workers = [t for t in rows if any(w in t.event.command for w in WORKERS)]
    schedulers = [t for t in workers if "schedul" in t.event.command]
    if not parents and not workers:
        return None
    dead = tuple(t for t in schedulers if is_dead(t))
    alive = tuple(t for t in schedulers if not is_dead(t))
    stuck = tuple(t for t in alive if t.event.state.startswith("D"))
    return Listing(any(not is_dead(t) for t in parents), alive, dead, stuck)


def latest(rows: Sequence[Timed[ev.ProcessListed]]) -> list[Timed[ev.ProcessListed]]:
    """The rows of the last listing, by its time and not by its place in a file; an undated one counts as last."""
    tables: dict[tuple[str, int], list[Timed[ev.ProcessListed]]] = {}
    for item in rows:
        tables.setdefault((item.ref.source, item.event.snapshot), []).append(item)
    return max(tables.values(), key=_taken, default=[])


def _taken(rows: Sequence[Timed[ev.ProcessListed]]) -> tuple[float, int]:
    at = rows[0].at
    return (at.seconds if at is not None else float("inf"), rows[0].event.snapshot)


def own_oom_kills(incident: Incident) -> list[Timed[ev.OomKill]]:
    """Records of OOM kills of this server: by pid where a listing or the log names pids, else by the process's name.

    A whole unit is the server's where its name, or what a tool shows of it, says so; a process whose command line is
    told is the server's by that. Of a daemon's victims, and of those on a cluster's node, python is nobody's name.
    A record of a name alone is of another process where the server went on after it, or began after it, whatever the
    zone of the kernel's clock; where it is more than a day younger than the last line; where it is another host's; and
    where the server's ranks are all seen alive.
    """
    rows = incident.of(ev.ProcessListed)
    servers = {t.event.pid for t in rows if any(w in t.event.command for w in (*WORKERS, *PARENTS))}
    known = own_pids(incident, rows) & servers
    units = {t.event.owner for t in incident.of(ev.Workload) if t.event.server}
    found = []
    for item in incident.of(ev.OomKill):
        event = item.event
        if event.pid and event.pid in servers:  # of several servers that are listed, one is this
            found += [item] if event.pid in known else []
            continue
        named = _named(event, units) or (_anybodys(event) and not servers)
        another = on_another_host(incident, item) or beside_living_ranks(incident, event.pid)
        if named and not another and may_end(incident, item):
            found.append(item)
    return found


def victim(event: ev.OomKill) -> str:
    """What was ended, as a sentence names it: a process with its number, or a whole unit."""
    name = event.command or "a process"
    return f"{name} (pid {event.pid})" if event.pid else name


def held_when_killed(event: ev.OomKill) -> Amount[Byte] | None:
    """What the process held in host memory, where the record tells."""
    parts = [a for a in (event.anon, event.file, event.shmem) if a is not None]
    return total(parts) if parts else event.resident


def _anybodys(event: ev.OomKill) -> bool:
    """Whether the kernel of the host names a process as many are called, the server among them."""
    return event.command.startswith("python") and not event.killer and not event.node


def _named(event: ev.OomKill, units: set[str]) -> bool:
    """Whether the record names SGLang: its process, its command line, or the unit that it runs in."""
    if not event.pid:
        return f"unit {event.command}" in units or serves(event.command) is True
    if event.arguments:
        return any(word in event.arguments for word in (*PARENTS, *WORKERS))
    return event.command.startswith(("sglang", "sgl"))


def exit_codes(incident: Incident) -> list[Timed[ev.ExitCode]]:
    """How containers and jobs ended, as far as it may have been with this launch: an earlier one has left its own."""
    return [t for t in incident.of(ev.ExitCode) if may_end(incident, t)]


def unplaced_ends(incident: Incident) -> list[Timed[ev.Fact]]:
    """Ends for memory of several containers or jobs, of which nothing tells whether one is the server's."""
    return [t for t in incident.of(ev.Fact) if t.event.name.startswith(UNPLACED) and "oom" in t.event.value.lower()]


def may_end(incident: Incident, item: Timed[Any]) -> bool:
    """Whether a record from outside may be of the end of this launch: the zone of its clock may be another one."""
    start, life = incident.timeline.start, incident.timeline.life
    if start is None or item.at is None:
        return True
    slack = _ONE_CLOCK if getattr(item.event, "command", "").startswith("python") else CLOCKS
    if item.at.seconds > (life.at.seconds if life is not None else start.seconds) + _ZONES + _A_DAY:
        return False
    ahead = worked_after(incident, item)
    return ahead <= slack or any(-_SOON <= ahead - zone <= slack for zone in _APART)


def worked_after(incident: Incident, item: Timed[Any]) -> float:
    """For how many seconds after a record the server worked on, by their clocks; less than zero where it did not."""
    last, start = incident.timeline.progress, incident.timeline.start
    until = last.at if last is not None else start
    return until.seconds - item.at.seconds if until is not None and item.at is not None else float("-inf")


def own_pids(incident: Incident, rows: Sequence[Timed[ev.ProcessListed]]) -> frozenset[int]:
    """The pids of this server among the rows.

    Its parents are those with its command line; its workers are those below it, by parent where the listing names
    parents, else by the nearest parent with a smaller pid, as a process starts its children after itself.
    """
    parents = list(dict.fromkeys(t.event.pid for t in rows if any(word in t.event.command for word in PARENTS)))
    own = _own_parents(incident, parents)
    above = {t.event.pid: t.event.parent for t in rows}
    found = set(own)
    for row in rows:
        if any(word in row.event.command for word in WORKERS):
            parent = _ancestor(row.event.pid, above, parents)
            if not own or parent is None or parent in own:
                found.add(row.event.pid)
    return frozenset(found)


def _own_parents(incident: Incident, parents: Sequence[int]) -> frozenset[int]:
    """Those with the server's command line, of which there is another after each restart; else the only one."""
    argv = incident.arguments.argv
    typed = {t.event.pid for t in incident.of(ev.CommandLine) if t.event.argv == argv}
    own = typed.intersection(parents)
    return frozenset(pid for pid in parents if pid in own) or frozenset(parents if len(parents) == 1 else ())


def _ancestor(pid: int, above: dict[int, int | None], parents: Sequence[int]) -> int | None:
    at: int | None = pid
    for _ in range(8):
        at = above.get(at) if at is not None else None
        if at in parents:
            return at
    if above.get(pid) is not None:
        return None
    return max((p for p in parents if p < pid), default=None)
