"""Admission is bound by a cap on running requests while the KV pool has room.

What it is. `--max-running-requests` (divided by the data-parallel ranks), the number of request slots, or a state
cache's size bounds how many requests run at once.

How it shows. Running requests stand at one number, requests wait, token usage stays well below its ceiling.

What it is mistaken for. A full KV pool (then usage is near 1), a client that sends only so many requests.

What confirms and refutes it. `max_running_requests` in the capacity line against `#running-req` of the decode lines.

How it is fixed. A higher cap, and CUDA graphs captured for the batch sizes it allows. Where SGLang lowered the cap that
was asked for (it says so at start), more slots: a shorter context, a larger pool or state cache.

Since and until which release. Any.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from analyzer import events as ev
from analyzer import units
from analyzer.ledgers.kv_pool import device_pool
from analyzer.ledgers.launch_command import with_argument
from analyzer.ledgers.pools import STATE
from analyzer.ledgers.serving import Full, all_figures, figure, fullness, over_all_ranks, tokens_per_request
from analyzer.rule import rule
from analyzer.verdict import Claim, Cleared, Confirm, Found, Remedy
from analyzer.vocabulary import Part, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.incident import Incident
    from analyzer.launches import Timed
    from analyzer.units import Amount
    from analyzer.verdict import Verdict

_TOPIC = "running-requests-capped"
_ENOUGH = 6
_MOSTLY = 0.5
_MANY, _NEARLY_ALL = 20, 0.9  # lines: so often the same number, with others waiting, is no chance
_CONFIRM = (Confirm("grep max_running_requests server.log", "the cap in force, per data-parallel rank"),)


@rule(_TOPIC)
def capped(incident: Incident) -> Iterator[Verdict]:
    """Running requests at the printed cap, a queue, and room in the pool, over most decode lines."""
    full = fullness(incident)
    running = figure(incident, "DecodeBatch", "running_count", "count", "running requests")
    cap, line = _cap(incident)
    if full is None or running is None or full.rows < _ENOUGH:
        return
    if cap is None:
        if full.still >= max(_MANY, _NEARLY_ALL * full.rows):
            yield _inferred(incident, full, running.most)
    elif full.capped >= _MOSTLY * full.rows and running.most.value >= cap.value:
        yield _found(incident, full, running.most, cap, line)
    else:
        yield Cleared(
            f"{units.shown(running.most)} run at most; the cap is {units.shown(cap)}", (full.first, full.last)
        )


# Beside the cap: how many wait, how full the pool is, and what comes out of it.
_SHOWN = ("queued requests", "tokens in use", "token usage", "generation throughput")


def _cap(incident: Incident) -> tuple[Amount[units.One] | None, tuple[Any, ...]]:
    printed = incident.first(ev.CapacityPrinted)
    if printed is not None and printed.event.max_running is not None:
        return printed.event.max_running.called("max_running_requests"), (printed.ref,)
    said = incident.arguments.amount("max_running_requests", "count")
    return said, ()


def _found(incident: Incident, full: Full, most: Any, cap: Amount[units.One], line: tuple[Any, ...]) -> Found:
    pool, each = device_pool(incident), tokens_per_request(incident)
    found = {f.name: f for f in all_figures(incident)}
    numbers: list[Amount[Any]] = [cap, *(found[name].median for name in _SHOWN if name in found)]
    after = None
    if pool is not None and pool.tokens is not None and each is not None:
        fits = (pool.tokens.called("tokens of the KV pool") / each).called("requests that the pool would hold")
        numbers.insert(0, fits)
        after = str(over_all_ranks(incident, int(fits.value * 9 // 10)))
    complained = [t for t in incident.of(ev.Complaint) if t.event.topic == "slow"]
    reduced = incident.notices(_TOPIC)
    asked = incident.arguments.amount("max_running_requests", "count")
    numbers += [asked.called("running requests asked for")] if asked is not None else []
    why = f", reduced at start by {reduced[0].event.detail}" if reduced else ""
    waiting = f"requests wait in {full.queued} of {full.rows} decode lines"
    at_start = (*line, *(t.ref for t in reduced[:2]))
    return Found(
        summary=f"{units.shown(cap)} requests run at once, the cap{why}, while others wait and the KV pool has room",
        claims=(
            Claim(Part.DEMAND, waiting, Status.ESTABLISHED, (full.last,)),
            Claim(Part.LIMIT, f"max_running_requests {units.shown(cap)}{why}", Status.ESTABLISHED, at_start),
            Claim(Part.EFFECT, f"at most {units.shown(most)} run", Status.ESTABLISHED, (full.first, full.last)),
        ),
        numbers=tuple(numbers),
        lines=(full.first, full.last, *(t.ref for t in reduced), *(t.ref for t in complained)),
        remedy=_remedies(incident, cap, after, reduced),
        confirm=_CONFIRM,
        harm=bool(complained) or (bool(reduced) and asked is not None and cap.surely_below(asked)),
    )


def _inferred(incident: Incident, full: Full, most: Any) -> Found:
    """A cap that no line prints: as many run as ever, line after line, while others wait beside an empty pool."""
    found = _found(incident, full, most, most.called("running requests, the same in nearly every line"), ())
    stands = f"no line prints the cap; {units.shown(most)} run in {full.still} of {full.rows} decode lines, never more"
    limit = Claim(Part.LIMIT, stands, Status.SUPPORTED, (full.first, full.last))
    claims = tuple(limit if claim.part is Part.LIMIT else claim for claim in found.claims)
    summary = (
        f"never more than {units.shown(most)} requests run, line after line, while others wait and the KV pool has room"
    )
    remedy = tuple(replace(step, before=None) for step in found.remedy)  # what the argument is, no line tells
    return replace(found, summary=summary, claims=claims, remedy=remedy)


def _remedies(
    incident: Incident, cap: Amount[units.One], after: str | None, reduced: list[Timed[ev.Notice]]
) -> tuple[Remedy, ...]:
    if reduced and "mamba" in reduced[0].event.detail:
        return STATE.larger
    if reduced:
        return (_shorter_context(incident, cap),)
    asked = incident.arguments.amount("max_running_requests", "count")
    return (
        Remedy(
            "fix",
            "raise --max-running-requests" + (f" to what the pool holds, about {after}" if after else ""),
            argument="max_running_requests",
            before=units.shown(asked if asked is not None else cap),
            after=after,
            command_line=with_argument(incident, "max_running_requests", after) if after else None,
            risk="larger batches than the captured CUDA graphs run without them",
        ),
    )


def _shorter_context(incident: Incident, cap: Amount[units.One]) -> Remedy:
    """SGLang gives as many slots as the pool holds requests of full context, so slots grow as the context shrinks."""
    printed = next((t.event.context for t in incident.of(ev.CapacityPrinted) if t.event.context is not None), None)
    asked = incident.arguments.amount("max_running_requests", "count")
    if printed is None or asked is None or not cap.surely_below(asked):
        return Remedy("fix", "a shorter --context-length or a larger KV pool: both give more slots", "context_length")
    context = printed.called("tokens that a request may have")
    length = (context * cap / asked.called("running requests asked for")).called("context for as many slots")
    value = str(int(length.value))
    return Remedy(
        "fix",
        f"--context-length {value}: the pool then gives the {units.shown(asked)} slots that were asked for",
        argument="context_length",
        before=f"{context.number():.0f}",
        after=value,
        command_line=with_argument(incident, "context_length", value),
        risk="longer requests are refused",
        numbers=(length,),
    )
