"""Nothing, or not enough, is left for the KV pool after the weights.

What it is. SGLang gives weights and KV pool together a share of the memory that was free before loading:
rest = free after the weights − free before × (1 − fraction), the GPU with the least free counting for all ranks. Where
the rest is not above zero there is no pool.

How it shows. `Not enough memory. Please try to increase --mem-fraction-static.`; from 0.5.14 on also `Loaded weights
leave no GPU memory for the KV cache under --mem-fraction-static=…`; `Memory pool size is too small`,
`max_running_request is zero`, and texts of their own for sliding-window and state caches. A profiled number of tokens
below zero comes just before.

What it is mistaken for. Weights that do not fit (they were loaded). The advice to raise the fraction is right only
while enough is left for graphs and activations: where the weights take nearly all, no fraction works. Where others
held memory before loading, or took some meanwhile, the fraction is not the cause.

What confirms and refutes it. The sum above, from `Load weight begin` and `Load weight end` of all ranks;
`nvidia-smi` before the launch.

How it is fixed. A fraction above 1 − after ÷ before that still leaves room; more GPUs or smaller weights; fewer or
smaller CUDA graphs and prefill chunks to lower what must be left.

Since and until which release. Any; draft weights are counted from 0.5.14 on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer import events as ev
from analyzer import units
from analyzer.ledgers.gpu_memory import budget, held_before, unequal_loads, weights
from analyzer.ledgers.gpu_remedy import WHO_HOLDS, lower_fraction
from analyzer.ledgers.gpu_shortage import Shortage, shortages
from analyzer.ledgers.launch_command import with_argument
from analyzer.ledgers.spoken import AFTER_A_CRASH, decisive, in_time, survived
from analyzer.rule import rule
from analyzer.units import assumed
from analyzer.verdict import Claim, Cleared, Confirm, Found, Remedy
from analyzer.vocabulary import Part, Phase, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.evidence import Ref
    from analyzer.incident import Incident
    from analyzer.launches import Timed
    from analyzer.ledgers.gpu_memory import Budget
    from analyzer.units import Amount
    from analyzer.verdict import Verdict

_TOPIC = "kv-pool-no-room"
_WHOLE = assumed("1", "ratio", "the whole of what was free before loading")
_HALF = assumed("0.5", "ratio", "half of what the weights left is for the pool, half for graphs and activations")
_MUST_STAY = assumed("5", "percent", "graphs and the activations of one prefill chunk rarely need less of a GPU")
_HUNDREDTH = assumed("0.01", "ratio", "the argument is given in hundredths")
_OTHER_POOLS = "a lower --max-running-requests: state and sliding-window caches are sized by it and taken first"
_LOADS = Confirm(
    "grep -E 'Load weight (begin|end)' server.log", "free before and after the weights, per rank", where="container"
)


@rule(_TOPIC, explains=(*AFTER_A_CRASH, "invalid-arguments"))
def no_room(incident: Incident) -> Iterator[Verdict]:
    """SGLang's own refusal with its sum, or an allocation of the pool that failed."""
    lines = in_time(decisive(incident, _TOPIC))
    lacking = [s for s in shortages(incident, Phase.KV_POOL) if not s.by_others]
    if lines:
        yield _refused(incident, lines)
    elif lacking:
        yield _not_allocated(incident, lacking)
    elif incident.failures(_TOPIC):
        yield from survived(incident, _TOPIC)
    elif not incident.of(ev.KvPoolAllocated) and (overdrawn := _profiled(incident)):
        yield _overdrawn(incident, *overdrawn)
    else:
        yield from _allocated(incident)


def _allocated(incident: Incident) -> Iterator[Verdict]:
    """Cleared by the lines in which the ranks say what they allocated; said of no more ranks than said so."""
    pools = incident.of(ev.KvPoolAllocated)
    ranks = len({t.process for t in pools})
    if pools:
        where = f" on {ranks} ranks" if ranks > 1 else ""
        yield Cleared(f"the KV pool was allocated{where}", tuple(dict.fromkeys(t.ref for t in pools))[:8])


def _overdrawn(incident: Incident, tokens: Amount[Any], line: Ref) -> Found:
    """A pool of fewer tokens than none, before the refusal that follows, or where that was not pasted."""
    sum_ = budget(incident)
    text = f"SGLang profiled {units.shown(tokens)} for the pool: the weights have overdrawn the budget"
    figures = (sum_.rest, sum_.least_fraction, tokens, weights(incident))
    return Found(
        summary=_summary(sum_, text),
        claims=(*_sum_claims(sum_), Claim(Part.EFFECT, text, Status.SUPPORTED, (line,))),
        numbers=tuple(f for f in figures if f is not None),
        lines=(line,),
        remedy=_remedies(incident, sum_, unequal=False),
        confirm=(_LOADS, WHO_HOLDS),
        sum=_sum(sum_),
    )


def _refused(incident: Incident, lines: list[Timed[ev.Failure]]) -> Found:
    sum_ = budget(incident)
    tokens = _profiled(incident)
    refs = tuple(t.ref for t in lines)
    unequal = unequal_loads(incident)
    needed = next((t.event.needed for t in lines if t.event.needed is not None), None)
    figures: list[Amount[Any] | None] = [sum_.rest, sum_.least_fraction, tokens[0] if tokens else None]
    figures += [weights(incident), held_before(incident), *(unequal[:2] if unequal else ())]
    figures += [needed.called("fraction that the message asks for")] if needed is not None else []
    said = lines[0].event.detail or lines[0].event.text
    return Found(
        summary=_summary(sum_, said),
        claims=(
            *_sum_claims(sum_),
            Claim(Part.EFFECT, lines[0].event.text[:200], Status.ESTABLISHED, refs[:8]),
        ),
        explanation=_explanation(sum_, unequal=unequal is not None),
        numbers=tuple(f for f in figures if f is not None),
        lines=(*refs, *((tokens[1],) if tokens else ()), *(unequal[2] if unequal else ())),
        remedy=_remedies(incident, sum_, unequal=unequal is not None),
        confirm=(WHO_HOLDS,) if sum_.before is not None and sum_.after is not None else (_LOADS, WHO_HOLDS),
        at=lines[0].at,
        not_known=_not_known(unequal),
        sum=_sum(sum_),
    )


def _summary(sum_: Budget, said: str) -> str:
    if sum_.after is None or sum_.before is None or (sum_.rest is not None and sum_.rest.value > 0):
        return f"too little is left for the KV pool: {said[:200]}"
    works = f"; a pool begins above {_fraction(sum_)}" if _leaves_enough(sum_) else "; no fraction works"
    kept = (
        f", and --mem-fraction-static {_value(sum_.fraction)} keeps {units.shown(sum_.kept)} back"
        if sum_.kept is not None
        else ""
    )
    return (
        f"nothing is left for the KV pool: {units.shown(sum_.after)} of {units.shown(sum_.before)} are free after the "
        f"weights{kept}{works}"
    )


def _sum(sum_: Budget) -> str | None:
    if sum_.rest is None or sum_.after is None or sum_.before is None:
        return None
    return (
        f"{units.shown(sum_.after)} − {units.shown(sum_.before)} × (1 − {_value(sum_.fraction)})"
        f" = {units.shown(sum_.rest)} for the KV pool"
    )


def _value(fraction: Amount[Any] | None) -> str:
    return f"{fraction.number():g}" if fraction is not None else "?"


def _fraction(sum_: Budget) -> str:
    return f"{sum_.least_fraction.number():.3f}" if sum_.least_fraction is not None else "?"


def _leaves_enough(sum_: Budget) -> bool:
    """Whether a pool and what must stay beside it both find room in what the weights left."""
    if sum_.after is None or sum_.before is None:
        return True
    return not sum_.after.surely_below(sum_.before * _MUST_STAY)


def _sum_claims(sum_: Budget) -> tuple[Claim, ...]:
    if sum_.before is None or sum_.after is None:
        return ()
    text = f"the weights leave {units.shown(sum_.after)} of {units.shown(sum_.before)}"
    demand = Claim(Part.DEMAND, text, Status.ESTABLISHED, tuple(units.lines_of(sum_.before - sum_.after)))
    if sum_.kept is None:
        return (demand,)
    kept = f"the fraction keeps {units.shown(sum_.kept)} back"
    return demand, Claim(Part.LIMIT, kept, Status.ESTABLISHED, tuple(units.lines_of(sum_.kept)))


def _explanation(sum_: Budget, *, unequal: bool) -> str:
    parts = []
    if not _leaves_enough(sum_):
        parts.append(
            "The weights take nearly all of the GPU: no fraction leaves a pool and room for graphs and activations."
        )
    if unequal:
        parts.append(
            "Ranks with equal shards took unequal memory while they loaded, so others may have used these GPUs "
            "meanwhile; a higher fraction would then only move the failure."
        )
    return " ".join(parts)


def _not_known(unequal: Any) -> tuple[str, ...]:
    return ("whether another process used these GPUs while the weights were loaded",) if unequal else ()


def _profiled(incident: Incident) -> tuple[Amount[Any], Any] | None:
    """The tokens that the rest would hold, where SGLang prints them although there are none."""
    noted = [t for t in incident.notices("max-total-tokens-clamped", "kv-pool-profiled") if t.event.limit is not None]
    below = [t for t in noted if t.event.limit is not None and t.event.limit.value <= 0]
    if not below or below[0].event.limit is None:
        return None
    return below[0].event.limit.called("tokens that SGLang profiled for the pool"), below[0].ref


def _remedies(incident: Incident, sum_: Budget, *, unequal: bool) -> tuple[Remedy, ...]:
    smaller = Remedy(
        "fix", "more GPUs for the model (--tp-size, --pp-size) or a quantised checkpoint: smaller weights per rank"
    )
    if unequal:
        return (Remedy("fix", "look for other processes on these GPUs first, and launch again without them"), smaller)
    if not _leaves_enough(sum_):
        return (smaller,)
    return (_higher(incident, sum_), smaller)


def _higher(incident: Incident, sum_: Budget) -> Remedy:
    if sum_.after is None or sum_.before is None:
        return Remedy(
            "fix", "a higher --mem-fraction-static, as far as graphs and activations allow", "mem_fraction_static"
        )
    left = (sum_.after * _HALF).called("left for graphs and activations")
    after = (_WHOLE - left / sum_.before).floor(_HUNDREDTH).called("fraction to set")
    if sum_.fraction is not None and not sum_.fraction.surely_below(after):
        return Remedy("fix", _OTHER_POOLS, argument="max_running_requests")
    value = f"{after.number():.2f}"
    return Remedy(
        "fix",
        f"--mem-fraction-static {value}: half of what the weights left for the pool, {units.shown(left)} for the rest",
        argument="mem_fraction_static",
        before=_value(sum_.fraction) if sum_.fraction is not None else None,
        after=value,
        command_line=with_argument(incident, "mem_fraction_static", value),
        risk="the GPU may run out in graph capture or under load if they need more",
        numbers=(after,),
    )


def _not_allocated(incident: Incident, lacking: list[Shortage]) -> Found:
    first = lacking[0]
    lines = tuple(s.ref for s in lacking)
    lower = lower_fraction(incident, first.lacking)
    return Found(
        summary=f"the KV pool could not be allocated: {first.sentence}",
        claims=(
            Claim(
                Part.EFFECT, f"out of memory while allocating the pool: {first.sentence}", Status.ESTABLISHED, lines[:8]
            ),
        ),
        explanation="The pool was sized by the fraction, and less was free when it was taken.",
        numbers=first.figures,
        lines=lines,
        remedy=(lower or Remedy("fix", "a lower --mem-fraction-static or --max-total-tokens"),),
        confirm=(WHO_HOLDS,),
        at=first.at,
    )
