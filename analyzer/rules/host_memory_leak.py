"""Resident memory of a server's process grows steadily while it serves.

What it is. A process keeps more host memory from hour to hour at an even load, until the host or the container has
none left. The pools of HiCache are no part of it: they are touched once, before the server is ready.

How it shows. The RSS of `sglang::scheduler` (or of the detokenizer, or the parent) climbs in one line through several
listings; `free` shows less available each time; the end is an OOM kill hours or days after the start.

What it is mistaken for. A process as large as its HiCache pool, flat from the start: by design. A climb in the first
minutes that levels off: caches. A pool that is not pinned and fills with use: it ends at the pool's size. Page cache.

What confirms and refutes it. `ps -o rss` of the same pid some hours apart, at the same load; `/proc/PID/smaps_rollup`.

How it is fixed. A release without the leak; until then a restart before the memory is used up, and a memory limit that
leaves room.

Since and until which release. Any; HiCache with a storage backend leaked in the scheduler up to 0.5.9.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from analyzer import units
from analyzer.ledgers.host_memory import host_memory
from analyzer.ledgers.host_segments import segments
from analyzer.ledgers.memory_kills import done, own_kills
from analyzer.ledgers.processes import held_when_killed
from analyzer.ledgers.resident import Growth, climbs, growths, used_over_time
from analyzer.rule import rule
from analyzer.units import assumed
from analyzer.verdict import Claim, Cleared, Confirm, Found, Remedy
from analyzer.vocabulary import Part, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.incident import Incident
    from analyzer.units import Amount, Byte
    from analyzer.verdict import Verdict

_CONFIRM = (
    Confirm(
        "while sleep 600; do date; ps -o pid,rss,etime,args -C sglang::schedul; done", "whether it goes on to grow"
    ),
    Confirm(
        "cat /proc/$(pgrep -f sglang::sched | head -1)/smaps_rollup",
        "whether it is the process's own memory (Anonymous) or files and shared pages",
    ),
)
_WORTH = assumed("1", "GiB", "less comes from caches that fill")
_LONG = assumed("1800", "s", "the first half hour of serving fills caches")
_MUCH = assumed("20", "percent", "so much of the host's memory takes part in its end")
_NOTABLE = assumed("5", "percent", "so much of a host's memory is more than noise")
_FEWEST = 4
_STORAGE_FIXED = "0.5.10"
_ENDS = (
    "host-oom-kill",
    "host-memory-exhausted",
    "killed-by-unknown-sender",
    "scheduler-crashed",
    "collective-timeout",
    "scheduler-stalled",
    "zombie-server",
)


@rule("host-memory-leak")
def leaks(incident: Incident) -> Iterator[Verdict]:
    """The process that grows most, where it grows steadily beyond what it holds by design."""
    found = growths(incident) if incident.ready else []
    if not found:
        yield from _of_hosts(incident)
        return
    growth, pool = found[0], _by_design(incident)
    if not _WORTH.surely_below(growth.grown) or not _LONG.surely_below(growth.seconds) or not growth.steady:
        day = float(growth.hourly.value) * 24 / 2**20
        yield Cleared(
            f"{_who(growth)} holds {units.binary(growth.last.value)} and grows by {day:,.1f} MiB a day", growth.lines
        )
    elif pool is not None and not _WORTH.surely_below(growth.last - pool):
        yield Cleared(f"{_who(growth)} fills its host pool of {units.both(pool)}", growth.lines)
    else:
        yield _found(incident, growth, pool)


def _of_hosts(incident: Incident) -> Iterator[Verdict]:
    """Without listings: a host, or a container, whose memory goes in one line; whose it is, is not known."""
    for host in incident.hosts if incident.ready else ():
        points = used_over_time(incident, host)
        if len(points) < _FEWEST or host.limit is None or not climbs([(at, size) for at, size, _ in points]):
            continue
        seconds, grown = points[-1][0] - points[0][0], points[-1][1] - points[0][1]
        if seconds < _LONG.number() or grown < (host.limit * _NOTABLE).number():
            continue
        text = f"what is in use on {host.name} climbs by {units.binary(Fraction(grown))} in {len(points)} looks"
        lines = tuple(ref for _, _, ref in points)
        yield Found(
            summary=f"{text}, over {seconds / 3600:.1f} h; which process it is, no listing shows",
            claims=(
                Claim(Part.EFFECT, text, Status.ESTABLISHED, lines[:8]),
                Claim(
                    Part.LINK, "whether it is the server's, and no cache or other process, is open", Status.HYPOTHESIS
                ),
            ),
            lines=lines,
            confirm=_CONFIRM,
        )


def _by_design(incident: Incident) -> Amount[Byte] | None:
    """What one rank holds for good: its pools, and its part of Mooncake's segments."""
    ledgers = [host_memory(incident, host) for host in incident.hosts]
    shares = [ledger.per_rank for ledger in ledgers if ledger.per_rank is not None]
    if not shares:
        return None
    pool = max(shares, key=lambda share: share.value)
    lent = next((s for host in incident.hosts if (s := segments(incident, host)) is not None), None)
    ranks = next((ledger.ranks for ledger in ledgers if ledger.ranks is not None), None)
    return (
        (pool + lent / ranks).called("pool and segment of one rank") if lent is not None and ranks is not None else pool
    )


def _who(growth: Growth) -> str:
    return f"{growth.command.split()[0][:40]} (pid {growth.pid})"


def _found(incident: Incident, growth: Growth, pool: Amount[Byte] | None) -> Found:
    hourly = growth.hourly
    over, hour = f"over {units.shown(growth.seconds)}", f"{units.binary(hourly.value)} an hour"
    first, last = units.binary(growth.first.value), units.binary(growth.last.value)
    design = (
        f"its pool of {units.both(pool)} is held from the start"
        if pool is not None
        else "nothing that is known grows by design"
    )
    numbers: tuple[Amount[Any] | None, ...] = (
        growth.first,
        growth.last,
        hourly,
        pool,
        _limit(incident),
        *_left(incident, hourly),
    )
    return Found(
        summary=f"{_who(growth)} grows by {hour}, from {first} to {last} {over}",
        sum=f"({last} − {first}) ÷ {units.shown(growth.hours)} h = {hour}",
        claims=(
            Claim(
                Part.EFFECT,
                f"it climbs in {len(growth.readings)} listings {over}",
                Status.ESTABLISHED,
                growth.lines[:8],
            ),
            Claim(Part.LINK, f"{design}; what grows beyond it is not given back", Status.SUPPORTED, growth.lines[:1]),
            *_end(incident, growth),
        ),
        numbers=(*(a for a in numbers if a is not None), *_killed_at(incident)),
        lines=growth.lines,
        remedy=_remedies(incident, growth),
        confirm=_CONFIRM,
        explains=_ENDS if _takes_part(incident, growth) else (),
    )


def _limit(incident: Incident) -> Amount[Byte] | None:
    limit = next((h.limit for h in incident.hosts if h.limit is not None), None)
    return limit.called("memory of the host") if limit is not None else None


def _takes_part(incident: Incident, growth: Growth) -> bool:
    """Whether it has grown by so much that it explains how the server ended."""
    limit = _limit(incident)
    return limit is None or not growth.grown.surely_below(limit * _MUCH)


def _left(incident: Incident, hourly: Amount[Byte]) -> tuple[Amount[Any], ...]:
    """How long what is available lasts at this rate."""
    if done(incident):
        return ()
    snapshots = [host.after(incident.timeline.start) for host in incident.hosts]
    last = next((s.event.available for s in snapshots if s is not None and s.event.available is not None), None)
    return ((last.called("available at last") / hourly).called("hours left at this rate"),) if last is not None else ()


def _killed_at(incident: Incident) -> tuple[Amount[Byte], ...]:
    kills = done(incident)
    held = held_when_killed(kills[0].first.event) if kills else None
    return (held.called("resident when killed"),) if held is not None else ()


def _end(incident: Incident, growth: Growth) -> Iterator[Claim]:
    kill = next((kill for kill in own_kills(incident) if kill.first.event.pid == growth.pid), None)
    if kill is not None:
        who, did = kill.first.event.killer or "the kernel", "killed" if kill.done else "set out to end"
        status = Status.ESTABLISHED if kill.done else Status.SUPPORTED
        yield Claim(Part.END, f"{who} {did} this process for want of memory", status, kill.lines)


def _remedies(incident: Incident, growth: Growth) -> tuple[Remedy, ...]:
    stored = incident.arguments.get("hicache_storage_backend") is not None
    if stored and incident.launch.release.certainly_before(_STORAGE_FIXED):
        fix = Remedy(
            "fix",
            f"use {_STORAGE_FIXED} or later: up to 0.5.9 HiCache with a storage backend leaked in the scheduler",
            risk="or start without --hicache-storage-backend, which gives up the third tier of the cache",
        )
    else:
        fix = Remedy("fix", "try a later release; report it with the listings, the arguments and the kind of load")
    again = (
        f"start it again, and restart it in time: it has lasted {units.shown(growth.seconds)} since it was first seen"
    )
    return (Remedy("mitigate", again if done(incident) else "restart it before the memory is used up"), fix)
