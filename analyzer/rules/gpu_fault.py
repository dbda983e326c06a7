"""The device reported a fault that a kernel, a driver or the hardware may have caused.

What it is. The driver or the runtime stopped the work of a GPU: Xid 13, 31 or 43, an HSA exception, a memory access
fault, `unspecified launch failure`, an illegal instruction. NVIDIA and AMD name the program first for all of these; a
fault of the card is possible and not shown.

How it shows. `NVRM: Xid (PCI:…): 31` in the kernel log; on AMD `aborting with error : HSA_STATUS_ERROR_EXCEPTION …
code: 0x1016` or `Memory access fault by GPU node-N`, without a traceback and without a rank, followed by an abort
(exit code -6) or by nothing at all while the other ranks wait.

What it is mistaken for. A hang, when the process that met it neither ends nor answers. A lack of GPU memory: HSA
prints a free figure that means nothing. A defective card. Xid 45 is only the clean-up after a process was killed.

What confirms and refutes it. The kernel log for the whole hour: a hardware Xid, an ECC or RAS count, or the same card
each time speak for the hardware; the same kernel on any card speaks for the program.

How it is fixed. Another kernel backend, a driver or runtime that fits the release; reset the GPU before the next
start.

Since and until which release. Any.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer.ledgers.gpu_faults import Fault, concerns, faults, left_open, who
from analyzer.ledgers.spoken import AFTER_A_CRASH, decisive, from_lines, in_time
from analyzer.rule import rule
from analyzer.verdict import Claim, Confirm, Found, Remedy
from analyzer.vocabulary import Part, Status, weakest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.incident import Incident
    from analyzer.verdict import Verdict

_CONFIRM = (
    Confirm("dmesg -T | grep -iE 'xid|nvrm|amdgpu|ras'", "whether the driver names the hardware, and which card"),
    Confirm("nvidia-smi -q -d ECC,PAGE_RETIREMENT; amd-smi metric --ecc", "whether the card counts memory errors"),
)
_REMEDY = (
    Remedy("mitigate", "reset the GPUs (or reboot) before the next start: a card that has faulted may not be usable"),
    Remedy("fix", "try another attention or MoE backend and a driver or runtime that this release was tested with"),
    Remedy("prevent", "watch the kernel log: the same card twice is a reason to take it out"),
)
_EITHER = "A kernel, a driver or the card may cause such a fault; nothing here tells which, and no hardware is accused."
_ABORTED = frozenset({-6, 134})  # SIGABRT, by which a runtime ends a process whose queue has failed
_NOT_KNOWN = ("whether a kernel, the driver or the card is at fault",)


@rule("gpu-fault", explains=(*AFTER_A_CRASH, "graph-capture-failed"))
def faulted(incident: Incident) -> Iterator[Verdict]:
    """The server's own line about it, else a driver's record that concerns this server."""
    lines = in_time(decisive(incident, "gpu-fault"))
    seen = [f for f in faults(incident, "either") if concerns(incident, f)]
    if lines:
        found = from_lines(lines, remedy=_REMEDY, confirm=_CONFIRM, explanation=_EITHER, status=Status.SUPPORTED)
        ranks = list(dict.fromkeys(who(incident, t) for t in lines))
        more = f" ({len(ranks)} processes)" if len(ranks) > 1 else ""
        summary = f"a GPU fault on {ranks[0]}{more}: {lines[0].event.text[:200]}"
        yield replace(found, summary=summary, not_known=_NOT_KNOWN)
    elif seen:
        yield _by_driver(incident, seen)
    elif others := faults(incident, "either", "consequence"):
        yield from left_open(others[0], _CONFIRM[:1])


def _by_driver(incident: Incident, seen: list[Fault]) -> Found:
    first = seen[0]
    lines = tuple(f.item.ref for f in seen)
    who_says = "the GPU's runtime" if first.own else "the driver"
    aborted = [t for t in incident.of(ev.RankDead) if t.event.code is not None and int(t.event.code.value) in _ABORTED]
    gpu = f" of GPU {first.item.event.gpu}" if first.item.event.gpu else ""
    return Found(
        summary=f"{who_says} reported {first.text}{gpu}",
        claims=(
            Claim(Part.EFFECT, first.item.event.text[:200], Status.ESTABLISHED, lines[:1]),
            Claim(Part.LINK, first.why, weakest([first.link, Status.SUPPORTED]), lines[:1]),
            *(Claim(Part.END, t.event.text[:160], Status.ESTABLISHED, (t.ref,)) for t in aborted[:1]),
        ),
        numbers=tuple(t.event.code.called("exit code") for t in aborted[:1] if t.event.code is not None),
        explanation=_EITHER,
        lines=lines,
        remedy=_REMEDY,
        confirm=_CONFIRM,
        at=first.item.at,
        not_known=_NOT_KNOWN,
    )
