"""Processes of SGLang that are on the host but not this launch's: whose they are, what they hold, since when."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer.immutable import immutable
from analyzer.ledgers.elsewhere import is_dead
from analyzer.units import total

if TYPE_CHECKING:
    from analyzer.evidence import Ref
    from analyzer.incident import Incident
    from analyzer.launches import Timed
    from analyzer.units import Amount, Byte

_SERVERS = ("sglang.launch_server", "sglang serve", "launch_server.py")
_INIT = 1
_MINUTE = 60.0  # ranks begin somewhat after their server


@immutable
class Leftover:
    """One process: `orphan` where its server is gone, `gpu` what it holds on GPUs, `resident` what it holds of RAM."""

    item: Timed[ev.ProcessListed]
    orphan: bool
    gpu: Amount[Byte] | None
    lines: tuple[Ref, ...]

    @property
    def text(self) -> str:
        """For people: number, command, owner, age."""
        event = self.item.event
        parts = [f"pid {event.pid} ({event.command[:60]}"]
        parts += [f"of {event.user}"] if event.user else []
        parts += ["without a parent"] if self.orphan else []
        return ", ".join(parts) + ")"


def ours(command: str) -> bool:
    """Whether a command is a process of some SGLang server."""
    return command.startswith(("sglang::", "sglang:", "sgl_")) or any(words in command for words in _SERVERS)


def orphans(incident: Incident) -> list[Leftover]:
    """Workers of a server that is gone: listed with init as parent (or a parent that is not listed as a server).

    A rank whose server lives belongs to that server, and is none. Only listings that print the parent can tell.
    """
    rows = _last_listing(incident)
    servers = {t.event.pid for t in rows if any(words in t.event.command for words in _SERVERS)}
    workers = [t for t in rows if t.event.command.startswith(("sglang::", "sglang:")) and not is_dead(t)]
    lost = [t for t in workers if t.event.parent == _INIT and t.event.pid not in servers]
    return [_leftover(incident, t) for t in lost]


def _last_listing(incident: Incident) -> list[Timed[ev.ProcessListed]]:
    rows = incident.of(ev.ProcessListed)
    places = {(t.ref.source, t.event.snapshot) for t in rows}
    last = {source: max(number for name, number in places if name == source) for source, _ in places}
    return [t for t in rows if t.event.snapshot == last[t.ref.source]]


def _leftover(incident: Incident, item: Timed[ev.ProcessListed]) -> Leftover:
    held = [t for t in incident.of(ev.GpuProcess) if t.event.pid == item.event.pid and t.event.used is not None]
    sizes = [t.event.used for t in held if t.event.used is not None]
    return Leftover(item, orphan=True, gpu=total(sizes) if sizes else None, lines=(item.ref, *(t.ref for t in held)))


def older_than_launch(incident: Incident, found: list[Leftover]) -> bool | None:
    """Whether all of them began before this launch: by a server in the same listing, else by a clock outside."""
    ages = [f.item.event.elapsed for f in found if f.item.event.elapsed is not None]
    own = _age_of_launch(incident, found)
    if not ages or own is None:
        return None
    return min(age.number() for age in ages) > own + _MINUTE


def _age_of_launch(incident: Incident, found: list[Leftover]) -> float | None:
    listings = {(f.item.ref.source, f.item.event.snapshot) for f in found}
    rows = [t for t in incident.of(ev.ProcessListed) if (t.ref.source, t.event.snapshot) in listings]
    servers = [t for t in rows if any(words in t.event.command for words in _SERVERS)]
    ages = [t.event.elapsed.number() for t in servers if t.event.elapsed is not None]
    start, clock = incident.timeline.start, incident.timeline.clock
    if ages:
        return max(ages)
    return clock.at.seconds - start.seconds if start is not None and clock is not None else None


def server_at(incident: Incident, pid: int | None) -> Timed[ev.ProcessListed] | None:
    """The listed process of this number, where it is an SGLang server."""
    return next((t for t in incident.of(ev.ProcessListed) if t.event.pid == pid and ours(t.event.command)), None)
