"""Retractions: how often a full KV pool threw running requests back, each counted once for all ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer import events as ev
from analyzer import units
from analyzer.immutable import immutable
from analyzer.units import assumed

if TYPE_CHECKING:
    from analyzer.evidence import Instant, Ref
    from analyzer.incident import Incident
    from analyzer.launches import Timed
    from analyzer.units import Amount, One

_APART = 3.0  # seconds: ranks of one group print the same retraction at the same moment
_MINUTE = assumed("60", "s", "the rate is given per minute")


@immutable
class Retractions:
    """All retractions of a launch. `moments` are distinct events, `requests` and `aborted` their sums.

    `per_minute` is the rate between the first and the last, over a minute at least.
    """

    moments: Amount[One]
    requests: Amount[One]
    aborted: Amount[One]
    per_minute: Amount[One]
    lines: tuple[Ref, ...]
    at: Instant | None


def retractions(incident: Incident) -> Retractions | None:
    """The sum over the launch; `None` where nothing was retracted."""
    distinct = _distinct(incident.of(ev.RequestsRetracted))
    if not distinct:
        return None
    lines = tuple(t.ref for t in distinct)
    times = [t.at.seconds for t in distinct if t.at is not None]
    span = max(times) - min(times) if times else 0.0
    moments = units.counted(sum(t.event.count for t in distinct), lines, "retractions").called("retractions")
    lasted = _measured(max(span, 60.0), "s", lines).called("from the first to the last retraction")
    minutes = (lasted / _MINUTE).called("minutes")
    return Retractions(
        moments=moments,
        requests=_sum(distinct, "requests", lines).called("requests retracted"),
        aborted=_sum(distinct, "aborted", lines).called("requests aborted for lack of room"),
        per_minute=(moments / minutes).called("retractions per minute"),
        lines=lines,
        at=distinct[0].at,
    )


def _distinct(items: list[Timed[ev.RequestsRetracted]]) -> list[Timed[ev.RequestsRetracted]]:
    """Without the echoes of other ranks: the same words at the same moment from another process."""
    found: list[Timed[ev.RequestsRetracted]] = []
    last: dict[str, Timed[ev.RequestsRetracted]] = {}
    for item in items:
        before = last.get(item.event.text)
        if before is None or before.process == item.process or not _together(before, item):
            found.append(item)
            last[item.event.text] = item
    return found


def _together(one: Timed[Any], other: Timed[Any]) -> bool:
    if one.at is None or other.at is None:
        return True
    return abs(one.at.seconds - other.at.seconds) <= _APART


def _sum(items: list[Timed[ev.RequestsRetracted]], field: str, lines: tuple[Ref, ...]) -> Amount[One]:
    found = [(amount, t.event.count) for t in items if (amount := getattr(t.event, field)) is not None]
    return _measured(float(sum(amount.value * count for amount, count in found)), "count", lines)


def _measured(value: float, unit: str, lines: tuple[Ref, ...]) -> Amount[Any]:
    return units.measured(value, unit, units.fold("sum", "RequestsRetracted", len(lines), lines[0], lines[-1]))
