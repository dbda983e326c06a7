"""All sources to launches: cut at restarts, nodes and roles joined, copies dropped, clocks aligned."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer import knowledge
from analyzer.launches import nodes, zones
from analyzer.launches.arguments import Arguments, from_events
from analyzer.launches.clock import Clock, anchor, naive_span, parse_zone
from analyzer.launches.containers import of_the_server
from analyzer.launches.ends import set_aside
from analyzer.launches.group import Group, grouped, stem
from analyzer.launches.hosts import hosts_told
from analyzer.launches.model import Launch, Timed
from analyzer.launches.outside import mark_last, place_outside, placeless
from analyzer.launches.rows import tables_of
from analyzer.launches.segments import Segment, split, timed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.parsers.parsed import Parsed

# What says that something ended or fell ill, and what stands beside such words.
_TELLS_OF_ENDS = (
    ev.ExitCode,
    ev.OrchestratorAct,
    ev.ProbeFailed,
    ev.OomKill,
    ev.OomVictim,
    ev.GpuFault,
    ev.Fact,
    ev.ReleaseStated,
    ev.ClockRead,
)

__all__ = ["Arguments", "Gathered", "Launch", "Timed", "launches"]


@dataclass(slots=True)
class Gathered:
    """What all sources together hold: the launches in time order, and notes on what was dropped or assumed."""

    launches: list[Launch]
    notes: list[str]


def launches(sources: Sequence[Parsed], *, release: str | None = None, zone: str | None = None) -> Gathered:
    """Builds the launches of one incident.

    `release` is a release given by the user; `zone` the zone of zone-less stamps. An input without any line of a
    server still gives one launch (of snapshots alone) if a snapshot shows one, else none.
    """
    kept, notes = _without_copies(sources)
    span, day = naive_span(kept), anchor(kept)
    given_zone = parse_zone(zone, day) if zone else None
    segments: list[Segment] = []
    outside: list[Timed[ev.Event]] = []
    for source in kept:
        clock = Clock(day, span, given_zone)
        mine, others = split(source, timed(source, clock), clock)
        segments += mine
        outside += others
    ahead = zones.offsets(segments)
    for segment in segments:
        zones.shifted(segment, ahead.get(segment.source, 0.0))
    notes += [zones.sentence(name, offset) for name, offset in ahead.items()]
    groups = grouped(segments)
    if not groups and outside:
        groups = [Group("standalone")]
    made = [_launch(f"launch-{i + 1}", g, kept, release) for i, g in enumerate(sorted(groups, key=lambda g: g.start))]
    told = hosts_told(kept)
    for launch in made:
        launch.shown = bool(launch.sources) or _shows_server(outside)
        launch.hosts_told = told
    mark_last(made)
    hosts = {source.name: frozenset(source.hosts) for source in kept if source.hosts}
    place_outside(made, outside, hosts)
    notes += placeless(made, hosts)
    for launch in made:
        set_aside(launch)
        launch.outside = of_the_server(launch.outside)
        _complete(launch, release)
    return Gathered(made, notes)


def _without_copies(sources: Sequence[Parsed]) -> tuple[list[Parsed], list[str]]:
    """Each content once; of two names the one that has rotated files beside it stays."""
    siblings = Counter(stem(source.name) for source in sources)
    first: dict[str, str] = {}
    for source in sorted(sources, key=lambda s: -siblings[stem(s.name)]):
        first.setdefault(source.sha256, source.name)
    kept, notes = [], []
    for source in sources:
        name = first[source.sha256] if source.bytes else source.name
        if name == source.name:
            kept.append(source)
        else:
            notes.append(f"{source.name} is a copy of {name} and was left out")
    return kept, notes


def _shows_server(outside: Sequence[Timed[ev.Event]]) -> bool:
    """A process listing, a container's state or a memory snapshot: enough to speak of a server without its log.

    What tells of ends alone (a list of events, the kernel's records) may speak of anything.
    """
    return any(
        bool(t.event.server) and not t.event.mentioned
        if isinstance(t.event, ev.Workload)
        else not isinstance(t.event, _TELLS_OF_ENDS)
        for t in outside
    )


def _launch(id_: str, group: Group, sources: Sequence[Parsed], release: str | None) -> Launch:
    ordered = nodes.node_order(group.segments)
    several = len({(s.source, s.node_hint) for s in ordered}) > 1 and not _continued(ordered)
    node_of = {id(s): f"n{i}" if several else "n0" for i, s in enumerate(ordered)}
    by_node: dict[str, tuple[str, ...]] = {}
    for segment in ordered:
        node = node_of[id(segment)]
        by_node[node] = (*by_node.get(node, ()), segment.source)
    events = [replace(t, node=node_of[id(s)]) for s in ordered for t in s.events]
    if several or _continued(ordered):
        events.sort(key=lambda t: t.at.seconds if t.at else 0.0)
    arguments = from_events([a for s in ordered for a in s.arguments], [])
    name = ", ".join(dict.fromkeys(s.node_hint or s.source for s in ordered)) or "server"
    return Launch(
        id=id_,
        role=group.role,
        name=name,
        sources=tuple(dict.fromkeys(s.source for s in ordered)),
        nodes=by_node or {"n0": ()},
        events=events,
        outside=[],
        arguments=arguments,
        release=knowledge.Release.of(release, [], []),
        tables=tables_of(ordered, sources, node_of),
        newest_first=frozenset(s.source for s in ordered if s.newest_first),
    )


def _continued(segments: Sequence[Segment]) -> bool:
    """Whether these are one log in rotated pieces, rather than several nodes."""
    return (
        len(segments) > 1
        and not any(a.ranks and b.ranks and not a.ranks & b.ranks for a, b in _pairs(segments))
        and (sum(bool(s.arguments) for s in segments) <= 1 and all(s.made("nnodes") in {None, 1} for s in segments))
    )


def _pairs(segments: Sequence[Segment]) -> list[tuple[Segment, Segment]]:
    return [(a, b) for i, a in enumerate(segments) for b in segments[i + 1 :]]


def _complete(launch: Launch, release: str | None) -> None:
    """Arguments and release, which snapshots and notes may tell better than the log."""
    printed = [t.event for t in launch.events if isinstance(t.event, ev.ArgumentsPrinted)]
    typed = [t.event for t in launch.outside if isinstance(t.event, ev.CommandLine)]
    launch.arguments = from_events(printed, _matching(printed, typed))
    stated = [t.event for t in (*launch.outside, *launch.events) if isinstance(t.event, ev.ReleaseStated)]
    wordings = [t.event.where for t in launch.events]
    launch.release = knowledge.Release.of(
        release or (stated[0].version if stated else None),
        [w.since for w in wordings if w.since],
        [w.until for w in wordings if w.until],
        within=knowledge.dated_by(printed[0].values) if printed else (None, None),
        fork=release is None and bool(stated) and stated[0].fork,
    )


def _matching(printed: Sequence[ev.ArgumentsPrinted], typed: Sequence[ev.CommandLine]) -> list[ev.CommandLine]:
    """The command line of this server, where a listing shows several: the one whose port is the printed one."""
    port = printed[0].values.get("port") if printed else None
    if port is None or len(typed) < 2:  # noqa: PLR2004 - nothing to choose from
        return list(typed)
    return [t for t in typed if knowledge.parse_argv(t.argv).get("port", 30000) == port] or list(typed[:1])
