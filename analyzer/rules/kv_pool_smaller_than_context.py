"""The KV pool holds fewer tokens than one request of full context.

What it is. The model, or --context-length, allows more tokens per request than the pool has slots. Requests near the
limit are refused or cut, however idle the server is.

How it shows. `max_total_num_tokens=` below `context_len=` in the capacity line, at start; from 0.5.23 on a warning says
so. Later `Input length (N tokens) exceeds the maximum allowed length (M tokens)`, with an M that is the pool's size
less a few tokens.

What it is mistaken for. A client's mistake: then M is the model's context. A full pool, which is about many requests.

What confirms and refutes it. The allowed length in the refusal against the pool and against the context.

How it is fixed. A larger pool, or a --context-length that the pool can hold, so that clients learn it from the model's
card.

Since and until which release. Any; the warning is from 0.5.23 on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer import events as ev
from analyzer import units
from analyzer.ledgers.kv_growth import larger_pool
from analyzer.ledgers.launch_command import with_argument
from analyzer.rule import rule
from analyzer.verdict import Claim, Cleared, Confirm, Found, Remedy
from analyzer.vocabulary import Part, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.incident import Incident
    from analyzer.launches import Timed
    from analyzer.units import Amount, Token
    from analyzer.verdict import Verdict

_CONFIRM = (
    Confirm(
        "grep -E 'max_total_num_tokens|exceeds the maximum allowed' server.log", "pool, context, refusals", "container"
    ),
)


@rule("kv-pool-smaller-than-context")
def smaller(incident: Incident) -> Iterator[Verdict]:
    """Pool below context by the capacity line; harm only where a request was refused for it."""
    printed = incident.first(ev.CapacityPrinted)
    if printed is None or printed.event.tokens is None:
        return
    pool = printed.event.tokens.called("tokens of the KV pool")
    context = printed.event.context or incident.arguments.amount("context_length", "token")
    if context is None:
        return
    context = context.called("tokens that a request may have")
    if pool.surely_below(context):
        yield _found(incident, printed, pool, context)
    else:
        yield Cleared(f"{units.shown(pool)} hold a request of {units.shown(context)}", (printed.ref,))


def _refused(incident: Incident, pool: Amount[Token], context: Amount[Token]) -> list[Timed[ev.Notice]]:
    """Requests refused by a length that is the pool's and not the model's."""
    found = []
    for item in incident.notices("request-too-long"):
        limit = item.event.limit
        if limit is not None and limit.value <= pool.value and limit.value < context.value:
            found.append(item)
    return found


def _found(
    incident: Incident, printed: Timed[ev.CapacityPrinted], pool: Amount[Token], context: Amount[Token]
) -> Found:
    refused = _refused(incident, pool, context)
    count = sum(t.event.count for t in refused)
    lines = (printed.ref, *(t.ref for t in refused))
    share = (pool / context).called("share of a full request that the pool holds")
    numbers: list[Amount[Any]] = [share]
    numbers += [t.event.tokens.called("tokens of a refused request") for t in refused[:1] if t.event.tokens is not None]
    numbers += [
        t.event.limit.called("longest input that the server takes") for t in refused[:1] if t.event.limit is not None
    ]
    said = f"requests refused for it: {count}" if refused else "no request met it in this log"
    return Found(
        summary=f"the KV pool holds {units.shown(pool)}, a request may have {units.shown(context)}; {said}",
        claims=(
            Claim(Part.DEMAND, f"a request may have {units.shown(context)}", Status.ESTABLISHED, (printed.ref,)),
            Claim(Part.LIMIT, f"the pool holds {units.shown(pool)}", Status.ESTABLISHED, (printed.ref,)),
            Claim(
                Part.EFFECT,
                refused[0].event.text[:200] if refused else said,
                Status.ESTABLISHED if refused else Status.HYPOTHESIS,
                tuple(t.ref for t in refused[:8]),
            ),
        ),
        numbers=tuple(numbers),
        lines=lines,
        remedy=_remedies(incident, pool, context),
        confirm=_CONFIRM,
        at=refused[0].at if refused else printed.at,
        harm=bool(refused),
    )


def _remedies(incident: Incident, pool: Amount[Token], context: Amount[Token]) -> tuple[Remedy, ...]:
    grown = larger_pool(incident)
    value = f"{pool.number():.0f}"
    shorter = Remedy(
        "fix",
        f"--context-length {value}: promise what the pool can hold",
        argument="context_length",
        before=f"{context.number():.0f}",
        after=value,
        command_line=with_argument(incident, "context_length", value),
        risk="longer requests are refused at once, with a clear message",
    )
    more = Remedy(
        "fix", "more GPUs for the pool (--tp-size, --pp-size), or --kv-cache-dtype fp8_e4m3 for twice the tokens"
    )
    return (*((grown,) if grown is not None else ()), shorter, more)
