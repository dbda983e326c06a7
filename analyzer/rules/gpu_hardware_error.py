"""A GPU, its memory or its links reported a fault that the vendor classes as hardware.

What it is. An uncorrectable memory error (Xid 48, 94, 95; `uncorrectable ECC error encountered`), a row that is
remapped or could not be (63, 64), a failing NVLink (74), a card that fell off the bus (79), a GPU system processor
that does not answer (119, 120), an AMD RAS record. The process that used the card gets an error at its next call; its
peers wait.

How it shows. The kernel log at the same second as the first error of one rank; in the server's log the ECC text, an
illegal access, or nothing but a hang; in `nvidia-smi` a count of uncorrectable errors, `ERR!`, or `GPU is lost`.

What it is mistaken for. An illegal memory access of a kernel, a NCCL time-out, a full GPU during graph capture, a
kill: SIGKILL seconds later is SGLang clearing its own processes. An old record of another day is no part of today's
crash.

What confirms and refutes it. `nvidia-smi -q -d ECC,ROW_REMAPPER,PAGE_RETIREMENT`, the kernel log with its process id
and time, the vendor's diagnosis (`dcgmi diag -r 3`). Xid 119 and 120 can be the driver's fault.

How it is fixed. Drain the node, reset the GPU (a pending row remap needs it), replace the card if it comes back.

Since and until which release. Any.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer import units
from analyzer.ledgers.gpu_faults import Fault, concerns, faults, left_open, open_to_question, who
from analyzer.ledgers.spoken import AFTER_A_CRASH, decisive, from_lines, in_time
from analyzer.rule import rule
from analyzer.verdict import Claim, Confirm, Found, Remedy, Unknown
from analyzer.vocabulary import Part, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.evidence import Ref
    from analyzer.incident import Incident
    from analyzer.launches import Timed
    from analyzer.units import Amount, One
    from analyzer.verdict import Verdict

_CONFIRM = (
    Confirm(
        "nvidia-smi -q -d ECC,ROW_REMAPPER,PAGE_RETIREMENT", "which card counts memory errors, and what is pending"
    ),
    Confirm("dmesg -T | grep -iE 'xid|nvrm|amdgpu|pcie'", "which card, when, and what came before"),
)
_REMEDY = (
    Remedy("mitigate", "start on the other cards (CUDA_VISIBLE_DEVICES) or on another node"),
    Remedy("fix", "drain the node and reset the GPU; run dcgmi diag -r 3; replace the card if it comes back"),
    Remedy("prevent", "alert on hardware Xid numbers and on uncorrectable ECC counts"),
)


@rule("gpu-hardware-error", explains=(*AFTER_A_CRASH, "illegal-memory-access", "gpu-fault", "graph-capture-failed"))
def failed(incident: Incident) -> Iterator[Verdict]:
    """The server's own words, or a driver's record; either alone is enough where it concerns this server."""
    lines = in_time(decisive(incident, "gpu-hardware-error"))
    every = faults(incident, "hardware")
    seen = [f for f in every if concerns(incident, f)]
    counted = [t for t in incident.of(ev.GpuListed) if t.event.ecc is not None and t.event.ecc.value > 0]
    if lines:
        yield _by_server(incident, lines, seen, counted)
    elif seen:
        yield _by_driver(seen, counted)
    elif counted and open_to_question(incident):
        yield _by_count(counted)
    elif every:
        yield from left_open(every[0], _CONFIRM[1:])
    elif counted:
        yield Unknown(f"when GPU {counted[0].event.index} counted its memory errors", _CONFIRM[1:])


def _by_server(
    incident: Incident, lines: list[Timed[ev.Failure]], seen: list[Fault], counted: list[Timed[ev.GpuListed]]
) -> Found:
    found = from_lines(lines, remedy=_REMEDY, confirm=_CONFIRM)
    near = [f for f in seen if f.link.strength >= Status.SUPPORTED.strength]
    driver = tuple(
        Claim(Part.EFFECT, f"the driver at that moment: {f.text}", Status.ESTABLISHED, (f.item.ref,)) for f in near[:3]
    )
    said = lines[0].event.detail or lines[0].event.text[:160]
    also = f"; the driver recorded {near[0].item.event.code} of GPU {near[0].item.event.gpu}" if near else ""
    starts = [t.at for t in (lines[0], *(f.item for f in near)) if t.at is not None]
    return replace(
        found,
        summary=f"{said} on {who(incident, lines[0])}{also}",
        claims=(*found.claims, *driver, *_count_claims(counted)),
        numbers=_counts(counted),
        lines=(*found.lines, *(f.item.ref for f in near), *(t.ref for t in counted)),
        at=min(starts, key=lambda at: at.seconds, default=None),
    )


def _by_driver(seen: list[Fault], counted: list[Timed[ev.GpuListed]]) -> Found:
    first = seen[0]
    lines = tuple(f.item.ref for f in seen)
    codes = ", ".join(dict.fromkeys(f.item.event.code for f in seen))
    gpu = f" of GPU {first.item.event.gpu}" if first.item.event.gpu else ""
    return Found(
        summary=f"the driver recorded {codes}{gpu}: {first.says}",
        claims=(
            Claim(Part.EFFECT, first.item.event.text[:200], Status.ESTABLISHED, lines[:1]),
            Claim(Part.LINK, first.why, first.link, lines[:1]),
            *_count_claims(counted),
        ),
        numbers=_counts(counted),
        lines=(*lines, *(t.ref for t in counted)),
        remedy=_REMEDY,
        confirm=_CONFIRM,
        at=first.item.at,
    )


def _by_count(counted: list[Timed[ev.GpuListed]]) -> Found:
    listed = ", ".join(f"GPU {t.event.index}" for t in counted[:4])
    lines = tuple(t.ref for t in counted)
    return Found(
        summary=f"{listed} counts uncorrectable memory errors; no line ties them to this server",
        claims=(
            Claim(Part.EFFECT, f"uncorrectable ECC errors on {listed}", Status.ESTABLISHED, lines),
            Claim(Part.LINK, "when they were counted is not known", Status.HYPOTHESIS),
        ),
        numbers=_counts(counted),
        lines=lines,
        remedy=_REMEDY,
        confirm=_CONFIRM,
    )


def _count_claims(counted: list[Timed[ev.GpuListed]]) -> tuple[Claim, ...]:
    return tuple(
        Claim(Part.EFFECT, f"GPU {gpu} counts {units.shown(ecc)} uncorrectable errors", Status.ESTABLISHED, (ref,))
        for gpu, ecc, ref in _listed(counted)
    )


def _counts(counted: list[Timed[ev.GpuListed]]) -> tuple[Amount[One], ...]:
    return tuple(ecc.called(f"uncorrectable ECC errors of GPU {gpu}") for gpu, ecc, _ in _listed(counted))


def _listed(counted: list[Timed[ev.GpuListed]]) -> list[tuple[str, Amount[One], Ref]]:
    return [(t.event.index, t.event.ecc, t.ref) for t in counted[:4] if t.event.ecc is not None]
