"""The GPU ran out while the weights were loaded: they do not fit.

What it is. One rank's share of the weights is larger than its GPU. Parameters are allocated when the model is built, so
the error mostly comes within seconds, before a shard is read. Quantised layers may need room for a second copy while
they are converted.

How it shows. `Load weight begin. avail mem=…`, then `torch.OutOfMemoryError: … Tried to allocate …` from
`create_weights`, `load_weights` or a layer's constructor, on all ranks at once, most of the card in use by PyTorch.

What it is mistaken for. Another process on the GPU (then capacity − free − this process is large, and what was free
before loading is far from the whole). A memory fraction too high or too low: it does not limit the weights at all,
only the pool that follows.

What confirms and refutes it. The checkpoint's size divided by the tensor- and pipeline-parallel ranks against what was
free before loading.

How it is fixed. More GPUs, a quantised checkpoint, larger cards; offloading weights to the host as a last resort.

Since and until which release. Any.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer import units
from analyzer.ledgers.gpu_memory import budget, capacity, held_before, is_much
from analyzer.ledgers.gpu_remedy import lower_fraction
from analyzer.ledgers.gpu_shortage import Shortage, shortages
from analyzer.ledgers.launch_command import with_argument
from analyzer.ledgers.spoken import AFTER_A_CRASH
from analyzer.rule import rule
from analyzer.verdict import Claim, Cleared, Confirm, Found, Remedy
from analyzer.vocabulary import Part, Phase, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.incident import Incident
    from analyzer.units import Amount, Byte
    from analyzer.verdict import Verdict

_NO_FRACTION = "--mem-fraction-static does not limit the weights, only the pool that follows: no value of it helps."
_CONFIRM = (
    Confirm(
        "du -shL MODEL_PATH", "the size of the checkpoint, to be divided by the ranks that share it", where="container"
    ),
    Confirm("nvidia-smi --query-gpu=index,memory.total,memory.used --format=csv", "what is free before a launch"),
)


@rule("weights-exceed-gpu-memory", explains=AFTER_A_CRASH)
def exceeded(incident: Incident) -> Iterator[Verdict]:
    """Out of memory while loading; cleared where another phase or another owner ran it out."""
    lacking = shortages(incident, Phase.WEIGHT_LOAD)
    ours = [s for s in lacking if not s.by_others]
    if ours:
        yield _found(incident, ours)
    elif lacking and lacking[0].others is not None:
        yield Cleared(f"{units.shown(lacking[0].others)} of the GPU are in other hands", (lacking[0].ref,))
    elif loaded := incident.first(ev.WeightsLoaded):
        yield Cleared("the weights were loaded", (loaded.ref,))


def _found(incident: Incident, lacking: list[Shortage]) -> Found:
    first = lacking[0]
    ranks = len({s.item.process for s in lacking})
    before = budget(incident).before
    lines = tuple(s.ref for s in lacking)
    pooled = _pooled(incident, first)
    what = "the draft's weights do not fit beside the KV pool" if pooled else "the weights do not fit the GPU"
    return Found(
        summary=f"{what} ({ranks} {'rank' if ranks == 1 else 'ranks'}): {first.sentence}",
        claims=(
            *_room(before),
            Claim(Part.EFFECT, f"out of memory while loading: {first.sentence}", Status.ESTABLISHED, lines[:8]),
            *_when(first),
            *_whose(incident, first),
        ),
        explanation="" if pooled else _NO_FRACTION,
        numbers=(*first.figures, *((before,) if before is not None else ())),
        lines=lines,
        remedy=_beside_pool(incident, first) if pooled else _remedies(incident),
        sum=first.sum,
        confirm=_CONFIRM,
        at=first.at,
        not_known=("how large one rank's share of the weights is: the log ends before it says",),
    )


def _when(first: Shortage) -> tuple[Claim, ...]:
    """What weakens it: an error without a time and without a traceback may have come later."""
    if first.traced or first.at is not None:
        return ()
    text = "neither a time nor a traceback tells that it was still loading"
    return (Claim(Part.LINK, text, Status.HYPOTHESIS, (first.ref,)),)


def _whose(incident: Incident, first: Shortage) -> tuple[Claim, ...]:
    """What weakens it: neither the error nor the log shows that the GPU was this process's alone."""
    event, size, before = first.item.event, capacity(incident), held_before(incident)
    empty = size is not None and before is not None and not is_much(incident, before, size)
    if empty or event.in_use is not None or event.allocated is not None:
        return ()
    text = "the error does not say how much of the GPU this process held: another may have had a part of it"
    return (Claim(Part.LINK, text, Status.SUPPORTED, (first.ref,)),)


def _room(before: Amount[Byte] | None) -> tuple[Claim, ...]:
    if before is None:
        return ()
    text = f"{units.shown(before)} were free before loading"
    return (Claim(Part.LIMIT, text, Status.ESTABLISHED, tuple(units.lines_of(before))),)


def _pooled(incident: Incident, first: Shortage) -> bool:
    """Whether this process had its KV pool already: earlier releases load a draft model after it."""
    pools = [t for t in incident.of(ev.KvPoolAllocated) if t.process == first.item.process]
    return any(t.at is not None and first.at is not None and t.at.seconds <= first.at.seconds for t in pools)


def _beside_pool(incident: Incident, first: Shortage) -> tuple[Remedy, ...]:
    lower = lower_fraction(incident, first.lacking)
    return (lower or Remedy("fix", "a lower --mem-fraction-static: the pool was sized without the draft's weights"),)


def _remedies(incident: Incident) -> tuple[Remedy, ...]:
    ranks = incident.arguments.count("tp_size")
    more = str(2 * ranks) if ranks else None
    return (
        Remedy(
            "fix",
            "spread the weights over more GPUs" + (f": --tp-size {more} halves each rank's share" if more else ""),
            argument="tp_size",
            before=str(ranks) if ranks else None,
            after=more,
            command_line=with_argument(incident, "tp_size", more) if more else None,
            risk="needs that many GPUs; attention heads must divide by it",
        ),
        Remedy("fix", "a quantised checkpoint of the model (fp8 halves 16-bit weights, 4-bit formats quarter them)"),
        Remedy(
            "mitigate",
            "--cpu-offload-gb N keeps N GiB of each rank's weights on the host",
            argument="cpu_offload_gb",
            risk="every step copies them over the bus; all local ranks together take that much of the host",
        ),
    )
