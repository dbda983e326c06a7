"""/dev/shm is too small for what the ranks put there.

What it is. NCCL keeps buffers for its ranks on one host in /dev/shm, torch shares tensors through it, and so do
several parts of SGLang. A container starts with 64 MB of it.

How it shows. `Error while creating shared memory segment /dev/shm/nccl-… (size 7340384)`, `No space left on device`
for a path below /dev/shm, `unable to mmap … bytes from file </torch_…>`, a bus error (SIGBUS, exit code 135 or -7) of
a rank that touches such memory.

What it is mistaken for. A lack of RAM, a kill, a network fault (`unhandled system error` of NCCL, with the reason
some lines below), a full disk. `out of resource: shared memory` of Triton is the GPU's own and has nothing to do with
it.

What confirms and refutes it. `df -h /dev/shm` inside the container, while the server starts.

How it is fixed. --shm-size 32g or --ipc=host for docker, an emptyDir with medium: Memory mounted at /dev/shm in
Kubernetes. As a stop-gap NCCL_SHM_DISABLE=1, at the cost of speed.

Since and until which release. Any.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer import units
from analyzer.ledgers.file_systems import SHM, Room, holding
from analyzer.ledgers.spoken import AFTER_A_CRASH, decisive, from_lines, in_time, survived
from analyzer.rule import rule
from analyzer.units import assumed
from analyzer.verdict import Claim, Cleared, Confirm, Found, Remedy, Unknown
from analyzer.vocabulary import Part, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.incident import Incident
    from analyzer.launches import Timed
    from analyzer.verdict import Verdict

_TOPIC = "shm-too-small"
_SIGBUS = frozenset({-7, 135})
_SAYS_SIGBUS = ("Bus error", "SIGBUS")
_ENOUGH = assumed("1", "GiB", "the buffers of one host's ranks stay below this")
_DF = Confirm("df -h /dev/shm", "how large it is and how much is left", where="container")
_REMEDY = (
    Remedy(
        "fix",
        "start the container with --shm-size 32g or --ipc=host (Kubernetes: emptyDir, medium: Memory, at /dev/shm)",
    ),
    Remedy(
        "mitigate", "NCCL_SHM_DISABLE=1 keeps NCCL out of it", risk="slower collectives between GPUs without NVLink"
    ),
)


@rule(_TOPIC, explains=(*AFTER_A_CRASH, "checkpoint-unreadable"))
def too_small(incident: Incident) -> Iterator[Verdict]:
    """The allocation that failed in it; a bus error alone only where `df` shows that it is full."""
    room = holding(incident, SHM)
    lines, bus = in_time(decisive(incident, _TOPIC)), _bus_errors(incident)
    if lines:
        yield _found(lines, room)
    elif bus and room is not None and room.full:
        yield _by_bus_error(bus, room)
    elif bus and room is None:
        yield Unknown("a bus error ended a rank: the size of its /dev/shm would tell whether that was full", (_DF,))
    elif room is not None and not room.total.surely_below(_ENOUGH):
        yield Cleared(f"/dev/shm has {units.shown(room.total)}", (room.ref,))
    else:
        yield from survived(incident, _TOPIC)


def _bus_errors(incident: Incident) -> list[Timed[ev.RankDead] | Timed[ev.Failure]]:
    """SIGBUS, as the code of a rank that ended or as its own last words."""
    codes = [t for t in incident.of(ev.RankDead) if t.event.code is not None and int(t.event.code.value) in _SIGBUS]
    said = [t for t in decisive(incident, "scheduler-crashed") if t.event.detail.startswith(_SAYS_SIGBUS)]
    return [*codes, *said]


def _by_bus_error(bus: list[Timed[ev.RankDead] | Timed[ev.Failure]], room: Room) -> Found:
    lines = tuple(t.ref for t in bus)
    text = f"/dev/shm has {units.shown(room.total)}, of which {units.shown(room.free)} are left"
    return Found(
        summary=f"{text}, and a bus error ended a rank",
        claims=(
            Claim(Part.EFFECT, bus[0].event.text[:200], Status.ESTABLISHED, lines[:8]),
            Claim(Part.LIMIT, text, Status.ESTABLISHED, (room.ref,)),
            Claim(Part.LINK, "memory of a full file system cannot be touched: SIGBUS", Status.SUPPORTED),
        ),
        numbers=(room.total, room.free),
        lines=(*lines, room.ref),
        remedy=_REMEDY,
        confirm=(_DF,),
        at=bus[0].at,
    )


def _found(lines: list[Timed[ev.Failure]], room: Room | None) -> Found:
    found = from_lines(lines, remedy=_REMEDY, confirm=(_DF,))
    wanted = next((t.event.wanted for t in lines if t.event.wanted is not None), None)
    segment = wanted.called("segment asked for") if wanted is not None else None
    asked = f": {units.shown(segment)} could not be had" if segment is not None else ""
    if room is None:
        return replace(
            found, summary=f"/dev/shm is too small{asked}", numbers=(segment,) if segment is not None else ()
        )
    text = f"/dev/shm has {units.shown(room.total)}, of which {units.shown(room.free)} are left"
    return replace(
        found,
        summary=f"{text}{asked}",
        claims=(*found.claims, Claim(Part.LIMIT, text, Status.ESTABLISHED, (room.ref,))),
        numbers=(*((segment,) if segment is not None else ()), room.total, room.free),
        lines=(*found.lines, room.ref),
    )
