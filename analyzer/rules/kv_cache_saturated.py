"""Admission is bound by the KV pool: it is full while requests wait.

What it is. Every running request keeps its KV on the GPU; when the pool is full, new ones queue. Throughput then stands
at what so many requests at once give.

How it shows. Decode lines with a token usage near 1 whenever requests wait, over much of the serving time; on a decode
server of a PD pair the requests wait for pre-allocation (`#prealloc-req`). With several pools (sliding window, state
cache) the fullest counts.

What it is mistaken for. A failure (it is a limit, and harms only where the wait does), a slow GPU, a cap on running
requests (then the pool has room). High usage without a queue is the radix cache at work.

What confirms and refutes it. Token usage and queue over time; the same load on a larger pool.

How it is fixed. A larger pool: a higher memory fraction, an fp8 KV cache, more GPUs; or shorter outputs. HiCache keeps
prefixes on the host: it adds cache hits, not concurrency.

Since and until which release. Any.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer import events as ev
from analyzer import units
from analyzer.ledgers.kv_growth import larger_pool
from analyzer.ledgers.kv_pool import device_pool
from analyzer.ledgers.serving import Full, cached_share, fullness, tokens_per_request
from analyzer.ledgers.throughput import Drop, sustained_drop
from analyzer.rule import rule
from analyzer.verdict import Claim, Cleared, Confirm, Found, Remedy
from analyzer.vocabulary import Part, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.incident import Incident
    from analyzer.units import Amount
    from analyzer.verdict import Verdict

_ENOUGH = 6  # decode lines; fewer show a moment, not a state
_MOSTLY = 0.6
_OFTEN = 0.25
_CONFIRM = (Confirm("curl -s localhost:30000/metrics | grep -E 'token_usage|num_queue'", "usage and queue under load"),)


@rule("kv-cache-saturated")
def saturated(incident: Incident) -> Iterator[Verdict]:
    """Full in most of the decode lines with a queue, and in many of all."""
    full = fullness(incident)
    if full is None or full.rows < _ENOUGH:
        return
    if full.full >= _OFTEN * full.rows and full.full >= _MOSTLY * full.queued:
        yield _found(incident, full)
    elif full.queued < _OFTEN * full.rows:
        yield Cleared(f"requests wait in {full.queued} of {full.rows} decode lines only", (full.first, full.last))
    else:
        yield Cleared(
            f"the pool is full in {full.full} of {full.queued} decode lines with a queue", (full.first, full.last)
        )


def _found(incident: Incident, full: Full) -> Found:
    complained = [t for t in incident.of(ev.Complaint) if t.event.topic == "slow"]
    drop = sustained_drop(incident)
    cached = cached_share(incident)
    text, numbers = _sum(incident, full)
    numbers += [a for a in (cached, drop.times if drop is not None else None) if a is not None]
    hits = f" ({units.percent(cached)} of the prompt tokens are found already)" if cached is not None else ""
    return Found(
        summary=text + (f"; {drop.text}" if drop is not None else ""),
        claims=(*_claims(incident, full), *_fell(drop)),
        explanation=f"Running requests keep their KV on the GPU. HiCache would add prefix hits{hits}, not concurrency.",
        numbers=tuple(numbers),
        lines=(full.first, full.last, *(t.ref for t in complained), *(drop.lines if drop is not None else ())),
        remedy=_remedies(incident),
        confirm=_CONFIRM,
        harm=bool(complained) or drop is not None,
    )


def _sum(incident: Incident, full: Full) -> tuple[str, list[Amount[Any]]]:
    """The state in one sentence, and the sum of how many requests fit."""
    pool, each = device_pool(incident), tokens_per_request(incident)
    numbers: list[Amount[Any]] = []
    text = f"the KV pool is full and requests wait in {full.full} of {full.rows} decode lines"
    if pool is not None and pool.tokens is not None and each is not None:
        fits = (pool.tokens.called("tokens of the KV pool") / each).called("requests that fit at once")
        numbers.append(fits)
        text += f": {units.shown(pool.tokens)} hold about {float(fits.value):.0f} requests of {units.shown(each)}"
    return text, numbers


def _claims(incident: Incident, full: Full) -> tuple[Claim, ...]:
    pool = device_pool(incident)
    waiting = f"requests wait in {full.queued} of {full.rows} decode lines"
    size = units.shown(pool.tokens) if pool is not None and pool.tokens is not None else "the pool"
    return (
        Claim(Part.DEMAND, waiting, Status.ESTABLISHED, (full.last,)),
        Claim(Part.LIMIT, f"{size} per rank", Status.ESTABLISHED, (pool.ref,) if pool is not None else ()),
        Claim(Part.EFFECT, "token usage stands at its ceiling", Status.ESTABLISHED, (full.first, full.last)),
    )


def _fell(drop: Drop | None) -> tuple[Claim, ...]:
    """A fall of the throughput beside it: harm for sure, but what keeps it down is not shown."""
    if drop is None:
        return ()
    return (Claim(Part.LINK, f"{drop.text}; why it does not recover is not shown", Status.SUPPORTED, drop.lines),)


def _remedies(incident: Incident) -> tuple[Remedy, ...]:
    grown = larger_pool(incident)
    found = [Remedy("fix", "shorter outputs, fewer concurrent clients, or more GPUs (tensor or data parallel)")]
    if grown is not None:
        found.insert(0, grown)
    return tuple(found)
