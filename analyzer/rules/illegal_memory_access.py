"""A kernel used memory that is not its own, and every later call on that GPU fails.

What it is. A kernel read or wrote outside of its buffers (`an illegal memory access`, `misaligned address`), or its
own assertion failed (`device-side assert`). The error sticks to the process: whatever asks CUDA next reports it,
which is often not the code that caused it.

How it shows. `CUDA error: an illegal memory access was encountered` in a scheduler's traceback, or behind `watchdog
thread terminated with exception` of NCCL's watchdog, which merely met the error first. Other ranks follow, with the
same text or with time-outs; the parent receives SIGQUIT.

What it is mistaken for. A network fault, because NCCL's watchdog says it. A fault of the line in the traceback: the
error is reported late. A full GPU. A defective GPU: that needs a hardware Xid, an ECC count or the same card again
and again.

What confirms and refutes it. The first rank in time; the kernel log (Xid 13 or 31 beside it agree, Xid 48, 79, 94 or
95 accuse the hardware instead); the same request with CUDA_LAUNCH_BLOCKING=1, or a CUDA core dump, names the kernel.

How it is fixed. Another attention or MoE backend, or no CUDA graphs, as a test that narrows it down; then the release
that fixes that kernel. A device-side assert often is an index out of range: token ids or positions beyond the model's
size.

Since and until which release. Any.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer import units
from analyzer.ledgers.gpu_faults import faults, who
from analyzer.ledgers.launch_command import with_argument
from analyzer.ledgers.spoken import AFTER_A_CRASH, by_its_lines, from_lines, record
from analyzer.rule import rule
from analyzer.verdict import Claim, Confirm, Remedy
from analyzer.vocabulary import Part, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.incident import Incident
    from analyzer.launches import Timed
    from analyzer.verdict import Found, Verdict

_TOPIC = "illegal-memory-access"
_CONFIRM = (
    Confirm("dmesg -T | grep -iE 'xid|nvrm'", "whether the driver saw a kernel's error (Xid 13, 31) or the hardware's"),
    Confirm(
        "CUDA_LAUNCH_BLOCKING=1 python3 -m sglang.launch_server … --disable-cuda-graph",
        "which kernel it is: the traceback is then the right one",
        where="container",
        read_only=False,
    ),
)
_ASYNCHRONOUS = (
    "CUDA reports it at a later call than the one that caused it, and every rank that waits reports it as well: the "
    "traceback is where it came to light. The first rank in time counts."
)


@rule(_TOPIC, explains=(*AFTER_A_CRASH, "graph-capture-failed", "gpu-fault"))
def accessed(incident: Incident) -> Iterator[Verdict]:
    """The error text on the first rank in time, whoever says it."""
    yield from by_its_lines(incident, _TOPIC, _found)


def _found(incident: Incident, lines: list[Timed[ev.Failure]]) -> Found:
    first = lines[0]
    named = list(dict.fromkeys(who(incident, t) for t in lines))
    ranks = [name for name in named if not name.endswith("/main")] or named
    what = first.event.detail or first.event.text[:120]
    surfaced = _frame(incident, first)
    found = from_lines(lines, remedy=_remedies(incident, what), confirm=_CONFIRM, explanation=_ASYNCHRONOUS)
    others = f", then on {len(ranks) - 1} more" if len(ranks) > 1 else ""
    counted = units.counted(len(ranks), found.lines, "processes reporting it").called("processes reporting it")
    return replace(
        found,
        summary=f"{what} on {ranks[0]}{others}",
        claims=(*found.claims, *_driver(incident)),
        numbers=(counted,),
        not_known=("which kernel it was" + (f" ({surfaced} is where it came to light)" if surfaced else ""),),
    )


def _driver(incident: Incident) -> tuple[Claim, ...]:
    """What the kernel log says beside it, where it says anything that concerns this server."""
    seen = [f for f in faults(incident, "either") if f.link.strength >= Status.SUPPORTED.strength]
    if not seen:
        return ()
    lines = tuple(f.item.ref for f in seen[:4])
    return (Claim(Part.EFFECT, f"the driver at that moment: {seen[0].text}", Status.ESTABLISHED, lines),)


def _frame(incident: Incident, first: Timed[ev.Failure]) -> str:
    here = record(first.ref)
    frames = (t.event.frames[-1] for t in incident.of(ev.ExceptionRaised) if t.event.frames and record(t.ref) == here)
    return next(frames, "")


def _remedies(incident: Incident, what: str) -> tuple[Remedy, ...]:
    used = str(incident.arguments.get("attention_backend") or "")
    other = "flashinfer" if used == "triton" else "triton"
    test = Remedy(
        "mitigate",
        f"start with --attention-backend {other}, or without CUDA graphs, to see whether it stays",
        argument="attention_backend",
        before=used or None,
        after=other,
        command_line=with_argument(incident, "attention_backend", other),
        risk="slower; a test that narrows it down, no repair",
    )
    fix = "report it with the kernel that CUDA_LAUNCH_BLOCKING=1 or a core dump names, or take a release with the fix"
    if "assert" in what.lower():
        fix = "read the assertion above the traceback: an index is out of range (token ids, positions, experts)"
    return (test, Remedy("fix", fix))
