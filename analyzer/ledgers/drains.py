"""Shutdowns that wait for requests: one that waits in vain, one that was cut off."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer import events as ev
from analyzer import units
from analyzer.immutable import immutable
from analyzer.ledgers import endings
from analyzer.vocabulary import Phase

if TYPE_CHECKING:
    from analyzer.incident import Incident
    from analyzer.launches import Timed

_REPEATED = 3
_DRAINING = 120.0  # seconds without any batch, in which requests that are still served would show one
_TOLD_EVERY = 60.0  # seconds in which a drain says several times what it waits for; it does every five


@immutable
class Cut:
    """A drain that SIGKILL ended: what tells of the kill, and the last count of requests, where one was told."""

    kill: endings.Ending
    left: Timed[ev.ShutdownStep] | None


def stuck(incident: Incident) -> tuple[Timed[ev.ShutdownStep], Timed[ev.ShutdownStep]] | None:
    """First and last step of a shutdown that waits for requests which nobody serves any more."""
    last = incident.timeline.progress
    steps = [t for t in incident.of(ev.ShutdownStep) if t.at and (last is None or t.at.seconds > last.at.seconds)]
    if len(steps) < _REPEATED or steps[0].at is None or steps[-1].at is None:
        return None
    return (steps[0], steps[-1]) if steps[-1].at.seconds - steps[0].at.seconds >= _DRAINING else None


def cut(incident: Incident) -> Cut | None:
    """A drain that had to be cut: SIGKILL after a request to stop, and more than SIGKILL alone to show it.

    A server ends its own processes by SIGKILL when its drain is over. So requests were left when it last told of
    them, and nothing was told later; or systemd, docker or podman says that it waited no longer.
    """
    stop, kill = endings.stop(incident), endings.kill(incident)
    if stop is None or kill is None or endings.before(kill, stop):
        return None
    left = _left(incident)
    if left and left.at and kill.item.at and kill.item.at.seconds - left.at.seconds > _TOLD_EVERY:
        left = None  # what it said between, the log does not have
    return Cut(kill, left) if left is not None or endings.forced(incident) else None


def met_in(incident: Incident, record: Timed[Any]) -> Phase | None:
    """The phase in which a kill met the server: its shutdown where it had been asked to stop by then."""
    stop = endings.stop(incident)
    if stop is not None and not endings.came_first(record, stop.item):
        return Phase.SHUTDOWN
    return incident.timeline.phase()


def left_over(cut: Cut) -> str:
    """How many requests were left, for the end of a sentence; empty where nothing tells."""
    count = cut.left.event.remaining if cut.left is not None else None
    return f", with {units.shown(count)} requests left" if count is not None else ""


def _left(incident: Incident) -> Timed[ev.ShutdownStep] | None:
    """The last word of the shutdown, where it tells of requests; after a further order a server ends by itself."""
    steps, orders = incident.of(ev.ShutdownStep), incident.of(ev.StopRequested)
    if not steps:
        return None
    count = None if any(endings.came_first(steps[-1], t) for t in orders) else steps[-1].event.remaining
    return steps[-1] if count is not None and count.value > 0 else None
