"""GPU memory outside of the pools grows steadily while the server runs.

What it is. Weights, KV pool and graphs are fixed after the launch. What grows is outside of them: tensors that a
feature keeps, a caching allocator that fragments, workspaces of new shapes, images.

How it shows. Used memory in `nvidia-smi` that rises from listing to listing under a like load and does not come back,
then an out-of-memory error while serving.

What it is mistaken for. The warm-up of the first hours (new shapes load new kernels), another process that grows, one
large request. A rise of the host's memory is another finding.

What confirms and refutes it. The used memory over hours at a constant load; `torch.cuda.memory_summary()` for what is
allocated against what is reserved.

How it is fixed. A release with the fix; the feature switched off; expandable_segments:True where it is fragmentation.

Since and until which release. Any.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer import units
from analyzer.ledgers.gpu_remedy import FREE_UNDER_LOAD, WHO_HOLDS
from analyzer.rule import rule
from analyzer.units import assumed
from analyzer.verdict import Claim, Cleared, Found, Remedy
from analyzer.vocabulary import Part, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.incident import Incident
    from analyzer.launches import Timed
    from analyzer.units import Amount, Byte
    from analyzer.verdict import Verdict

_FEWEST = 4  # listings; fewer show a step, not a slope
_LONG = 600.0  # seconds from the first to the last
_MUCH = assumed("3", "percent", "late kernel loads and workspaces take less of a GPU")
_REMEDY = (
    Remedy("mitigate", "restart the server before it runs out; PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True"),
    Remedy("fix", "a later release: search SGLang's issues for the features in use and 'memory leak'"),
)


@rule("gpu-memory-leak", explains=("serving-gpu-oom",))
def leaks(incident: Incident) -> Iterator[Verdict]:
    """Used memory of one GPU that only rises over several dated listings while the server serves."""
    series = _series(incident)
    rising = [items for items in series if _rises(items)]
    if rising:
        yield _found(max(rising, key=_growth_value))
    elif series:
        yield Cleared("used GPU memory does not keep rising", (series[0][0].ref, series[0][-1].ref))


def _series(incident: Incident) -> list[list[Timed[ev.GpuListed]]]:
    """Per GPU and node the dated listings after ready, in time order, where they are enough to show a slope."""
    ready = incident.timeline.ready
    if ready is None or ready.at is None:
        return []
    by_gpu: dict[tuple[str, str], list[Timed[ev.GpuListed]]] = {}
    for item in incident.of(ev.GpuListed):
        if item.event.used is not None and item.at is not None and item.at.seconds >= ready.at.seconds:
            by_gpu.setdefault((item.node, item.event.index), []).append(item)
    ordered = [sorted(items, key=_moment) for items in by_gpu.values()]
    return [items for items in ordered if len(items) >= _FEWEST and _moment(items[-1]) - _moment(items[0]) >= _LONG]


def _moment(item: Timed[ev.GpuListed]) -> float:
    return item.at.seconds if item.at is not None else 0.0


def _used(item: Timed[ev.GpuListed]) -> Amount[Byte]:
    assert item.event.used is not None  # noqa: S101 - `_series` has filtered
    return item.event.used


def _rises(items: list[Timed[ev.GpuListed]]) -> bool:
    """Never falling, each third above the one before, and much in all."""
    used = [_used(t) for t in items]
    total = items[0].event.total
    if total is None or any(b.surely_below(a) for a, b in pairwise(used)):
        return False
    third = len(used) // 3
    grows = used[0].surely_below(used[third]) and used[third].surely_below(used[-third - 1]) if third else False
    return grows and (total * _MUCH).surely_below(used[-1] - used[0])


def _growth_value(items: list[Timed[ev.GpuListed]]) -> float:
    return (_used(items[-1]) - _used(items[0])).number()


def _found(items: list[Timed[ev.GpuListed]]) -> Found:
    first, last = items[0], items[-1]
    grown = (_used(last).called("used at the last listing") - _used(first).called("used at the first listing")).called(
        "growth"
    )
    hours = (_moment(last) - _moment(first)) / 3600
    lines = tuple(t.ref for t in items)
    text = f"used memory of GPU {first.event.index} rises by {units.shown(grown)} in {hours:.1f} hours"
    return Found(
        summary=f"{text}, over {len(items)} listings, without ever falling",
        claims=(
            Claim(Part.EFFECT, text, Status.ESTABLISHED, (first.ref, last.ref)),
            Claim(Part.LINK, "weights, pool and graphs are fixed after the launch", Status.SUPPORTED),
        ),
        numbers=(grown,),
        lines=lines,
        remedy=_REMEDY,
        confirm=(FREE_UNDER_LOAD, WHO_HOLDS),
        at=first.at,
        not_known=("whether this server's processes hold it, and what for",),
    )
