"""The GPU ran out of memory while CUDA graphs were captured.

What it is. Graphs are captured after the KV pool is taken, largest batch first, from what the fraction left. Each needs
its own buffers, and the first also loads kernels and workspaces.

How it shows. `Capture cuda graph failed: CUDA out of memory. Tried to allocate …`; the free memory in the capture bar
falls from batch size to batch size; without figures `CUDA error: out of memory` or `CUBLAS_STATUS_ALLOC_FAILED`.

What it is mistaken for. Other failures of the capture, below which the same advice about memory is printed
(`graph-capture-failed`); memory in other hands; a full host.

What confirms and refutes it. `avail mem` at the beginning of the capture against what the error asks for.

How it is fixed. A lower fraction by what was lacking, or smaller graphs (--cuda-graph-max-bs); without graphs it
starts, slowly.

Since and until which release. Any with CUDA graphs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer import events as ev
from analyzer import units
from analyzer.ledgers.endings import came_first
from analyzer.ledgers.gpu_remedy import FREE_UNDER_LOAD, lower_fraction
from analyzer.ledgers.gpu_shortage import Shortage, shortages
from analyzer.ledgers.launch_command import with_argument
from analyzer.ledgers.spoken import AFTER_A_CRASH, record
from analyzer.rule import rule
from analyzer.units import assumed
from analyzer.verdict import Claim, Cleared, Found, Remedy
from analyzer.vocabulary import Part, Phase, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.incident import Incident
    from analyzer.launches import Timed
    from analyzer.units import Amount
    from analyzer.verdict import Verdict

_TWO = assumed("2", "count", "half as many requests per graph")
_ONE = assumed("1", "count", "batch sizes are whole")


@rule("graph-capture-oom", explains=(*AFTER_A_CRASH, "graph-capture-failed"))
def ran_out(incident: Incident) -> Iterator[Verdict]:
    """Out of memory during capture, unless others took the memory meanwhile."""
    lacking = shortages(incident, Phase.GRAPH_CAPTURE)
    ours = [s for s in lacking if not s.by_others]
    if ours:
        yield _found(incident, ours)
    elif lacking:
        yield Cleared("others took the memory after the pool was sized", (lacking[0].ref,))
    elif captured := incident.first(ev.GraphCaptureEnded):
        yield Cleared("the graphs were captured", (captured.ref,))


def _found(incident: Incident, lacking: list[Shortage]) -> Found:
    first = lacking[0]
    lines = tuple(s.ref for s in lacking)
    begun = _begun(incident, first)
    room = (
        begun.event.free.called("free when the capture began")
        if begun is not None and begun.event.free is not None
        else None
    )
    at_size = _size(incident, begun)
    ranks = len({s.item.process for s in lacking})
    where = f" at batch size {units.shown(at_size)}" if at_size is not None else ""
    graph = f" ({begun.event.graph})" if begun is not None and begun.event.graph else ""
    had = f"; {units.shown(room)} were free when the capture began" if room is not None else ""
    known: tuple[Amount[Any] | None, ...] = (room, at_size)
    return Found(
        summary=(
            f"the GPU ran out during graph capture{graph}{where} ({ranks} {'rank' if ranks == 1 else 'ranks'}): "
            f"{first.sentence}{had}"
        ),
        claims=(
            *_room(room, begun),
            Claim(Part.EFFECT, f"out of memory during capture: {first.sentence}", Status.ESTABLISHED, lines[:8]),
        ),
        explanation="Graphs are captured from what the memory fraction left beside weights and KV pool.",
        numbers=(*first.figures, *(a for a in known if a is not None)),
        lines=(*lines, *_wrapped(incident, lacking), *((begun.ref,) if begun is not None else ())),
        remedy=_remedies(incident, first, at_size),
        sum=first.sum,
        confirm=(FREE_UNDER_LOAD,),
        at=first.at,
    )


def _room(room: Amount[Any] | None, begun: Timed[ev.GraphCaptureBegun] | None) -> tuple[Claim, ...]:
    if room is None or begun is None:
        return ()
    return (
        Claim(Part.LIMIT, f"{units.shown(room)} were free when the capture began", Status.ESTABLISHED, (begun.ref,)),
    )


def _begun(incident: Incident, first: Shortage) -> Timed[ev.GraphCaptureBegun] | None:
    """The capture that failed: the last one that this process began; any process's where the line names none."""
    begun = incident.of(ev.GraphCaptureBegun)
    own = [t for t in begun if t.process == first.item.process]
    return next(iter(reversed(own or begun)), None)


def _size(incident: Incident, begun: Timed[ev.GraphCaptureBegun] | None) -> Amount[Any] | None:
    """By the last frame of the bar of this capture: a draft model's graphs are captured after the target's.

    Rank 0 alone draws it, and another rank may begin a moment later.
    """
    alike = [t for t in incident.of(ev.GraphCaptureBegun) if begun is not None and t.event.graph == begun.event.graph]
    bars = [t for t in incident.of(ev.GraphCaptureProgress) if not alike or came_first(alike[0], t)]
    sizes = [t.event.batch_size for t in bars if t.event.batch_size is not None]
    return sizes[-1].called("batch size being captured") if sizes else None


def _wrapped(incident: Incident, lacking: list[Shortage]) -> tuple[Any, ...]:
    """The lines that say that the capture failed: the same records."""
    records = {record(s.ref) for s in lacking}
    return tuple(t.ref for t in incident.failures("graph-capture-failed") if record(t.ref) in records)


def _remedies(incident: Incident, first: Shortage, at_size: Amount[Any] | None) -> tuple[Remedy, ...]:
    lower = lower_fraction(incident, first.lacking)
    half = (at_size / _TWO).floor(_ONE).called("largest batch size to capture") if at_size is not None else None
    smaller = half is not None and half.value >= 1
    return (
        lower or Remedy("fix", "a lower --mem-fraction-static, or more GPUs where no lower one leaves a KV pool"),
        Remedy(
            "fix",
            "capture smaller graphs"
            + (f": --cuda-graph-max-bs {units.shown(half)}" if half is not None and smaller else ""),
            argument="cuda_graph_max_bs",
            after=f"{half.number():.0f}" if half is not None and smaller else None,
            command_line=with_argument(incident, "cuda_graph_max_bs", f"{half.number():.0f}")
            if half and smaller
            else None,
            risk="larger batches run without graphs",
            numbers=(half,) if half is not None and smaller else (),
        ),
        Remedy("fix", "start without CUDA graphs", argument="disable_cuda_graph", risk="decoding becomes much slower"),
    )
