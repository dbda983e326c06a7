"""Admission is bound by the KV pool: it is full while requests wait.

What it is. Every running request keeps its KV on the GPU; when the pool is full, new ones queue. Throughput then stands
at what so many requests at once give.

How it shows. Decode lines with a token usage near 1 whenever requests wait, over much of the serving time; on a decode
server of a PD pair the requests wait for pre-allocation (`#prealloc-req`). Of several pools (`full token usage`, `swa
token usage`, `mamba usage`) the fullest counts, and is named.

What it is mistaken for. A failure (it is a limit, and harms only where the wait does), a slow GPU, a cap on running
requests (then the pool has room). High usage without a queue is the radix cache at work.

What confirms and refutes it. Token usage and queue over time; the same load on a larger pool.

How it is fixed. A larger pool: a higher memory fraction, an fp8 KV cache, more GPUs; or shorter outputs. HiCache keeps
prefixes on the host: it adds cache hits, not concurrency. A full state cache takes a higher `--mamba-full-memory-ratio`
or `--max-mamba-cache-size`, a full sliding-window pool a higher `--swa-full-tokens-ratio`.

Since and until which release. Any.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer import events as ev
from analyzer import units
from analyzer.ledgers.kv_growth import larger_pool
from analyzer.ledgers.kv_pool import device_pool
from analyzer.ledgers.pools import BY_COLUMN, KV, STATE, Pool
from analyzer.ledgers.serving import CEILING, Full, cached_share, figure, fullness, tokens_per_request
from analyzer.ledgers.throughput import Drop, sustained_drop
from analyzer.rule import rule
from analyzer.verdict import Claim, Cleared, Confirm, Found, Remedy
from analyzer.vocabulary import Part, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.evidence import Ref
    from analyzer.incident import Incident
    from analyzer.units import Amount
    from analyzer.verdict import Verdict

_ENOUGH = 6  # decode lines; fewer show a moment, not a state
_MOSTLY = 0.6
_OFTEN = 0.25
_METRICS = "curl -s localhost:30000/metrics | grep -E '{}|num_queue'"


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
    pool = BY_COLUMN[full.pool]
    hits = f" ({units.percent(cached)} of the prompt tokens are found already)" if cached is not None else ""
    hicache = f" HiCache would add prefix hits{hits}, not concurrency." if pool is KV else ""
    return Found(
        summary=text + (f"; {drop.text}" if drop is not None else ""),
        claims=(*_claims(incident, full), *_fell(drop)),
        explanation=pool.why + hicache,
        numbers=tuple(numbers),
        lines=(full.first, full.last, *(t.ref for t in complained), *(drop.lines if drop is not None else ())),
        remedy=_remedies(incident, pool),
        confirm=(
            Confirm(_METRICS.format("mamba_usage" if pool is STATE else "token_usage"), "usage and queue under load"),
        ),
        harm=bool(complained) or drop is not None,
    )


def _sum(incident: Incident, full: Full) -> tuple[str, list[Amount[Any]]]:
    """The state in one sentence, and the sum of how many requests fit."""
    if full.pool != "usage_ratio":
        return _of_another(incident, full)
    pool, each = device_pool(incident), tokens_per_request(incident)
    numbers: list[Amount[Any]] = []
    text = f"the KV pool is full and requests wait in {full.full} of {full.rows} decode lines"
    if pool is not None and pool.tokens is not None and each is not None:
        fits = (pool.tokens.called("tokens of the KV pool") / each).called("requests that fit at once")
        numbers.append(fits)
        text += f": {units.shown(pool.tokens)} hold about {float(fits.value):.0f} requests of {units.shown(each)}"
    return text, numbers


def _of_another(incident: Incident, full: Full) -> tuple[str, list[Amount[Any]]]:
    """The same of a pool beside the KV pool, and how full that one is."""
    pool, usage = BY_COLUMN[full.pool], figure(incident, "DecodeBatch", "usage_ratio", "ratio", "usage of the KV pool")
    text = f"the {pool.name} is full ({pool.key}) and requests wait in {full.full} of {full.rows} decode lines"
    if usage is None or usage.median.value >= CEILING:
        return text, []
    return f"{text}, while the KV pool stands at {units.percent(usage.median)}", [usage.median]


def _claims(incident: Incident, full: Full) -> tuple[Claim, ...]:
    waiting = f"requests wait in {full.queued} of {full.rows} decode lines"
    size, lines = _limit(incident, full)
    reached = f"{BY_COLUMN[full.pool].key} stands at its ceiling"
    return (
        Claim(Part.DEMAND, waiting, Status.ESTABLISHED, (full.last,)),
        Claim(Part.LIMIT, f"{size} per rank", Status.ESTABLISHED, lines),
        Claim(Part.EFFECT, reached, Status.ESTABLISHED, (full.first, full.last)),
    )


def _limit(incident: Incident, full: Full) -> tuple[str, tuple[Ref, ...]]:
    """How large the pool is, and the line that says it."""
    pool, state = device_pool(incident), incident.first(ev.StateCacheAllocated)
    if BY_COLUMN[full.pool] is STATE and state is not None and state.event.slots is not None:
        return f"{units.shown(state.event.slots)} state slots", (state.ref,)
    if BY_COLUMN[full.pool] is not KV or pool is None:
        return f"the {BY_COLUMN[full.pool].name}", ()
    return units.shown(pool.tokens) if pool.tokens is not None else "the pool", (pool.ref,)


def _fell(drop: Drop | None) -> tuple[Claim, ...]:
    """A fall of the throughput beside it: harm for sure, but what keeps it down is not shown."""
    if drop is None:
        return ()
    return (Claim(Part.LINK, f"{drop.text}; why it does not recover is not shown", Status.SUPPORTED, drop.lines),)


def _remedies(incident: Incident, pool: Pool) -> tuple[Remedy, ...]:
    if pool.larger:
        return (*pool.larger, Remedy("fix", "fewer concurrent clients, or more GPUs (data parallel)"))
    grown = larger_pool(incident)
    found = [Remedy("fix", "shorter outputs, fewer concurrent clients, or more GPUs (tensor or data parallel)")]
    if grown is not None:
        found.insert(0, grown)
    return tuple(found)
