"""The ranks' GPUs have unequal free memory, and the smallest counts for all.

What it is. All ranks get the same share, so the GPU with the least free memory decides. SGLang refuses where it has
less than 90% of what the checking rank has.

How it shows. `The memory capacity is unbalanced. Some GPUs may be occupied by other processes.`, with both figures from
0.4.4 on; a warning instead where SGLANG_ENABLE_TP_MEMORY_INBALANCE_CHECK is off.

What it is mistaken for. Occupied GPUs only, as the message guesses: unlike cards in one machine read the same, and idle
cards in `nvidia-smi` refute the guess.

What confirms and refutes it. `nvidia-smi`: the cards' sizes, and what is in use on each before the launch.

How it is fixed. Like cards for one server, or the memory of the occupied one freed.

Since and until which release. Any; the wording with figures from 0.4.4 on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer import events as ev
from analyzer import units
from analyzer.ledgers.gpu_remedy import WHO_HOLDS
from analyzer.ledgers.spoken import AFTER_A_CRASH, by_its_lines
from analyzer.rule import rule
from analyzer.units import assumed
from analyzer.verdict import Claim, Confirm, Found, Remedy
from analyzer.vocabulary import Part, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.incident import Incident
    from analyzer.launches import Timed
    from analyzer.units import Amount, Byte
    from analyzer.verdict import Verdict

_TOPIC = "gpu-memory-unbalanced"
_THRESHOLD = units.of_release("0.9", "ratio", "SGLang refuses below this share of the checking rank's memory")
_IDLE = assumed("5", "percent", "contexts, a display and monitoring take less of an idle GPU")
_OWN = "this server's own model had been loaded before: a draft model meets what it left on each GPU"
_CONFIRM = (
    Confirm(
        "nvidia-smi --query-gpu=index,name,memory.total,memory.used --format=csv", "unlike cards, or occupied ones"
    ),
    WHO_HOLDS,
)

_GUESS = "That other processes may occupy the GPUs is SGLang's guess: what is listed here explains it otherwise."

_ONLY_WARN = Remedy(
    "mitigate",
    "only warn: SGLANG_ENABLE_TP_MEMORY_INBALANCE_CHECK=0 (earlier SGL_DISABLE_TP_MEMORY_INBALANCE_CHECK=1)",
    risk="every rank then gets what the smallest GPU can give",
)


@rule(_TOPIC, explains=(*AFTER_A_CRASH, "invalid-arguments"))
def unbalanced(incident: Incident) -> Iterator[Verdict]:
    """SGLang's refusal; the cards' sizes beside it where a listing shows them."""
    yield from by_its_lines(incident, _TOPIC, _found)


def _found(incident: Incident, lines: list[Timed[ev.Failure]]) -> Found:
    event = lines[0].event
    refs = tuple(t.ref for t in lines)
    loaded = incident.first(ev.WeightsLoaded)
    cards = _cards(incident) if loaded is None else []
    unlike = len({t.event.total.value for t in cards if t.event.total is not None}) > 1
    why = _OWN if loaded is not None else _why(cards, unlike=unlike)
    shown = (loaded.ref,) if loaded is not None else tuple(t.ref for t in cards)
    limits = _numbers(event.free, event.total)
    sizes = (
        f": {units.shown(event.free)} on one against {units.shown(event.total)}" if event.free and event.total else ""
    )
    return Found(
        summary=f"the GPUs have unequal free memory{sizes}; {why}",
        claims=(
            Claim(Part.EFFECT, event.text[:200], Status.ESTABLISHED, refs[:8]),
            *((Claim(Part.LIMIT, why, Status.ESTABLISHED, shown[:8]),) if shown else ()),
        ),
        explanation=_GUESS if unlike or loaded is not None else "",
        numbers=limits,
        sum=f"{units.shown(limits[0])} free on one GPU, less than {units.shown(limits[1])}: 0.9 × "
        f"{units.shown(event.total)} of another"
        if limits and event.total
        else None,
        lines=(*refs, *shown),
        remedy=(_ONLY_WARN,) if loaded is not None else (*_remedies(unlike=unlike), _ONLY_WARN),
        confirm=_CONFIRM,
        at=lines[0].at,
        not_known=() if shown else ("whether the cards differ in size or one of them is occupied",),
    )


def _cards(incident: Incident) -> list[Timed[ev.GpuListed]]:
    """The GPUs of the first listing that shows sizes: taken before the launch, where there are several."""
    listed = [t for t in incident.of(ev.GpuListed) if t.event.total is not None]
    return [t for t in listed if (t.ref.source, t.event.snapshot) == (listed[0].ref.source, listed[0].event.snapshot)]


def _occupied(event: ev.GpuListed) -> bool:
    if event.used is None or event.total is None:
        return False
    return (event.total * _IDLE).surely_below(event.used)


def _why(cards: list[Timed[ev.GpuListed]], *, unlike: bool) -> str:
    occupied = [t.event.index for t in cards if _occupied(t.event)]
    if occupied:
        return f"GPU {', '.join(occupied[:8])} is in use"
    if unlike:
        kinds = dict.fromkeys(f"{t.event.name or 'GPU'} ({units.shown(t.event.total)})" for t in cards if t.event.total)
        return f"the cards are idle and differ in size: {', '.join(kinds)}"
    return "SGLang's guess that others occupy them is not checked by anything here"


def _numbers(least: Amount[Byte] | None, local: Amount[Byte] | None) -> tuple[Amount[Any], ...]:
    if least is None or local is None:
        return ()
    here = local.called("free on the GPU of the checking rank")
    return (least.called("free on the GPU with the least"), (here * _THRESHOLD).called("below which SGLang refuses"))


def _remedies(*, unlike: bool) -> tuple[Remedy, ...]:
    alike = "start on GPUs of one kind (CUDA_VISIBLE_DEVICES), or on the larger ones only, with a smaller --tp-size"
    free = Remedy("fix", "free the occupied GPU, or leave it out (CUDA_VISIBLE_DEVICES)")
    return (Remedy("fix", alike),) if unlike else (free, Remedy("fix", alike))
