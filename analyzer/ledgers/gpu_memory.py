"""The GPU-memory ledger: free before and after loading, what the fraction leaves for the pool, what others hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer.immutable import immutable
from analyzer.units import assumed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from analyzer.evidence import Ref
    from analyzer.incident import Incident
    from analyzer.launches import Timed
    from analyzer.units import Amount, Byte, One

_WHOLE = assumed("1", "ratio", "the whole of what was free before loading")
_CONTEXT = assumed("0.6", "GiB", "a process's CUDA context, which the memory baseline leaves out")
_MUCH = assumed("10", "percent", "contexts, a display and monitoring take less of a GPU")
_UNEQUAL = assumed("5", "percent", "ranks with equal shards differ by less")
_POOLS = (ev.KvPoolAllocated, ev.KvPoolReserved, ev.MemoryPoolEnded)


@immutable
class Budget:
    """SGLang's own sum for the KV pool, on the GPU that has the least: rest = after − before × (1 − fraction).

    `before` was free before loading and `after` once the weights stood; `fraction` is --mem-fraction-static.
    """

    before: Amount[Byte] | None
    after: Amount[Byte] | None
    fraction: Amount[One] | None

    @property
    def kept(self) -> Amount[Byte] | None:
        """What the fraction keeps back for graphs and activations."""
        if self.before is None or self.fraction is None:
            return None
        return (self.before * (_WHOLE - self.fraction)).called("kept back for graphs and activations")

    @property
    def rest(self) -> Amount[Byte] | None:
        """What is left for the KV pool; below zero where nothing is."""
        if self.after is None or self.kept is None:
            return None
        return (self.after - self.kept).called("left for the KV pool")

    @property
    def least_fraction(self) -> Amount[One] | None:
        """The fraction above which a KV pool of any size begins."""
        if self.before is None or self.after is None:
            return None
        return (_WHOLE - self.after / self.before).called("smallest fraction that leaves a pool")


def budget(incident: Incident) -> Budget:
    """The sum from the lines of all ranks; the fraction is the one in effect."""
    before = _least(_first_free(incident).values())
    after = _least(_free_after_load(incident).values())
    return Budget(
        before.called("free on the GPU before loading") if before is not None else None,
        after.called("free after the weights") if after is not None else None,
        incident.arguments.amount("mem_fraction_static", "ratio"),
    )


def on_gpu(incident: Incident) -> bool:
    """Whether the server runs on an accelerator: the CPU engine prints the host's memory in the same lines."""
    return str(incident.arguments.get("device", "cuda")) != "cpu"


def free_before(incident: Incident, process: str) -> Amount[Byte] | None:
    """What was free on one process's GPU before it loaded anything."""
    return _first_free(incident).get(process)


def _first_free(incident: Incident) -> dict[str, Amount[Byte]]:
    found: dict[str, Amount[Byte]] = {}
    for item in incident.of(ev.WeightLoadBegun):
        if item.event.free is not None:
            found.setdefault(item.process, item.event.free)
    return found


def _free_after_load(incident: Incident) -> dict[str, Amount[Byte]]:
    """Per process what was free after the last weights before its first pool; drafts that load later do not count."""
    found: dict[str, Amount[Byte]] = {}
    pooled: set[str] = set()
    for item in incident.of(ev.WeightsLoaded, *_POOLS):
        if isinstance(item.event, _POOLS):
            pooled.add(item.process)
        elif isinstance(item.event, ev.WeightsLoaded) and item.event.free is not None and item.process not in pooled:
            found[item.process] = item.event.free
    return found


def _least(amounts: Iterable[Amount[Byte]]) -> Amount[Byte] | None:
    known = list(amounts)
    return min(known, key=lambda a: a.value) if known else None


def weights(incident: Incident) -> Amount[Byte] | None:
    """What loading took on the rank that took most, as SGLang prints it."""
    used = [t.event.used for t in incident.of(ev.WeightsLoaded) if t.event.used is not None]
    return max(used, key=lambda a: a.value).called("taken by the weights on one rank") if used else None


def capacity(incident: Incident) -> Amount[Byte] | None:
    """The size of the smallest GPU: from an error text, a listing, or the user."""
    told = [t.event.total for t in incident.of(ev.GpuOutOfMemory)] + [t.event.total for t in incident.of(ev.GpuListed)]
    smallest = _least(total for total in told if total is not None)
    if smallest is not None:
        return smallest.called("capacity of the GPU")
    given = incident.given.gpu_memory
    return given.called("capacity of the GPU") if given is not None else None


def held_before(incident: Incident) -> Amount[Byte] | None:
    """What stood in other hands before loading, on the GPU with the least free; `None` where a part is not known.

    capacity − free before loading − what joining the ranks took on that GPU.
    """
    free, size = _first_free(incident), capacity(incident)
    if not free or size is None:
        return None
    process = min(free, key=lambda p: free[p].value)
    joins = [t for t in incident.of(ev.DistributedInitEnded) if t.process == process]
    joined = [t.event.used for t in joins if t.event.used is not None]
    held = size - free[process].called("free on the GPU before loading")
    if joined:
        held = held - joined[0].called("taken while the ranks joined")
    return held.called("in other hands before loading")


def is_much(incident: Incident, held: Amount[Byte], size: Amount[Byte]) -> bool:
    """Whether what others hold is more than a display, a monitor and the sibling ranks' contexts may take."""
    siblings = len({t.process for t in incident.of(ev.WeightLoadBegun)}) or 1
    allowed = size * _MUCH + _CONTEXT * assumed(str(siblings), "count", "the ranks that may hold a context here")
    return allowed.surely_below(held)


def unequal_loads(incident: Incident) -> tuple[Amount[Byte], Amount[Byte], tuple[Ref, ...]] | None:
    """The least and the most that equal shards took, where they differ by more than ranks do among themselves.

    Ranks of different pipeline stages, or of a second model, hold different weights and are not compared.
    """
    by_kind: dict[tuple[object, str], list[Timed[ev.WeightsLoaded]]] = {}
    for item in incident.of(ev.WeightsLoaded):
        if item.event.used is not None and item.event.used.value > 0:
            by_kind.setdefault((item.rank.pp, item.event.architecture), []).append(item)
    for items in by_kind.values():
        ordered = sorted(items, key=lambda t: t.event.used.value if t.event.used else 0)
        low, high = ordered[0].event.used, ordered[-1].event.used
        if low is not None and high is not None and (low + low * _UNEQUAL).surely_below(high):
            names = "least that the weights took on a rank", "most that the weights took on a rank"
            return low.called(names[0]), high.called(names[1]), (ordered[0].ref, ordered[-1].ref)
    return None
