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
_STEPS = 2  # one could be a coincidence
_QUARTER = 900.0  # zones differ by multiples of a quarter of an hour
_APART = 45.0
_LARGEST = 26 * 3600.0  # from -12:00 to +14:00


def offsets(segments: Sequence[Segment]) -> dict[str, float]:
    """Seconds that a source's clock is ahead of the first node's, where that is a matter of zones; else left out.

    Two steps at least must agree, each within 45 s of a whole quarter of an hour; three where the argument line that
    would say that these are nodes of one server is missing or cut off.
    """
    found: dict[str, float] = {}
    nodes = node_order([s for s in segments if _of_several(s) or s.unsaid("nnodes")])
    for index, later in enumerate(nodes):
        for first in nodes[:index]:
            declared = _of_several(first) and _of_several(later)
            if not declared and not _one_server(first, later):
                continue
            ahead = _ahead(first, later, least=_STEPS if declared else _STEPS + 1)
            if ahead and first.source != later.source and later.source not in found:
                found[later.source] = ahead + found.get(first.source, 0.0)
    return found


def _of_several(segment: Segment) -> bool:
    count = segment.made("nnodes")
    return isinstance(count, int) and count > 1


def _one_server(first: Segment, later: Segment) -> bool:
    """Whether two stretches are parts of one server: ranks that complete each other, of the same weights."""
    ranks = first.ranks | later.ranks
    whole = bool(first.ranks and later.ranks) and not first.ranks & later.ranks and ranks == set(range(len(ranks)))
    return whole and any(mine & theirs for mine, theirs in zip(_weights(first), _weights(later), strict=True))


def _weights(segment: Segment) -> tuple[set[object], set[object], set[object]]:
    """What tells the weights and the meeting point: the model's path, its architecture, the first node's address."""
    loaded: set[object] = {t.event.architecture for t in segment.events if isinstance(t.event, ev.WeightsLoaded)}
    return {segment.made("model_path")} - {None}, loaded - {""}, {segment.made("dist_init_addr")} - {None}


def _ahead(first: Segment, later: Segment, *, least: int) -> float:
    mine, theirs = _steps(first), _steps(later)
    gaps = [theirs[step] - mine[step] for step in mine.keys() & theirs.keys()]
    if len(gaps) < least:
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
