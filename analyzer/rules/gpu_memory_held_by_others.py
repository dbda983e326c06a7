"""Another process holds memory on the GPUs.

What it is. SGLang sizes everything by what is free. Whatever another owner holds (another server, a notebook, an
earlier launch's orphan, a desktop) is missing from the start, or goes missing while the launch proceeds.

How it shows. `Load weight begin. avail mem=…` far below the card's size; in an out-of-memory error, capacity − free −
this process is large. SGLang's own words: `The memory capacity is unbalanced. Some GPUs may be occupied by other
processes` (which it also prints for unlike cards).

What it is mistaken for. Weights that do not fit, a fraction too high or too low. In a container torch may name this
process itself as `Process N has …`. A server of the same operator that was there before, beside which this one was
sized, is no cause of an error while serving.

What confirms and refutes it. `nvidia-smi` while this server is down: nothing should be in use.

How it is fixed. Stop the holder, or choose other GPUs. Ask its owner first.

Since and until which release. Any.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer import events as ev
from analyzer import units
from analyzer.ledgers.gpu_memory import budget, capacity, held_before, is_much, on_gpu, unequal_loads
from analyzer.ledgers.gpu_remedy import WHO_HOLDS
from analyzer.ledgers.gpu_shortage import Shortage, shortages
from analyzer.ledgers.spoken import AFTER_A_CRASH, decisive
from analyzer.rule import rule
from analyzer.units import assumed
from analyzer.verdict import Claim, Cleared, Confirm, Found, Remedy
from analyzer.vocabulary import Part, Phase, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.evidence import Ref
    from analyzer.incident import Incident
    from analyzer.launches import Timed
    from analyzer.units import Amount, Byte
    from analyzer.verdict import Verdict

_REFUSALS = ("kv-pool-no-room", "gpu-memory-unbalanced")
_EXPLAINS = (*AFTER_A_CRASH, "weights-exceed-gpu-memory", "graph-capture-failed")
_ALIKE = assumed("10", "percent", "a listing and an error text round and differ by contexts")
_CONFIRM = (
    WHO_HOLDS,
    Confirm("fuser -v /dev/nvidia*; ps -o user,pid,ppid,lstart,args -p PID", "whose process it is, and since when"),
)
_REMEDY = (
    Remedy(
        "fix",
        "stop the process that holds the memory, or start on GPUs that are free (CUDA_VISIBLE_DEVICES, --base-gpu-id)",
        risk="it may be another person's work: ask its owner before killing it",
    ),
    Remedy("prevent", "look at nvidia-smi before a launch, and refuse to start where a GPU is in use"),
)


@rule("gpu-memory-held-by-others", explains=_EXPLAINS)
def held(incident: Incident) -> Iterator[Verdict]:
    """By an error's own figures; by the size of the card against what was free; by unequal loads as a hint."""
    if not on_gpu(incident):
        return
    lacking = shortages(incident)
    told = [s for s in lacking if s.others is not None]
    early = [s for s in lacking if s.phase is Phase.DISTRIBUTED_INIT and not _holds_much(incident, s)]
    refused: list[Timed[Any]] = [t for topic in _REFUSALS for t in decisive(incident, topic)]
    refused += [s.item for s in lacking if s.phase is Phase.WEIGHT_LOAD and _silent_of_its_own(s)]
    before, size = held_before(incident), capacity(incident)
    fresh = bool(decisive(incident, "gpu-memory-unbalanced")) and incident.first(ev.WeightsLoaded) is None
    occupied = _occupied(incident) if fresh else []
    if told:
        yield _by_error(incident, told)
    elif early:
        yield _too_early(early)
    elif refused and before is not None and size is not None and is_much(incident, before, size):
        yield _before_loading(incident, before, size, refused)
    elif occupied:
        yield _by_listing(incident, occupied, refused)
    elif refused and unequal_loads(incident) is not None:
        yield from _unequal(incident, refused)
    elif (lacking or refused) and before is not None:
        yield Cleared(
            f"{units.shown(before)} were in use before loading, contexts included", (_first(lacking, refused),)
        )


def _silent_of_its_own(shortage: Shortage) -> bool:
    """Whether the error does not say how much this process held."""
    return shortage.item.event.free is None or shortage.item.event.in_use is shortage.item.event.allocated is None


def _holds_much(incident: Incident, shortage: Shortage) -> bool:
    """Whether the process that ran out holds much itself: then it was further than its lines show."""
    event = shortage.item.event
    own = event.in_use or event.allocated
    return own is not None and event.total is not None and is_much(incident, own, event.total)


def _first(lacking: list[Shortage], refused: list[Timed[Any]]) -> Ref:
    return lacking[0].ref if lacking else refused[0].ref


def _by_error(incident: Incident, told: list[Shortage]) -> Found:
    first = told[0]
    held = first.others
    assert held is not None  # noqa: S101 - the caller has filtered
    lines = tuple(s.ref for s in told)
    before = budget(incident).before
    holders = _holders(incident, held)
    strange = any("sglang" not in t.event.command and "python" not in t.event.command for t in holders)
    firm = Status.SUPPORTED if strange and not first.by_others else first.firm
    gpu = f" on GPU {first.item.event.gpu}" if first.item.event.gpu else ""
    who = _who(holders)
    return Found(
        summary=f"{units.shown(held)}{gpu} are in other hands{who}: {first.sentence}",
        claims=(
            Claim(
                Part.LIMIT,
                f"capacity − free − this process = {units.shown(held)} in other hands",
                firm,
                lines[:8],
            ),
            Claim(Part.EFFECT, f"an allocation failed: {first.sentence}", Status.ESTABLISHED, lines[:8]),
            *_holder_claims(holders),
        ),
        explanation="What others hold is neither free for this server nor freed by any argument of it.",
        numbers=(held, *first.figures, *((before,) if before is not None else ())),
        lines=(*lines, *(t.ref for t in holders)),
        remedy=_REMEDY,
        confirm=_CONFIRM,
        at=first.at,
        not_known=() if holders else ("whose process it is: another server, an orphan, a desktop, a MIG neighbour",),
    )


def _occupied(incident: Incident) -> list[Timed[ev.GpuListed]]:
    """GPUs in use in the first listing with sizes: a server that refused to start holds next to nothing itself."""
    listed = [t for t in incident.of(ev.GpuListed) if t.event.total is not None and t.event.used is not None]
    first = [t for t in listed if (t.ref.source, t.event.snapshot) == (listed[0].ref.source, listed[0].event.snapshot)]
    return [t for t in first if t.event.used and t.event.total and is_much(incident, t.event.used, t.event.total)]


def _by_listing(incident: Incident, occupied: list[Timed[ev.GpuListed]], refused: list[Timed[Any]]) -> Found:
    lines = tuple(t.ref for t in occupied)
    used = [t.event.used.called(f"in use on GPU {t.event.index}") for t in occupied if t.event.used is not None]
    text = ", ".join(f"{units.shown(amount)} {amount.name}" for amount in used[:8])
    known = [t for t in incident.of(ev.GpuProcess) if t.event.gpu in {o.event.index for o in occupied}]
    return Found(
        summary=f"{text}{_who(known)}, before this server had loaded anything",
        claims=(
            Claim(Part.LIMIT, text, Status.ESTABLISHED, lines[:8]),
            Claim(Part.EFFECT, refused[0].event.text[:200], Status.ESTABLISHED, (refused[0].ref,)),
            Claim(Part.LINK, "the server refused before it took memory, so it is not its own", Status.SUPPORTED),
            *_holder_claims(known),
        ),
        numbers=tuple(used),
        lines=(*lines, *(t.ref for t in known), *(t.ref for t in refused)),
        remedy=_REMEDY,
        confirm=_CONFIRM,
        at=refused[0].at,
        explains=_REFUSALS,
        not_known=() if known else ("whose process it is",),
    )


def _holders(incident: Incident, held: Amount[Byte]) -> list[Timed[ev.GpuProcess]]:
    """The listed processes of the size that is missing; this server's own have another."""
    near = held * _ALIKE
    found = []
    for item in incident.of(ev.GpuProcess):
        used = item.event.used
        if used is not None and not used.surely_below(held - near) and not (held + near).surely_below(used):
            found.append(item)
    return found


def _who(holders: list[Timed[ev.GpuProcess]]) -> str:
    return f" ({holders[0].event.command}, pid {holders[0].event.pid})" if holders else ""


def _holder_claims(holders: list[Timed[ev.GpuProcess]]) -> tuple[Claim, ...]:
    return tuple(
        Claim(
            Part.LINK,
            f"pid {t.event.pid} ({t.event.command}) holds {units.shown(t.event.used)} of GPU {t.event.gpu}",
            Status.ESTABLISHED,
            (t.ref,),
        )
        for t in holders[:8]
        if t.event.used is not None
    )


def _too_early(early: list[Shortage]) -> Found:
    lines = tuple(s.ref for s in early)
    return Found(
        summary=f"the GPU was full before this server had loaded anything: {early[0].item.event.text[:160]}",
        claims=(
            Claim(Part.EFFECT, "out of memory before the weights", Status.ESTABLISHED, lines[:8]),
            Claim(Part.LINK, "nothing of this server was on the GPU yet but a context", Status.SUPPORTED, lines[:1]),
        ),
        numbers=early[0].figures,
        lines=lines,
        remedy=_REMEDY,
        confirm=_CONFIRM,
        at=early[0].at,
        not_known=("whose process it is, and how much it holds",),
    )


def _before_loading(incident: Incident, before: Amount[Byte], size: Amount[Byte], refused: list[Timed[Any]]) -> Found:
    begun = incident.first(ev.WeightLoadBegun)
    lines = tuple(dict.fromkeys((*((begun.ref,) if begun is not None else ()), *(t.ref for t in refused))))
    holders = _holders(incident, before)
    decides = _would_fit(incident, before)
    return Found(
        summary=f"{units.shown(before)} of {units.shown(size)} were in other hands before loading",
        claims=(
            Claim(
                Part.LIMIT,
                f"of {units.shown(size)}, {units.shown(before)} were in use before loading",
                Status.SUPPORTED,
                lines[:1],
            ),
            Claim(Part.EFFECT, refused[0].event.text[:200], Status.ESTABLISHED, (refused[0].ref,)),
            Claim(Part.LINK, _link(decides=decides), Status.SUPPORTED if decides else Status.HYPOTHESIS),
            *_holder_claims(holders),
        ),
        numbers=(before,),
        lines=(*lines, *(t.ref for t in holders)),
        remedy=_REMEDY,
        confirm=_CONFIRM,
        at=begun.at if begun is not None else refused[0].at,
        explains=_REFUSALS if decides else (),
        not_known=() if holders else ("whose process it is",),
    )


def _would_fit(incident: Incident, before: Amount[Byte]) -> bool:
    """Whether the KV pool would have room with that memory: the rest grows by what others hold times the fraction."""
    sum_ = budget(incident)
    if sum_.rest is None or sum_.fraction is None:
        return True
    return (sum_.rest + before * sum_.fraction).value > 0


def _link(*, decides: bool) -> str:
    return "with that memory there would be room" if decides else "even with that memory there would be no room"


def _unequal(incident: Incident, refused: list[Timed[Any]]) -> Iterator[Found]:
    loads = unequal_loads(incident)
    if loads is None:
        return
    low, high, lines = loads
    spread = (high - low).called("difference between ranks with equal shards")
    yield Found(
        summary=f"ranks with equal shards took {units.shown(low)} to {units.shown(high)}: others may use the GPUs",
        claims=(
            Claim(Part.DEMAND, f"loading took {units.shown(low)} to {units.shown(high)}", Status.ESTABLISHED, lines),
            Claim(Part.LINK, "another process may have taken the difference", Status.HYPOTHESIS),
        ),
        numbers=(spread,),
        lines=lines,
        remedy=_REMEDY,
        confirm=_CONFIRM,
        at=refused[0].at,
    )
