"""Findings that the server's own error line names: which of its lines ended it, and what they say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer import events as ev
from analyzer import units
from analyzer.ledgers.endings import ends_it
from analyzer.verdict import Claim, Cleared, Found
from analyzer.vocabulary import Part, Status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from analyzer.evidence import Ref
    from analyzer.incident import Incident
    from analyzer.launches import Timed
    from analyzer.units import Amount
    from analyzer.verdict import Confirm, Remedy, Verdict

# What the parent, the peers, the probes and the clients show once a process of the server has ended with an error.
AFTER_A_CRASH = (
    "scheduler-crashed",
    "collective-timeout",
    "distributed-init-stalled",
    "warmup-failed",
    "scheduler-stalled",
    "launch-stalled",
    "zombie-server",
    "pd-transfer-failed",
    "killed-by-unknown-sender",
)
_EARLIER = 5.0  # seconds: a worker's traceback and the exception that it causes in its rank lie closer together
# The figures an error line may carry, and what they are called in the calculation.
_FIGURES = {
    "wanted": "asked for",
    "free": "free",
    "total": "in all",
    "used": "in use",
    "tokens": "tokens",
    "limit": "limit",
    "ratio": "ratio",
    "elapsed": "after",
    "code": "code",
    "available": "available",
    "evictable": "evictable",
    "protected": "protected",
    "needed": "would do",
    "sequence": "number of the collective",
    "enqueued": "last queued",
    "completed": "last finished",
}


def decisive(incident: Incident, *topics: str) -> list[Timed[ev.Failure]]:
    """The error lines about these topics that ended a process or after which the server did no more work."""
    lines = incident.failures(*topics)
    if not lines:
        return []
    ended, passing = unhandled(incident), _in_passing(incident)
    return [t for t in lines if record(t.ref) in ended or (ends_it(incident, t) and record(t.ref) not in passing)]


def by_its_lines(
    incident: Incident, topic: str, found: Callable[[Incident, list[Timed[ev.Failure]]], Verdict]
) -> Iterator[Verdict]:
    """What `found` makes of the topic's lines that ended the server, in time; else why the others did no harm."""
    lines = in_time(decisive(incident, topic))
    if lines:
        yield found(incident, lines)
    else:
        yield from survived(incident, topic)


def while_launching(incident: Incident, lines: list[Timed[ev.Failure]]) -> list[Timed[ev.Failure]]:
    """Those of the lines that come before the server served, or ended a process: requests fail in the same words."""
    if not incident.ready:
        return lines
    ready, ended = incident.timeline.ready, unhandled(incident)
    at = ready.at.seconds if ready is not None and ready.at is not None else float("-inf")
    return [t for t in lines if record(t.ref) in ended or (t.at is not None and t.at.seconds < at)]


def in_time(lines: list[Timed[ev.Failure]]) -> list[Timed[ev.Failure]]:
    """The same lines in the order of time, undated ones last."""
    return sorted(lines, key=lambda t: (t.at.seconds if t.at else float("inf"), t.written))


def unhandled(incident: Incident) -> frozenset[Ref]:
    """The records of exceptions that a process of the server says it ended with, whatever other ranks still did."""
    return incident.launch.once("unhandled", lambda: _unhandled(incident))


def _unhandled(incident: Incident) -> frozenset[Ref]:
    raised = [t for t in incident.of(ev.ExceptionRaised) if t.event.process in {"scheduler", "detokenizer"}]
    return frozenset(record(t.ref) for t in raised if not t.event.handled)


def _in_passing(incident: Incident) -> frozenset[Ref]:
    """Tracebacks that say so, or of no process's end and well before one that is: printed by code that went on."""
    raised = incident.of(ev.ExceptionRaised)
    ends = [t.at.seconds for t in raised if t.event.process and not t.event.handled and t.at is not None]
    last = min(ends, default=float("-inf")) - _EARLIER
    early = [t for t in raised if not t.event.process and t.at is not None and t.at.seconds < last]
    return frozenset(record(t.ref) for t in (*early, *(t for t in raised if t.event.handled)))


def record(ref: Ref) -> Ref:
    """The whole record of a line: what two events of one record have in common."""
    return ref._replace(start=0, end=0, column=0)


def figures(event: ev.Failure) -> tuple[Amount[Any], ...]:
    """The numbers that the line carries, named."""
    found = ((getattr(event, field), name) for field, name in _FIGURES.items())
    return tuple(amount.called(name) for amount, name in found if amount is not None)


def survived(incident: Incident, topic: str) -> Iterator[Verdict]:
    """What is left to say of a topic without a decisive line: cleared, where an error line did no harm."""
    handled = incident.failures(topic)
    if handled:
        why = "it did not end the server" if ends_it(incident, handled[0]) else "the server worked on after"
        yield Cleared(f"{why}: {handled[0].event.text[:120]}", (handled[0].ref,))


def from_lines(
    lines: list[Timed[ev.Failure]],
    *,
    remedy: tuple[Remedy, ...],
    confirm: tuple[Confirm, ...],
    status: Status = Status.ESTABLISHED,
    explanation: str = "",
) -> Found:
    """One finding from the error lines of one topic; the first of them speaks."""
    first = lines[0].event
    who = sorted({t.process for t in lines})
    several = f" ({len(who)} processes)" if len(who) > 1 else ""
    said_by = first.detail or first.text
    numbers = next((f for t in lines if (f := figures(t.event))), ())
    shown = ", ".join(f"{a.name} {units.shown(a)}" for a in numbers[:3])
    return Found(
        summary=f"{said_by[:200]}{several}" + (f" ({shown})" if shown and first.detail else ""),
        claims=(Claim(Part.EFFECT, first.text[:200], status, tuple(t.ref for t in lines[:8])),),
        explanation=explanation,
        numbers=numbers,
        lines=tuple(t.ref for t in lines),
        remedy=remedy,
        confirm=confirm,
        at=lines[0].at,
    )
