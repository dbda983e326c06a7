"""Clocks of two nodes that differ by whole zones: the offset is found from the steps that both take together."""

from __future__ import annotations

from dataclasses import replace
from statistics import median
from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer.launches.nodes import node_order

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.launches.segments import Segment

# Steps that all nodes of a server take within seconds of each other, since each ends in a barrier.
_TOGETHER = (
    ev.DistributedInitBegun,
    ev.DistributedInitEnded,
    ev.WeightLoadBegun,
    ev.MemoryPoolEnded,
    ev.GraphCaptureBegun,
    ev.GraphCaptureEnded,
)
_QUARTER = 900.0  # zones differ by multiples of a quarter of an hour
_APART = 45.0
_LARGEST = 26 * 3600.0  # from -12:00 to +14:00


def offsets(segments: Sequence[Segment]) -> dict[str, float]:
    """Seconds that a source's clock is ahead of the first node's, where that is a matter of zones; else left out.

    Two steps at least must agree, each within 45 s of a whole quarter of an hour.
    """
    found: dict[str, float] = {}
    nodes = node_order([s for s in segments if _of_several(s)])
    for index, later in enumerate(nodes):
        for first in nodes[:index]:
            ahead = _ahead(first, later)
            if ahead and first.source != later.source and later.source not in found:
                found[later.source] = ahead + found.get(first.source, 0.0)
    return found


def _of_several(segment: Segment) -> bool:
    count = segment.made("nnodes")
    return isinstance(count, int) and count > 1


def _ahead(first: Segment, later: Segment) -> float:
    mine, theirs = _steps(first), _steps(later)
    gaps = [theirs[step] - mine[step] for step in mine.keys() & theirs.keys()]
    if len(gaps) < 2:  # noqa: PLR2004 - one step could be a coincidence
        return 0.0
    whole = round(median(gaps) / _QUARTER) * _QUARTER
    agreed = all(abs(gap - whole) <= _APART for gap in gaps)
    return whole if agreed and 0 < abs(whole) <= _LARGEST else 0.0


def _steps(segment: Segment) -> dict[type[ev.Event], float]:
    found: dict[type[ev.Event], float] = {}
    for item in segment.events:
        kind = type(item.event)
        if item.at is not None and kind in _TOGETHER and kind not in found:
            found[kind] = item.at.seconds
    return found


def shifted(segment: Segment, ahead: float) -> None:
    """Puts a stretch on the first node's clock; its table rows follow when they are cut out."""
    segment.ahead = ahead
    segment.events = [
        replace(t, at=t.at._replace(seconds=t.at.seconds - ahead)) if t.at is not None else t for t in segment.events
    ]


def sentence(source: str, ahead: float) -> str:
    """The offset for people."""
    hours, minutes = divmod(round(abs(ahead) / 60), 60)
    direction = "ahead of" if ahead > 0 else "behind"
    return f"the clock of {source} is {hours}:{minutes:02d} h {direction} the first node's; its times were shifted"
