"""Whether a host's memory was reached, and how its ranks ended: snapshots, kernel and cgroup records, states."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer import units
from analyzer.immutable import immutable
from analyzer.incident import refs_of
from analyzer.ledgers.durations import between
from analyzer.ledgers.host_others import last_listing
from analyzer.ledgers.memory_kills import told_of
from analyzer.ledgers.processes import listing, may_end, own_oom_kills, own_pids, victim
from analyzer.units import assumed
from analyzer.verdict import Claim
from analyzer.vocabulary import Part, Phase, Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.evidence import Instant, Ref
    from analyzer.incident import Host, Incident
    from analyzer.launches import Timed
    from analyzer.units import Amount, Byte, Second

_LITTLE = assumed("8", "percent", "less than this of a host left is used up for a server that pins memory")
_TOUCHING = assumed("1", "percent", "the kernel reclaims just below a container's limit")
_MUCH = assumed("64", "GiB", "so much left is never used up, however large the host")
_QUIET = 120.0  # seconds; announcing ranks differ by a few
_KILLED = -9


@immutable
class Effect:
    """What shows that the limit was reached, how firmly, and since when."""

    text: str
    status: Status
    lines: tuple[Ref, ...]
    at: Instant | None = None


def used_up(snapshot: ev.MemorySnapshot) -> bool:
    """Whether almost nothing was available: below 8% of the total, cache counted as the kernel counts it."""
    available, total = obtainable(snapshot), snapshot.total
    if available is None or total is None:
        return False
    return available.surely_below(total * _LITTLE) and available.surely_below(_MUCH)


def obtainable(snapshot: ev.MemorySnapshot) -> Amount[Byte] | None:
    """What could be had: where a tool does not say, what is free and in the cache; the free alone says nothing."""
    if snapshot.available is not None or snapshot.free is None or snapshot.cache is None:
        return snapshot.available
    whole = snapshot.free + snapshot.cache
    return whole - snapshot.shared if snapshot.shared is not None else whole


def effect_on(incident: Incident, host: Host, began: Instant | None) -> Effect | None:
    """The strongest sign that this host's memory was reached; `began` is when the pools were announced."""
    found = [
        _killed_by_kernel(incident, host),
        _cgroup(host, incident),
        _snapshot(host, began),
        _at_limit(incident, host, began),
        _dead_rank(incident, host),
    ]
    if not plenty_left(host, began):
        found += [_stuck(incident, host), _silent(incident)]
    return max((e for e in found if e is not None), key=lambda e: e.status.strength, default=None)


def plenty_left(host: Host, began: Instant | None) -> Timed[ev.MemorySnapshot] | None:
    """A snapshot surely taken after the announcements that shows memory to spare, where the host is the limit."""
    if host.cgroup_limit is not None or began is None:
        return None
    later = [s for s in host.snapshots if s.at is not None and s.at.seconds - s.at.slack > began.seconds]
    return next((s for s in later[-1:] if s.event.available is not None and not used_up(s.event)), None)


def silence_of(incident: Incident) -> Amount[Second] | None:
    """How long nothing advanced, between the last line of progress and the last look from outside."""
    last, clock = incident.timeline.progress, incident.timeline.clock
    if last is None or last.ref is None or clock is None or clock.at.seconds <= last.at.seconds:
        return None
    return between((last.at, last.ref), (clock.at, clock.ref or last.ref), "silence")


def end_of(incident: Incident, host: Host) -> Claim | None:
    """What became of the ranks: killed, stuck in the kernel; `None` where nothing shows it."""
    kills = [t for t in own_oom_kills(incident) if t.node == host.node]
    refused = incident.at_node(host, ev.HostPoolRefused)
    dead, (gone, stuck) = _killed_ranks(incident, host), _states(incident, host)
    states = (
        f"{units.many(len(gone), 'scheduler')} dead (zombies)" if gone else "",
        f"{units.many(len(stuck), 'scheduler')} stuck in the kernel (state D), not dead" if stuck else "",
    )
    shown: tuple[tuple[str, Sequence[Timed[ev.Event]]], ...] = (
        (_ended(kills), kills),
        ("a rank ended with exit code -9 (SIGKILL)", dead),
        ("; ".join(text for text in states if text), [*gone, *stuck]),
        ("the refusal ended the launch", refused),
    )
    status = Status.SUPPORTED if kills and not told_of(kills)[0].done else Status.ESTABLISHED
    return next((Claim(Part.END, text, status, refs_of(list(rows))) for text, rows in shown if rows), None)


def _ended(kills: Sequence[Timed[ev.OomKill]]) -> str:
    """Who ended whom; of what was only to be done, where nothing was."""
    told = told_of(kills)
    same = [victim(kill.first.event) for kill in told if kill.done == told[0].done]
    return ", ".join((told[0].text, *same[1:3])) if told else ""


def _killed_by_kernel(incident: Incident, host: Host) -> Effect | None:
    kills = [t for t in own_oom_kills(incident) if t.node == host.node]
    if not kills:
        return None
    text = told_of(kills)[0].text
    early = all(t.event.killer for t in kills)  # a daemon acts while there still is memory
    status = Status.SUPPORTED if early else Status.ESTABLISHED
    return Effect(text, status, tuple(t.ref for t in kills), kills[0].at)


def _cgroup(host: Host, incident: Incident) -> Effect | None:
    counted = [t for t in incident.at_node(host, ev.CgroupMemory) if t.event.oom_kills and t.event.oom_kills.value > 0]
    if counted:
        kills = counted[0].event.oom_kills
        text = f"the container's own counter shows {units.shown(kills) if kills else ''} OOM kills"
        return Effect(text, Status.ESTABLISHED, (counted[0].ref,), counted[0].at)
    oom = next((t for t in incident.at_node(host, ev.ExitCode) if t.event.oom and may_end(incident, t)), None)
    if oom is not None:
        return Effect("the container was ended for running out of memory", Status.ESTABLISHED, (oom.ref,), oom.at)
    return None


def _at_limit(incident: Incident, host: Host, began: Instant | None) -> Effect | None:
    """The container at its limit, by its use or by its own counter; cache counts there too, so neither is a proof."""
    limit = host.cgroup_limit
    if limit is None:
        return None
    late = [t for t in incident.at_node(host, ev.CgroupMemory) if not _surely_before(t, began)]
    full = next((t for t in late if t.event.used and (limit - limit * _TOUCHING).surely_below(t.event.used)), None)
    if full is not None and full.event.used is not None:
        text = f"the container uses {units.shown(full.event.used)} of its {units.shown(limit)}, its cache included"
        return Effect(text, Status.SUPPORTED, (full.ref,), full.at)
    hits = next((t for t in late if t.event.at_limit is not None and t.event.at_limit.value > 0), None)
    if hits is None or hits.event.at_limit is None:
        return None
    text = f"the container came up against its limit {units.shown(hits.event.at_limit)} times (`max` of memory.events)"
    return Effect(text, Status.SUPPORTED, (hits.ref,), hits.at)


def _surely_before(item: Timed[ev.CgroupMemory], moment: Instant | None) -> bool:
    return item.at is not None and moment is not None and item.at.seconds < moment.seconds - moment.slack


def _snapshot(host: Host, began: Instant | None) -> Effect | None:
    after = host.after(began)
    if after is None or not used_up(after.event):
        return None
    available = obtainable(after.event)
    total = f" of {units.shown(after.event.total)}" if after.event.total else ""
    parts = [f"{units.shown(available)}{total} available" if available else ""]
    parts.append(f"buff/cache {units.shown(after.event.cache)}" if after.event.cache else "")
    return Effect(", ".join(p for p in parts if p), Status.ESTABLISHED, (after.ref,), after.at)


def _killed_ranks(incident: Incident, host: Host) -> list[Timed[ev.RankDead]]:
    """Ranks that ended by SIGKILL before any scheduler raised an exception, after which SGLang kills its own tree."""
    dead = [
        t for t in incident.at_node(host, ev.RankDead) if t.event.code is not None and t.event.code.value == _KILLED
    ]
    return [] if any(t.event.process == "scheduler" for t in incident.of(ev.ExceptionRaised)) else dead


def _dead_rank(incident: Incident, host: Host) -> Effect | None:
    dead = _killed_ranks(incident, host)
    if not dead:
        return None
    text = "a rank ended with exit code -9 (SIGKILL), which the OOM killer sends; no kernel record says so"
    return Effect(text, Status.SUPPORTED, tuple(t.ref for t in dead[:4]), dead[0].at)


def _stuck(incident: Incident, host: Host) -> Effect | None:
    _, stuck = _states(incident, host)
    text = f"{units.many(len(stuck), 'scheduler')} stuck in the kernel (state D)"
    return Effect(text, Status.SUPPORTED, tuple(t.ref for t in stuck)) if stuck else None


def _states(incident: Incident, host: Host) -> tuple[list[Timed[ev.ProcessListed]], list[Timed[ev.ProcessListed]]]:
    """The server's own schedulers that are dead, and those stuck in the kernel, by the last listing."""
    seen, own = listing(incident), own_pids(incident, last_listing(incident, host))
    if seen is None:
        return [], []
    dead, stuck = (
        [t for t in rows if t.node == host.node and (not own or t.event.pid in own)] for rows in (seen.dead, seen.stuck)
    )
    return dead, stuck


def _silent(incident: Incident) -> Effect | None:
    quiet = incident.timeline.silence
    if quiet is None or quiet < _QUIET or incident.timeline.phase() is not Phase.HOST_POOL or incident.ready:
        return None
    last = incident.timeline.progress
    refs = (last.ref,) if last and last.ref else ()
    text = f"no line for {quiet:,.0f} s after the pools were announced"
    return Effect(text, Status.SUPPORTED, refs, last.at if last else None)
