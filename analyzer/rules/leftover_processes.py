"""Processes of an earlier launch are still there and hold what this launch needs.

What it is. A server whose parent was killed, a job that ended, or a container that was left with `docker exec` can
leave ranks behind. They keep their GPU memory, their pinned host memory, their ports and their segments in /dev/shm.

How it shows. `sglang::scheduler_TP…` in a process listing with parent 1 and an age older than this launch, often of
another user; the same pids in `nvidia-smi`; the new launch then finds its GPUs or a port occupied.

What it is mistaken for. Weights or pools that do not fit the card; unlike cards. A second server that runs on purpose
has a live parent and is none of this. This launch's own ranks are none either.

What confirms and refutes it. `ps -eo pid,ppid,user,lstart,args | grep sglang::`, the job scheduler's list of running
jobs, and whether stopping them gives the memory back.

How it is fixed. Stop them by their pids (SIGTERM, then SIGKILL), wait until `nvidia-smi` shows the memory free, start
again. From then on stop servers through their parent, or give them a process group or container of their own.

Since and until which release. Any.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer import events as ev
from analyzer import units
from analyzer.ledgers import endings
from analyzer.ledgers.gpu_shortage import shortages
from analyzer.ledgers.leftovers import Leftover, older_than_launch, orphans
from analyzer.rule import rule
from analyzer.units import assumed, least, total
from analyzer.verdict import Claim, Cleared, Confirm, Found, Remedy
from analyzer.vocabulary import Part, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.incident import Incident
    from analyzer.units import Amount, Byte
    from analyzer.verdict import Verdict

_MOSTLY = assumed("90", "percent", "figures of two tools, and of two moments")
_CONFIRM = (
    Confirm("ps -eo pid,ppid,user,lstart,args | grep sglang::", "which of them are older than this launch"),
    Confirm("nvidia-smi --query-compute-apps=pid,used_memory --format=csv", "what they hold on the GPUs"),
)
_GPU = ("weights-exceed-gpu-memory", "kv-pool-no-room", "graph-capture-oom", "serving-gpu-oom", "gpu-memory-unbalanced")
_TOPICS = ("kv-pool-no-room", "gpu-memory-unbalanced", "port-in-use", "graph-capture-failed", "shm-too-small")


@rule("leftover-processes", explains=("gpu-memory-held-by-others", "scheduler-crashed", "launch-stalled", *_GPU))
def left(incident: Incident) -> Iterator[Verdict]:
    """Orphaned ranks in a listing, where this launch wanted for something that they hold."""
    found = orphans(incident)
    if not found or incident.ready:
        return
    wanting, link = _wanting(incident), _link(incident, found)
    if wanting is None:
        yield Cleared(f"{found[0].text} is there, but this launch wanted for nothing that it holds", found[0].lines[:1])
    elif link is not None:
        yield _found(found, wanting, link)


def _wanting(incident: Incident) -> endings.Ending | None:
    """The first line that says that GPU memory or a port was not to be had."""
    items = [*incident.of(ev.GpuOutOfMemory), *incident.failures(*_TOPICS)]
    first = min(items, key=lambda t: (t.at.seconds if t.at else float("inf"), t.written), default=None)
    return endings.Ending(first, first.event.text) if first is not None else None


def _link(incident: Incident, found: list[Leftover]) -> Claim | None:
    """That they are not this launch's own ranks over a parent that died; `None` where they are as young as it."""
    lines = tuple(f.item.ref for f in found[:4])
    older = older_than_launch(incident, found)
    if older is False:
        return None
    holding = [f.gpu for f in found if f.gpu is not None]
    foreign = next((s.others for s in shortages(incident) if s.others is not None), None)
    if foreign is not None and holding and not foreign.surely_below(least(holding) * _MOSTLY):
        text = f"{units.shown(foreign)} of a GPU are in other hands, about what one of them holds"
        return Claim(Part.LINK, text, Status.ESTABLISHED, lines)
    if older:
        text = "they are older than this launch, and their parent is gone"
        return Claim(Part.LINK, text, Status.ESTABLISHED if holding else Status.SUPPORTED, lines)
    return Claim(Part.LINK, "neither their age nor a sum tells them from this launch's own", Status.HYPOTHESIS, lines)


def _found(found: list[Leftover], wanting: endings.Ending, link: Claim) -> Found:
    lines = tuple(dict.fromkeys(ref for f in found for ref in f.lines))
    sizes = [f.gpu for f in found if f.gpu is not None]
    held = total(sizes).called("held on the GPUs by them") if sizes else None
    ages = [f.item.event.elapsed for f in found if f.item.event.elapsed is not None]
    age = max(ages, key=lambda a: a.value).called("age of the oldest") if ages else None
    sized = f", holding {units.shown(held)} of GPU memory" if held is not None else ""
    aged = f", {units.shown(age)} old" if age is not None else ""
    many = f"{len(found)} ranks of an earlier server are" if len(found) > 1 else "a rank of an earlier server is"
    what = f"{many} still there{sized}{aged}: {found[0].text}"
    numbers: tuple[Amount[Any] | None, ...] = (*(a.called("held by one of them") for a in sizes[:1]), held, age)
    pids = " ".join(str(f.item.event.pid) for f in found[:16])
    return Found(
        summary=what,
        claims=(
            Claim(Part.DEMAND, what, Status.ESTABLISHED, lines[:8]),
            Claim(Part.EFFECT, wanting.why[:200], Status.ESTABLISHED, (wanting.ref,)),
            link,
        ),
        numbers=tuple(a for a in numbers if a is not None),
        lines=(*lines, wanting.ref),
        sum=_sum(sizes, held),
        remedy=(
            Remedy("mitigate", f"stop them: kill {pids} (then kill -9), wait for the memory to come back, start again"),
            Remedy("prevent", "stop a server through its parent, or run it in a container or job step of its own"),
        ),
        confirm=_CONFIRM,
        at=wanting.item.at,
    )


def _sum(sizes: list[Amount[Byte]], held: Amount[Byte] | None) -> str | None:
    if held is None or len({size.value for size in sizes}) != 1:
        return None
    return f"{len(sizes)} × {units.shown(sizes[0])} = {units.shown(held)} of GPU memory in their hands"
