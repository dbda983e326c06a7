"""CUDA graph capture failed for another reason than memory, and what was raised names no known cause.

What it is. While it captures graphs the scheduler runs every kernel of the model for the first time, so whatever is
wrong with a kernel, a backend or a package comes to light there.

How it shows. `Capture cuda graph failed: …`; what follows the colon is the cause. Below it stands the same list of
possible solutions for every cause.

What it is mistaken for. A lack of GPU memory, because that list speaks of memory first; an out-of-memory error behind
the colon is another finding (`graph-capture-oom`), and so is a kernel that was not built for the card.

What confirms and refutes it. The free memory printed at the beginning of the capture; the same launch with
--disable-cuda-graph: where the first request then fails with the same text, capture has no part in it.

How it is fixed. By what stands behind the colon: another backend, a package that fits, a feature switched off.
Lowering --mem-fraction-static does not help.

Since and until which release. Any; the wording names the kind of graph from 0.5.9 on.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer import units
from analyzer.ledgers.launch_command import with_flag
from analyzer.ledgers.spoken import AFTER_A_CRASH, decisive, from_lines, in_time, record, survived
from analyzer.rule import rule
from analyzer.verdict import Claim, Cleared, Confirm, Remedy
from analyzer.vocabulary import Part, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.incident import Incident
    from analyzer.launches import Timed
    from analyzer.units import Amount, Byte
    from analyzer.verdict import Found, Verdict

_TOPIC = "graph-capture-failed"
_CONFIRM = (
    Confirm(
        "python3 -m sglang.launch_server … --disable-cuda-graph",
        "whether the same error comes without graphs, at the first request",
        where="container",
        read_only=False,
    ),
    Confirm(
        "pip list | grep -iE 'sglang|sgl-kernel|flashinfer|torch|triton'", "the packages' versions", where="container"
    ),
)
_PEERS = ("collective-timeout", "distributed-init-stalled")
_LIST = (
    "The possible solutions printed below it are the same for every cause; what stands behind the colon is what counts."
)


@rule(_TOPIC, explains=AFTER_A_CRASH)
def failed(incident: Incident) -> Iterator[Verdict]:
    """The first failed capture, unless memory was what failed."""
    lines = in_time(decisive(incident, _TOPIC))
    others = {record(t.ref): "memory ran out" for t in incident.of(ev.GpuOutOfMemory)}
    others |= {record(t.ref): "a peer was lost" for t in incident.failures(*_PEERS)}
    ours = [t for t in lines if record(t.ref) not in others]
    if ours:
        yield _found(incident, ours)
    elif lines:
        yield Cleared(f"{others[record(lines[0].ref)]} during the capture", (lines[0].ref,))
    else:
        yield from survived(incident, _TOPIC)


def _found(incident: Incident, lines: list[Timed[ev.Failure]]) -> Found:
    found = from_lines(lines, remedy=_remedies(incident), confirm=_CONFIRM, explanation=_LIST)
    ranks = len({t.process for t in lines})
    said = lines[0].event.detail or lines[0].event.text
    free = _free(incident)
    return replace(
        found,
        summary=f"graph capture failed on {ranks} {'ranks' if ranks > 1 else 'rank'}: {said[:200]}",
        claims=(*found.claims, *_room(free)),
        numbers=tuple(amount for amount, _ in free),
        lines=(*found.lines, *(t.ref for _, t in free)),
    )


def _free(incident: Incident) -> list[tuple[Amount[Byte], Timed[ev.GraphCaptureBegun]]]:
    """What was free when the last capture began; nothing where the release does not print it."""
    begun = [(t.event.free, t) for t in incident.of(ev.GraphCaptureBegun) if t.event.free is not None]
    return [(free.called("free on the GPU when the capture began"), item) for free, item in begun[-1:]]


def _room(free: list[tuple[Amount[Byte], Timed[ev.GraphCaptureBegun]]]) -> tuple[Claim, ...]:
    text = "no out-of-memory error is in it"
    return tuple(
        Claim(Part.LIMIT, f"{units.shown(amount)} were free when it began, and {text}", Status.ESTABLISHED, (item.ref,))
        for amount, item in free
    )


def _remedies(incident: Incident) -> tuple[Remedy, ...]:
    return (
        Remedy(
            "mitigate",
            "start with --disable-cuda-graph: it serves if the error belongs to the capture alone",
            argument="disable_cuda_graph",
            after="on",
            command_line=with_flag(incident, "disable_cuda_graph"),
            risk="much slower decoding",
        ),
        Remedy("fix", "follow the text behind the colon: another backend, a fitting package, the named feature off"),
    )
