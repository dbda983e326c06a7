"""How the resident memory of a server's processes changes from listing to listing."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from analyzer import events as ev
from analyzer.immutable import immutable
from analyzer.ledgers.durations import between
from analyzer.ledgers.processes import PARENTS, WORKERS
from analyzer.units import assumed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analyzer.evidence import Ref
    from analyzer.incident import Host, Incident
    from analyzer.launches import Timed
    from analyzer.units import Amount, Byte, One, Second

_FEWEST = 3
_HOUR = assumed("1", "h", "an hour")
_DIP = 0.05  # of the whole growth: less than that is noise
_STILL = 0.15  # of the whole growth, in the last third of the time: less is a curve that levels off


@immutable
class Growth:
    """One process over several listings; `seconds` is from the first to the last."""

    pid: int
    command: str
    first: Amount[Byte]
    last: Amount[Byte]
    seconds: Amount[Second]
    readings: tuple[tuple[float, float], ...]
    lines: tuple[Ref, ...]

    @property
    def grown(self) -> Amount[Byte]:
        """The difference; negative where it shrank."""
        return (self.last - self.first).called("grown by")

    @property
    def hours(self) -> Amount[One]:
        """The time between the first and the last listing."""
        return (self.seconds / _HOUR).called("hours between them")

    @property
    def hourly(self) -> Amount[Byte]:
        """What it grows by in an hour."""
        return (self.grown / self.hours).called("growth per hour")

    @property
    def steady(self) -> bool:
        """Whether it climbs all the time, to the end."""
        return climbs(self.readings)


def climbs(points: Sequence[tuple[float, float]]) -> bool:
    """Whether a curve rises without a step back, and without levelling off; points are (seconds, bytes) in order."""
    sizes = [size for _, size in points]
    whole = sizes[-1] - sizes[0]
    if whole <= 0 or any(later < earlier - _DIP * whole for earlier, later in pairwise(sizes)):
        return False
    begin, end = points[0][0], points[-1][0]
    before = max((size for at, size in points if at <= end - (end - begin) / 3), default=sizes[0])
    return sizes[-1] - before >= _STILL * whole


def growths(incident: Incident) -> list[Growth]:
    """The server's processes that three listings or more show, the largest growth first."""
    rows: dict[int, list[Timed[ev.ProcessListed]]] = {}
    for item in incident.of(ev.ProcessListed):
        mine = any(word in item.event.command for word in (*WORKERS, *PARENTS))
        if item.event.resident is not None and mine and not _before_ready(incident, item):
            rows.setdefault(item.event.pid, []).append(item)
    found = [growth for items in rows.values() if (growth := _growth(items)) is not None]
    return sorted(found, key=lambda g: -g.grown.value)


def _before_ready(incident: Incident, item: Timed[ev.ProcessListed]) -> bool:
    """Whether the row is from the launch, in which a process grows by design."""
    start, ready = incident.timeline.start, incident.timeline.ready
    if ready is None or ready.at is None or start is None:
        return False
    if item.at is not None:
        return item.at.seconds < ready.at.seconds
    age = item.event.elapsed
    return age is not None and float(age.value) < ready.at.seconds - start.seconds


def used_over_time(incident: Incident, host: Host) -> list[tuple[float, float, Ref]]:
    """What is in use on a host (in its container where told), at every dated look since the server was ready."""
    ready = incident.timeline.ready
    since = ready.at.seconds if ready is not None and ready.at is not None else float("inf")
    contained = [
        (t.at.seconds, t.event.used.number(), t.ref)
        for t in incident.at_node(host, ev.CgroupMemory)
        if t.at is not None and t.event.used is not None
    ]
    seen = [
        (s.at.seconds, s.event.total.number() - s.event.available.number(), s.ref)
        for s in host.snapshots
        if s.at is not None and s.event.total is not None and s.event.available is not None
    ]
    points = contained if len(contained) >= len(seen) else seen
    return sorted((point for point in points if point[0] >= since), key=lambda point: point[0])


def _growth(items: Sequence[Timed[ev.ProcessListed]]) -> Growth | None:
    dated = sorted(((at, t) for t in items if (at := _moment(t)) is not None), key=lambda pair: pair[0])
    distinct = list(_distinct(dated))
    if len(distinct) < _FEWEST:
        return None
    first, last = distinct[0][1], distinct[-1][1]
    seconds, start, end = _apart(first, last), first.event.resident, last.event.resident
    if seconds is None or seconds.value <= 0 or start is None or end is None:
        return None
    return Growth(
        pid=last.event.pid,
        command=last.event.command,
        first=start.called("resident at first"),
        last=end.called("resident at last"),
        seconds=seconds,
        readings=tuple((at, t.event.resident.number()) for at, t in distinct if t.event.resident is not None),
        lines=tuple(t.ref for _, t in distinct),
    )


def _moment(item: Timed[Any]) -> float | None:
    """The process's age where it is told, which needs no clock; else the time of the listing."""
    if item.event.elapsed is not None:
        return float(item.event.elapsed.value)
    return item.at.seconds if item.at is not None else None


def _distinct(
    dated: Sequence[tuple[float, Timed[ev.ProcessListed]]],
) -> Iterator[tuple[float, Timed[ev.ProcessListed]]]:
    """One row per moment: several tools may have listed it at once."""
    latest = None
    for at, item in dated:
        if latest is None or at - latest >= 1.0:
            yield at, item
            latest = at


def _apart(first: Timed[ev.ProcessListed], last: Timed[ev.ProcessListed]) -> Amount[Second] | None:
    if first.event.elapsed is not None and last.event.elapsed is not None:
        return last.event.elapsed - first.event.elapsed
    if first.at is None or last.at is None:
        return None
    return between((first.at, first.ref), (last.at, last.ref), "time between them")
