"""Which launches a snapshot, a probe, a kernel's record or a person's word belongs to, and which node of each."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer.launches import nodes
from analyzer.launches.servers import servers_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from analyzer.events import Event
    from analyzer.launches.model import Launch, Timed
    from analyzer.launches.servers import Server

NO_HOSTS: Mapping[str, frozenset[str]] = MappingProxyType({})
_SHOWN = 4  # names of hosts
# What tells of an end that has been: between the lines of two launches in one log it is of the one before.
_OF_AN_END = (ev.ExitCode, ev.OrchestratorAct, ev.OomKill, ev.OomVictim)


def mark_last(made: Sequence[Launch]) -> None:
    """Of the launches of one server only the last decides the exit code."""
    later: set[tuple[str, Server]] = set()
    for launch, place in zip(reversed(made), reversed(servers_of(made)), strict=True):
        launch.last_of_server = not any((launch.role, server) in later for server in place.followed_by)
        later.update((launch.role, server) for server in place.own)


def place_outside(
    made: Sequence[Launch], outside: Sequence[Timed[Event]], hosts: Mapping[str, frozenset[str]] = NO_HOSTS
) -> None:
    """Undated ones go to the last launch of each server; dated ones to every launch that none had followed by then.

    What tells of an end, and stands in a log between two launches, goes to the one that it follows there.
    `hosts` are those whose outputs a source holds, by its name.
    """
    everyone: set[tuple[str, str]] = set()
    places = [_Place(launch, until, hosts, everyone) for launch, until in zip(made, _followed(made), strict=True)]
    by_log: dict[str, list[_Place]] = {}
    for place in places:
        for source in place.launch.sources:
            by_log.setdefault(source, []).append(place)
    for item in outside:
        near = by_log.get(item.ref.source, places)
        ended = _between(near, item) if isinstance(item.event, _OF_AN_END) and len(near) > 1 else []
        for place in ended or near:
            if ended or place.concerns(item):
                place.launch.outside.append(replace(item, node=place.node(item)))


def placeless(made: Sequence[Launch], hosts: Mapping[str, frozenset[str]]) -> list[str]:
    """A sentence on each source with the outputs of several hosts of which none is known to be a launch's."""
    return [
        f"{source} holds outputs of {len(names)} hosts ({', '.join(sorted(names)[:_SHOWN])}"
        f"{', …' if len(names) > _SHOWN else ''}), and no log says on which of them its server ran, so they are not "
        "counted; a log that has the host in its name tells"
        for source, names in hosts.items()
        if len(names) > 1 and not any(nodes.named_node(name, launch) for launch in made for name in names)
    ]


def _followed(made: Sequence[Launch]) -> list[float]:
    """When the next launch of one of the same servers begins, for each; infinite where none does."""
    begins = [min((t.at.seconds for t in launch.events if t.at), default=0.0) for launch in made]
    servers = servers_of(made)
    of_server: dict[Server, list[float]] = {}
    for begin, place in sorted(zip(begins, servers, strict=True), key=lambda pair: pair[0]):
        for server in place.own:
            of_server.setdefault(server, []).append(begin)
    return [
        min((_next(of_server.get(server, []), begin) for server in place.followed_by), default=float("inf"))
        for begin, place in zip(begins, servers, strict=True)
    ]


def _next(begins: list[float], begin: float) -> float:
    at = bisect_right(begins, begin)
    return begins[at] if at < len(begins) else float("inf")


def _between(places: Sequence[_Place], item: Timed[Event]) -> list[_Place]:
    """The launches that end last before an item in their log, where it stands in none and others begin behind it."""
    spans = [(place, *place.written(item.ref.source)) for place in places]
    at = item.written
    if any(first <= at <= last for _, first, last in spans) or all(first < at for _, first, _ in spans):
        return []
    until = max((last for _, _, last in spans if last < at), default=None)
    return [place for place, _, last in spans if last == until and place.lasts(item)]


class _Place:
    """One launch, followed by another one of its server at the second `until`.

    `everyone` is who speaks in any log, by name, of which this launch's are told to it.
    """

    def __init__(
        self, launch: Launch, until: float, hosts: Mapping[str, frozenset[str]], everyone: set[tuple[str, str]]
    ) -> None:
        self.launch = launch
        self._hosts = hosts
        self._until = until
        self._speakers = {(t.ref.source, t.event.where.node) for t in launch.events}
        self._everyone = everyone
        everyone |= self._speakers
        self._nodes: dict[tuple[str, str], str] = {}
        self._lines: dict[str, tuple[int, int]] = {}
        for item in launch.events:
            source = item.ref.source
            at = [launch.written(source, line) for line in (item.ref.line, item.ref.last_line)]
            first, last = self._lines.get(source, (min(at), max(at)))
            self._lines[source] = min(first, *at), max(last, *at)

    def written(self, source: str) -> tuple[int, int]:
        """The places of its first and its last line in a source; the last lies before the first where it has none."""
        return self._lines.get(source, (1, 0))

    def concerns(self, item: Timed[Event]) -> bool:
        """Whether it says something of this launch; what stands in a log does so of its launches alone.

        What speaks there under a name does so of those of that name.
        """
        source, name = item.ref.source, item.event.where.node
        if name and (source, name) not in self._speakers and (source, name) in self._everyone:
            return False
        if source in self.launch.sources and not self.launch.last_of_server:
            first, last = self.written(source)
            return first <= item.written <= last
        return self.launch.last_of_server if item.at is None else self.lasts(item)

    def lasts(self, item: Timed[Event]) -> bool:
        """Whether no other launch had followed this one by the item's time, where it has one."""
        return item.at is None or item.at.seconds < self._until

    def node(self, item: Timed[Event]) -> str:
        """The node that it speaks of, by the names of its source and of the logs."""
        key = item.ref.source, item.event.where.node
        if key not in self._nodes:
            hosts = self._hosts.get(key[0], frozenset())
            if len(hosts) > 1 and key[1] in hosts:  # of several, at most one is the node's
                self._nodes[key] = nodes.named_node(key[1], self.launch) or key[1]
                return self._nodes[key]
            elsewhere = nodes.another_node(key[0], self.launch.sources)
            self._nodes[key] = elsewhere or nodes.nearest_node(key[0], self.launch.nodes, key[1]) or "n0"
        return self._nodes[key]
