"""The GPU ran out of memory while the server answered requests, its own first one included.

What it is. Activations, logits, images and kernels' workspaces are taken from what the memory fraction left beside
weights, KV pool and graphs. A long prefill chunk, many log-probabilities or a large image needs more than is there.

How it shows. `torch.OutOfMemoryError` below `event_loop_…` and `run_batch`; on AMD a queue that aborts with
`HSA_STATUS_ERROR_OUT_OF_RESOURCES`, without a rank or a traceback and with a free figure that may be nonsense;
`CUBLAS_STATUS_ALLOC_FAILED`. The bare `Killed` or exit code -9 after it is SGLang clearing its own processes.

What it is mistaken for. The host's OOM killer. A full KV pool (`Decode out of memory happened`, `Prefill out of
memory`), which is no lack of GPU memory. A GPU fault: HSA prints the same kind of line for faults, with other codes.
Its peers report time-outs and lost connections, sometimes on another node or the other PD leg.

What confirms and refutes it. `available_gpu_mem` after the launch against what the error asks for; `nvidia-smi` under
the same load.

How it is fixed. A lower fraction by what was lacking, smaller prefill chunks, fewer or smaller inputs at once.

Since and until which release. Any.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer import events as ev
from analyzer import units
from analyzer.ledgers.gpu_memory import budget
from analyzer.ledgers.gpu_remedy import FREE_UNDER_LOAD, defragment, lower_fraction
from analyzer.ledgers.gpu_shortage import Shortage, shortages
from analyzer.ledgers.launch_command import with_argument
from analyzer.ledgers.spoken import AFTER_A_CRASH
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

_PHASES = (Phase.SERVING, Phase.WARM_UP)
_TWO = assumed("2", "count", "half as many tokens per prefill step need about half the activations")
_MUCH = assumed("10", "percent", "one step's activations rarely need more of a GPU")
_UNREAD = "what took it outside of the pools: the error prints no sizes"


@rule("serving-gpu-oom", explains=(*AFTER_A_CRASH, "graph-capture-failed"))
def ran_out(incident: Incident) -> Iterator[Verdict]:
    """Out of memory after the launch; an error without sizes supports it only."""
    lacking = shortages(incident, *_PHASES)
    ours = [s for s in lacking if not s.by_others]
    if ours:
        yield _found(incident, ours)
    elif lacking:
        yield Cleared("others took the memory after the pool was sized", (lacking[0].ref,))
    elif incident.served:
        yield Cleared("no allocation on a GPU failed while it served")


def _found(incident: Incident, lacking: list[Shortage]) -> Found:
    first = next((s for s in lacking if s.item.event.wanted is not None), lacking[0])
    sized = first.item.event.wanted is not None
    status = Status.ESTABLISHED if sized else Status.SUPPORTED
    lines = tuple(s.ref for s in lacking)
    left = _left(incident)
    after = f"; {units.shown(left[0])} were left after the launch" if left else ""
    numbers = (*first.figures, *((left[0],) if left else ()), *_chunk_number(incident))
    text = first.sentence if sized else _said(first.item.event.text)
    rank = f" on {first.item.process}" if first.item.rank.label() else ""
    return Found(
        summary=f"the GPU ran out while serving{rank}: {text}{after}",
        claims=(
            Claim(Part.DEMAND, f"the step asked for memory: {first.sentence}", status, lines[:1]),
            *(
                (
                    Claim(
                        Part.LIMIT, f"{units.shown(left[0])} were left after the launch", Status.ESTABLISHED, (left[1],)
                    ),
                )
                if left
                else ()
            ),
            Claim(Part.EFFECT, lacking[0].item.event.text[:200], status, lines[:8]),
        ),
        explanation=_explanation(incident, first, left),
        numbers=numbers,
        lines=lines,
        remedy=_remedies(incident, first),
        sum=first.sum,
        confirm=(FREE_UNDER_LOAD,),
        at=lacking[0].at,
        not_known=() if sized else (_UNREAD,),
    )


def _said(text: str) -> str:
    """The runtime's own word for it, without the file, the clock and the addresses that it begins with."""
    _, status, rest = text.partition("HSA_")
    return " ".join((status + rest if status else text).split())[:160]


def _left(incident: Incident) -> tuple[Amount[Any], Any] | None:
    """What was left beside the pools when the launch was over, and its line."""
    ends: list[Timed[Any]] = [*incident.of(ev.CapacityPrinted), *incident.of(ev.GraphCaptureEnded)]
    told = [(t.event.free, t.ref) for t in ends or incident.of(ev.MemoryPoolEnded) if t.event.free is not None]
    if not told:
        return None
    least, line = min(told, key=lambda pair: pair[0].value)
    return least.called("left on the GPU after the launch"), line


def _explanation(incident: Incident, first: Shortage, left: tuple[Amount[Any], Any] | None) -> str:
    before = budget(incident).before
    if first.others is not None:
        return (
            f"Since the weights were loaded another process took {units.shown(first.others)} of this GPU: this "
            "server's own main process, which prepares images there, or somebody else's."
        )
    sized = first.item.event.wanted is not None
    if sized or left is None or before is None or left[0].surely_below(before * _MUCH):
        return "Steps take their memory from what weights, KV pool and graphs left."
    return (
        f"{units.shown(left[0])} are more than one step takes: something grew outside of the pools, a kernel's "
        "workspace or a cache of the runtime."
    )


def _chunk(incident: Incident) -> Amount[Any] | None:
    printed = next((t.event.chunked_prefill for t in incident.of(ev.CapacityPrinted) if t.event.chunked_prefill), None)
    chunk = printed or incident.arguments.amount("chunked_prefill_size", "token")
    return chunk if chunk is not None and chunk.value > 1 else None


def _chunk_number(incident: Incident) -> tuple[Amount[Any], ...]:
    chunk = _chunk(incident)
    return (chunk.called("tokens of one prefill chunk"),) if chunk is not None else ()


def _remedies(incident: Incident, first: Shortage) -> tuple[Remedy, ...]:
    lower = lower_fraction(incident, first.lacking)
    chunk = _chunk(incident)
    half = f"{(chunk / _TWO).number():.0f}" if chunk is not None else None
    return (
        lower or Remedy("fix", "a lower --mem-fraction-static, or more GPUs where no lower one leaves a KV pool"),
        Remedy(
            "fix",
            "smaller prefill chunks" + (f": --chunked-prefill-size {half}" if half else " (--chunked-prefill-size)"),
            argument="chunked_prefill_size",
            before=f"{chunk.number():.0f}" if chunk is not None else None,
            after=half,
            command_line=with_argument(incident, "chunked_prefill_size", half) if half else None,
            risk="long prompts take more steps",
        ),
        *((pieces,) if (pieces := defragment(first.item.event)) is not None else ()),
        Remedy("prevent", "load-test with the longest prompts, images and log-probabilities that clients may send"),
    )
