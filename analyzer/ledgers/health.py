"""Failed health checks and watchdogs: whether the heartbeat stands still, since when, and whether it came back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer.evidence import Instant
from analyzer.immutable import immutable

if TYPE_CHECKING:
    from analyzer.incident import Incident
    from analyzer.launches import Timed

_DAY = 86400.0
_APART = 20.0  # seconds between the first and the last of several failed checks; closer ones are one client's retries
_ALONE = 120.0  # seconds that went on after a single failed check, for it to show a stall


@immutable
class Frozen:
    """Health checks that failed after the last progress, over a heartbeat that did not move."""

    since: Instant
    checks: tuple[Timed[ev.HealthFailed], ...]


def frozen(incident: Incident) -> Frozen | None:
    """The stall that failed health checks show; `None` where the heartbeat moved or work went on."""
    checks = [
        t for t in incident.of(ev.HealthFailed) if t.event.heartbeat and t.at is not None and _unanswered(incident, t)
    ]
    beats = {t.event.heartbeat for t in checks}
    if len(beats) != 1:
        return None
    since = beat(checks[-1])
    if since is None:
        return None
    first, last = checks[0].at, checks[-1].at
    if first is None or last is None:
        return None
    clock = incident.timeline.clock
    long_enough = last.seconds - first.seconds >= _APART or (
        clock is not None and clock.at.seconds - last.seconds >= _ALONE
    )
    return Frozen(since, tuple(checks)) if long_enough else None


def beat(check: Timed[ev.HealthFailed]) -> Instant | None:
    """When the heartbeat that a check prints was: a time of day, at or before the check."""
    parts = check.event.heartbeat.split(":")
    if check.at is None or len(parts) != 3 or not all(p.isdigit() for p in parts):  # noqa: PLR2004 - h:m:s
        return None
    of_day = float(int(parts[0]) * 3600 + int(parts[1]) * 60 + int(parts[2]))
    midnight = check.at.seconds - check.at.seconds % _DAY
    moment = midnight + of_day
    return Instant(moment if moment <= check.at.seconds + 1.0 else moment - _DAY)


def _unanswered(incident: Incident, item: Timed[ev.HealthFailed] | Timed[ev.WatchdogFired]) -> bool:
    """Whether no work was done after it, nor shortly before it."""
    last = incident.timeline.progress
    return last is None or item.at is None or item.at.seconds >= last.at.seconds


def fired(incident: Incident) -> list[Timed[ev.WatchdogFired]]:
    """Watchdogs after which no work was done; a soft one only says so and ends nothing."""
    return [t for t in incident.of(ev.WatchdogFired) if _unanswered(incident, t)]


def recovered(incident: Incident) -> list[Timed[ev.HealthFailed]]:
    """Failed health checks after which work went on."""
    return [
        t
        for t in incident.of(ev.HealthFailed)
        if t.event.heartbeat and t.at is not None and not _unanswered(incident, t)
    ]
