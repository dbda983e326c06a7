"""The host's, or the container's, memory is used up.

What it is. Almost nothing is available any more: `MemAvailable` (which counts reclaimable cache) near zero, or the
container at its limit. It says that memory ran out, not what took it.

How it shows. `free` with a few GiB available and little buff/cache, `vmstat` with blocked processes and pages read
again and again, allocation failures on the host.

What it is mistaken for. A host that holds pinned pools by design: much is used, and the server serves. A full page
cache is no shortage. A snapshot from before the launch speaks of another server.

What confirms and refutes it. `free -g`, `cat /proc/meminfo`, the container's `memory.current` against `memory.max`.

How it is fixed. Find what took it: the ranks' pools, another server, a leak.

Since and until which release. Any.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer import units
from analyzer.ledgers import endings
from analyzer.ledgers.host_effect import obtainable, used_up
from analyzer.ledgers.host_memory import held_by
from analyzer.ledgers.host_others import last_listing, others
from analyzer.ledgers.processes import own_pids
from analyzer.rule import rule
from analyzer.verdict import Claim, Cleared, Confirm, Found, Remedy
from analyzer.vocabulary import Part, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer import events as ev
    from analyzer.incident import Host, Incident
    from analyzer.launches import Timed
    from analyzer.units import Amount
    from analyzer.verdict import Verdict

_CONFIRM = (
    Confirm("ps -eo pid,rss,args --sort=-rss | head -20", "which processes hold the memory"),
    Confirm("dmesg -T | grep -i oom", "whether the kernel killed something for it"),
)


_LONG = 48 * 3600.0  # seconds


@rule("host-memory-exhausted", explains=("launch-stalled",))
def exhausted(incident: Incident) -> Iterator[Verdict]:
    """One verdict per host with a snapshot."""
    for host in incident.hosts:
        last = host.after(incident.timeline.start)
        if last is None or _days_later(incident, last):
            continue
        if not used_up(last.event):
            if last.event.available is not None:
                yield Cleared(f"{units.shown(last.event.available)} are available on {host.name}", (last.ref,))
        elif not incident.ready or endings.kill(incident) is not None:
            yield _found(incident, host, last)
        else:
            yield Cleared(
                f"little is left on {host.name}, but it serves: pools that are pinned stay pinned", (last.ref,)
            )


def _days_later(incident: Incident, last: Timed[ev.MemorySnapshot]) -> bool:
    """Whether the listing is of another time: a launch that hangs is looked at sooner."""
    life = incident.timeline.life
    return life is not None and last.at is not None and last.at.seconds > life.at.seconds + _LONG


def _found(incident: Incident, host: Host, last: Timed[ev.MemorySnapshot]) -> Found:
    event = last.event
    available = obtainable(event) or event.free
    rows = last_listing(incident, host)
    own = own_pids(incident, rows)
    listed = [t for t in rows if t.event.pid in own and "sglang::schedul" in t.event.command]
    held, strangers = held_by(listed), others(incident, host)
    known: tuple[tuple[Amount[Any] | None, str], ...] = (
        (event.total, "memory of the host"),
        (available, "available"),
        (event.swap_used, "swap in use"),
        (held, "resident in the listed schedulers"),
        (strangers[0].event.resident if strangers else None, "held by the largest other process"),
    )
    text = (
        f"{units.shown(available)} available of {units.shown(event.total)}" if available and event.total else "used up"
    )
    mine = f"; its schedulers hold {units.both(held)}" if held is not None else ""
    return Found(
        summary=f"the memory of {_name(incident, host)} is used up: {text}{mine}{_largest(strangers)}",
        claims=(
            Claim(Part.LIMIT, text, Status.ESTABLISHED, (last.ref,)),
            Claim(Part.EFFECT, "nothing is left to allocate from", Status.SUPPORTED, (last.ref,)),
        ),
        numbers=tuple(amount.called(name) for amount, name in known if amount is not None),
        lines=(last.ref, *(t.ref for t in (*listed[:8], *strangers[:1]))),
        remedy=(Remedy("mitigate", "stop what holds the memory before the next launch"),),
        confirm=_CONFIRM,
        at=last.at,
    )


def _name(incident: Incident, host: Host) -> str:
    return "the host" if len(incident.hosts) == 1 else f"node {host.name}"


def _largest(strangers: list[Timed[ev.ProcessListed]]) -> str:
    if not strangers or strangers[0].event.resident is None:
        return ""
    words = " ".join(strangers[0].event.command.split()[:2])[:60]
    return f"; {words} (pid {strangers[0].event.pid}) holds {units.shown(strangers[0].event.resident)}"
