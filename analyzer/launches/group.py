"""Joins the stretches of several sources into launches: nodes of one server, roles of one deployment, rotated files."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import regex

from analyzer import events as ev
from analyzer.launches import nodes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.launches.segments import Segment

_NEAR = 1800.0  # nodes of one launch are started by hand or by a scheduler within half an hour
_ROTATED = regex.compile(r"(?:\.\d+)?(?:\.(?:gz|bz2|xz|zst))?$")


@dataclass(slots=True)
class Group:
    """The stretches of one launch."""

    role: str
    segments: list[Segment] = field(default_factory=list)

    @property
    def start(self) -> float:
        """First dated second; undated launches keep the order of their files."""
        return min((s.times[0] for s in self.segments if s.times), default=0.0)


def grouped(segments: Sequence[Segment]) -> list[Group]:
    """All launches, each with its stretches."""
    groups: list[Group] = []
    for segment in sorted(segments, key=lambda s: (s.times or (0.0, 0.0), s.source, s.order)):
        role = nodes.role_of(segment)
        home = next((g for g in groups if g.role == role and all(_together(s, segment) for s in g.segments)), None)
        if home is None:
            home = Group(role)
            groups.append(home)
        home.segments.append(segment)
    return groups


def _together(one: Segment, other: Segment) -> bool:
    if (one.source, one.node_hint) == (other.source, other.node_hint):
        return False
    if not one.unsaid("nnodes") and not other.unsaid("nnodes"):
        return _several_nodes(one) and _several_nodes(other) and _near(one, other)
    if _continues(one, other):
        return True
    if one.ranks and other.ranks:
        return not one.ranks & other.ranks and _near(one, other)
    return _near(one, other) and (_several_nodes(one) or _several_nodes(other))


def _several_nodes(segment: Segment) -> bool:
    count = segment.made("nnodes")
    return isinstance(count, int) and count > 1


def _near(one: Segment, other: Segment) -> bool:
    if one.times is None or other.times is None:
        return True
    return one.times[0] - _NEAR < other.times[1] and other.times[0] - _NEAR < one.times[1]


def stem(source: str) -> str:
    """A file's name without the number and the packing that a rotation gave it."""
    return str(_ROTATED.sub("", source))


def _continues(one: Segment, other: Segment) -> bool:
    """A rotated file goes on where its predecessor stops; in one export, another pod goes on with nothing."""
    if one.node_hint != other.node_hint or stem(one.source) != stem(other.source):
        return False
    if one.times is None or other.times is None:
        return False
    later = max(one, other, key=lambda s: (s.times or (0, 0))[0])
    starts = (ev.ArgumentsPrinted, ev.DistributedInitBegun, ev.WeightLoadBegun)
    return not any(isinstance(t.event, starts) for t in later.events)
