"""Which launches a snapshot, a probe, a kernel's record or a person's word belongs to, and which node of each."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace
from typing import TYPE_CHECKING

from analyzer.launches import nodes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.events import Event
    from analyzer.launches.model import Launch, Timed


def mark_last(made: Sequence[Launch]) -> None:
    """Launches that share a source are one server's, in order; only the last of them decides the exit code."""
    later: set[tuple[str, str]] = set()
    for launch in reversed(made):
        servers = {(launch.role, source) for source in launch.sources}
        launch.last_of_server = not servers & later
        later |= servers


def place_outside(made: Sequence[Launch], outside: Sequence[Timed[Event]]) -> None:
    """Undated ones go to the last launch of each server; dated ones to every launch that none had followed by then."""
    places = [_Place(launch, until) for launch, until in zip(made, _followed(made), strict=True)]
    by_log: dict[str, list[_Place]] = {}
    for place in places:
        for source in place.launch.sources:
            by_log.setdefault(source, []).append(place)
    for item in outside:
        for place in by_log.get(item.ref.source, places):
            if place.concerns(item):
                place.launch.outside.append(replace(item, node=place.node(item)))


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

    def __init__(self, launch: Launch, until: float) -> None:
        self.launch = launch
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
            elsewhere = nodes.another_node(key[0], self.launch.sources)
            self._nodes[key] = elsewhere or nodes.nearest_node(key[0], self.launch.nodes, key[1]) or "n0"
        return self._nodes[key]
