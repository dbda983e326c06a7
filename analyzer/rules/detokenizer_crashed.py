"""The detokenizer process ended with an exception of its own.

What it is. One process turns token ids back into text for all requests. When it raises, no answer leaves the server
any more, and the parent takes everything down.

How it shows. `DetokenizerManager hit an exception: …`; `Decode status not found for request …`, when more requests
are in flight than its table of 65,536 (SGLANG_DETOKENIZER_MAX_STATES) holds.

What it is mistaken for. A lack of memory: `due to memory pressure` in that message means the table's limit, not RAM.
A dead scheduler: health checks that wait for the detokenizer fail for any stalled scheduler, too.

What confirms and refutes it. Its own traceback, before any other process's exception.

How it is fixed. A larger SGLANG_DETOKENIZER_MAX_STATES, fewer requests at once, several detokenizer workers, or the
release that fixes the exception.

Since and until which release. Any; the table is bounded in all of them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer import units
from analyzer.ledgers.spoken import AFTER_A_CRASH, decisive, from_lines, in_time, record, survived
from analyzer.rule import rule
from analyzer.units import of_release
from analyzer.verdict import Claim, Cleared, Confirm, Remedy
from analyzer.vocabulary import Part, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.incident import Incident
    from analyzer.launches import Timed
    from analyzer.verdict import Found, Verdict

_TOPIC = "detokenizer-crashed"
_TABLE = "detokenizer-state-lost"
_CONFIRM = (
    Confirm("grep -n 'SGLANG_DETOKENIZER' /proc/1/environ", "whether its table's size was set", where="container"),
)
_ITS_OWN = 1.0  # seconds: an exception of another process this much earlier came first


@rule(_TOPIC, explains=AFTER_A_CRASH)
def crashed(incident: Incident) -> Iterator[Verdict]:
    """Its first exception, where no scheduler raised one before it."""
    lines = in_time(decisive(incident, _TOPIC))
    if not lines:
        yield from survived(incident, _TOPIC)
        return
    earlier = _before(incident, lines[0])
    if earlier is not None:
        yield Cleared(f"{earlier.process} raised {earlier.event.type} before it", (earlier.ref,))
    else:
        yield _found(incident, lines)


def _before(incident: Incident, first: Timed[ev.Failure]) -> Timed[ev.ExceptionRaised] | None:
    raised = [t for t in incident.of(ev.ExceptionRaised) if t.event.process == "scheduler" and not t.event.handled]
    if first.at is None:
        return next(iter(raised), None)
    return next((t for t in raised if t.at and t.at.seconds <= first.at.seconds - _ITS_OWN), None)


def _found(incident: Incident, lines: list[Timed[ev.Failure]]) -> Found:
    if any(t.event.where.pattern == _TABLE for t in lines):
        return _table(lines)
    here = record(lines[0].ref)
    raised = next((t.event for t in incident.of(ev.ExceptionRaised) if record(t.ref) == here), None)
    cut = raised is not None and not raised.type
    said = f"{raised.type}: {raised.message[:160]}" if raised is not None and not cut else lines[0].event.text[:160]
    search = "add the log until the exception's own line" if cut else f"search SGLang's issues for: {said[:100]}"
    found = from_lines(lines, remedy=(Remedy("fix", search),), confirm=())
    summary = "the detokenizer raised an exception whose text is cut off" if cut else f"the detokenizer raised {said}"
    return replace(found, summary=summary)


def _table(lines: list[Timed[ev.Failure]]) -> Found:
    states = of_release("65536", "count", "SGLANG_DETOKENIZER_MAX_STATES unless it is set").called(
        "table of the detokenizer"
    )
    remedy = (
        Remedy("fix", "start with SGLANG_DETOKENIZER_MAX_STATES=1048576 (or as many as requests can be in flight)"),
        Remedy("mitigate", "limit the requests in flight: --max-running-requests, --max-queued-requests"),
    )
    found = from_lines(lines, remedy=remedy, confirm=_CONFIRM)
    return replace(
        found,
        summary="the detokenizer lost a running request: its table of states was full",
        claims=(
            *found.claims,
            Claim(
                Part.LIMIT, f"the table holds {units.shown(states)} unless it is set", Status.SUPPORTED, found.lines[:1]
            ),
        ),
        explanation="`memory pressure` in the message is this table's limit; the host's memory has no part in it.",
        numbers=(states,),
    )
