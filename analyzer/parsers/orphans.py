"""Tracebacks that name no process, given to the child whose failure the parent reports next.

A pasted log often begins in the middle of a traceback: its head, which named the process, is missing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from analyzer.events import ChildFailed, ExceptionRaised

if TYPE_CHECKING:
    from analyzer.events import Event

_NEAR = 40  # lines; a parent reports a child within moments


def adopted(events: list[Event]) -> list[Event]:
    """The same events in their order; the last nameless exception before the parent's report is a scheduler's.

    Not where a named process raised one before: then the nameless one may be anybody's.
    """
    heard = next((n for n, event in enumerate(events) if isinstance(event, ChildFailed)), None)
    if heard is None:
        return events
    raised = [n for n, event in enumerate(events[:heard]) if isinstance(event, ExceptionRaised)]
    if not raised or any(_named(events[n]) for n in raised):
        return events
    last = events[raised[-1]]
    apart = events[heard].where.ref.line - last.where.ref.last_line
    if not isinstance(last, ExceptionRaised) or last.handled or not 0 < apart <= _NEAR:
        return events
    where = replace(last.where, speaker="scheduler")
    return [*events[: raised[-1]], replace(last, where=where, process="scheduler"), *events[raised[-1] + 1 :]]


def _named(event: Event) -> bool:
    return isinstance(event, ExceptionRaised) and bool(event.process)
