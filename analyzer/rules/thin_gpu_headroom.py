"""Little GPU memory is left beside weights, KV pool and graphs.

What it is. `--mem-fraction-static` is the share of the memory free before loading that weights and KV pool may take;
the rest is for activations, CUDA graphs and whatever a kernel allocates while it serves. A high fraction leaves little.

How it shows. A small `available_gpu_mem` (or `avail mem` after graph capture) while nothing has gone wrong yet.

What it is mistaken for. The cause of an incident it has no part in. It becomes a cause only where a GPU allocation
failed, and then that failure is the finding.

What confirms and refutes it. `nvidia-smi` under the heaviest load: the least free memory ever seen.

How it is fixed. A fraction lower by a few hundredths, or smaller prefill chunks.

Since and until which release. Any.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer import units
from analyzer.ledgers.gpu_memory import on_gpu
from analyzer.rule import rule
from analyzer.units import assumed
from analyzer.verdict import Claim, Cleared, Confirm, Found, Remedy
from analyzer.vocabulary import Part, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.incident import Incident
    from analyzer.launches import Timed
    from analyzer.units import Amount, Byte
    from analyzer.verdict import Verdict

_SHARE = assumed("5", "percent", "activations of one prefill chunk and late kernel loads rarely need more")
_CONFIRM = (Confirm("nvidia-smi --query-gpu=memory.free --format=csv -l 5", "the least that is free under load"),)


@rule("thin-gpu-headroom")
def thin(incident: Incident) -> Iterator[Verdict]:
    """What is left after everything was allocated, against what was free before loading."""
    if not on_gpu(incident):
        return
    left, line = _left(incident)
    begun = incident.first(ev.WeightLoadBegun)
    if left is None or line is None or begun is None or begun.event.free is None:
        return
    before = begun.event.free.called("free on the GPU before loading")
    if left.surely_below(before * _SHARE):
        yield _found(incident, left, before, line)
    else:
        yield Cleared(f"{units.shown(left)} of the GPU are left beside the pools", (line.ref,))


def _left(incident: Incident) -> tuple[Amount[Byte] | None, Timed[ev.Event] | None]:
    printed = incident.first(ev.CapacityPrinted)
    if printed is not None and printed.event.free is not None:
        return printed.event.free.called("left on the GPU"), printed
    ended = [t for t in incident.of(ev.GraphCaptureEnded) if t.event.free is not None]
    if ended and ended[-1].event.free is not None:
        return ended[-1].event.free.called("left on the GPU"), ended[-1]
    return None, None


def _found(incident: Incident, left: Amount[Byte], before: Amount[Byte], line: Timed[ev.Event]) -> Found:
    share = (left / before).called("share of the GPU left")
    fraction = incident.arguments.get("mem_fraction_static")
    said = f" with --mem-fraction-static {fraction}" if fraction is not None else ""
    room = f"{units.shown(before)} were free before loading"
    return Found(
        summary=f"{units.shown(left)} of {units.shown(before)} are left on the GPU beside the pools{said}",
        claims=(
            Claim(Part.LIMIT, room, Status.ESTABLISHED, tuple(units.lines_of(before))),
            Claim(Part.EFFECT, f"{units.shown(left)} are left", Status.ESTABLISHED, (line.ref,)),
        ),
        numbers=(share,),
        lines=(line.ref,),
        remedy=(Remedy("prevent", "lower --mem-fraction-static by 0.02 to 0.04 if the GPU runs out while serving"),),
        confirm=_CONFIRM,
        at=line.at,
    )
