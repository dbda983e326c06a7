"""Which launches a snapshot, a probe, a kernel's record or a person's word belongs to, and which node of each."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from analyzer.launches import nodes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from analyzer.events import Event
    from analyzer.launches.model import Launch, Timed

NO_HOSTS: Mapping[str, frozenset[str]] = MappingProxyType({})
_SHOWN = 4  # names of hosts


def mark_last(made: Sequence[Launch]) -> None:
    """Launches that share a source are one server's, in order; only the last of them decides the exit code."""
    later: set[tuple[str, str]] = set()
    for launch in reversed(made):
        servers = {(launch.role, source) for source in launch.sources}
        launch.last_of_server = not servers & later
        later |= servers


def place_outside(
    made: Sequence[Launch], outside: Sequence[Timed[Event]], hosts: Mapping[str, frozenset[str]] = NO_HOSTS
) -> None:
    """Undated ones go to the last launch of each server; dated ones to every launch that none had followed by then.

    `hosts` are those whose outputs a source holds, by its name.
    """
    places = [_Place(launch, until, hosts) for launch, until in zip(made, _followed(made), strict=True)]
    by_log: dict[str, list[_Place]] = {}
    for place in places:
        for source in place.launch.sources:
            by_log.setdefault(source, []).append(place)
    for item in outside:
        for place in by_log.get(item.ref.source, places):
            if place.concerns(item):
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
    """When the next launch in one of the same logs begins, for each; infinite where none does."""
    begins = [min((t.at.seconds for t in launch.events if t.at), default=0.0) for launch in made]
    in_log: dict[str, list[float]] = {}
    for begin, launch in sorted(zip(begins, made, strict=True), key=lambda pair: pair[0]):
        for source in launch.sources:
            in_log.setdefault(source, []).append(begin)
    return [
        min((_next(in_log[source], begin) for source in launch.sources), default=float("inf"))
        for begin, launch in zip(begins, made, strict=True)
    ]


def _next(begins: list[float], begin: float) -> float:
    at = bisect_right(begins, begin)
    return begins[at] if at < len(begins) else float("inf")


class _Place:
    """One launch, followed by another one of its server at the second `until`."""

    def __init__(self, launch: Launch, until: float, hosts: Mapping[str, frozenset[str]]) -> None:
        self.launch = launch
        self._hosts = hosts
        self._until = until
        self._nodes: dict[tuple[str, str], str] = {}
        self._lines: dict[str, tuple[int, int]] = {}
        for item in launch.events:
            first = self._lines.get(item.ref.source, (item.ref.line, 0))[0]
            self._lines[item.ref.source] = first, item.ref.last_line

    def concerns(self, item: Timed[Event]) -> bool:
        """Whether it says something of this launch; what stands in a log does so of its launches alone."""
        source = item.ref.source
        if source in self.launch.sources and not self.launch.last_of_server:
            first, last = self._lines.get(source, (1, 0))
            return first <= item.ref.line <= last
        return self.launch.last_of_server if item.at is None else item.at.seconds < self._until

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
