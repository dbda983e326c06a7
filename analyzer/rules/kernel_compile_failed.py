"""A kernel could not be compiled at run time, or the compiled one asks for more than the GPU has on chip.

What it is. Triton, flashinfer, DeepGEMM, torch.compile and sgl-kernel's extensions build kernels when they are first
used. The build needs a compiler, its headers and a place to write; the result must fit the GPU's registers and
on-chip shared memory.

How it shows. `No such file or directory: 'ninja'`, `Failed to find C compiler`, `Could not find nvcc`, `Ninja build
failed`, `NVCC compilation failed`, `BackendCompilerFailed`; or `out of resource: shared memory, Required: …, Hardware
limit: …`.

What it is mistaken for. `out of resource: shared memory` is neither RAM nor /dev/shm nor GPU memory, but some 100 KiB
on the chip. `No such file` names the build tool, not the model. A full disk under the cache folder, and a card that
the compiler does not know, are findings of their own. Slow compilation is no failure.

What confirms and refutes it. The compiler's own message above the last line; `which ninja nvcc gcc`; the size of the
cache folder's file system.

How it is fixed. Install the tool that is named (or use the image that brings it), clear the cache of a broken build,
take another backend where the kernel does not fit the chip.

Since and until which release. Any.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from analyzer.ledgers.spoken import AFTER_A_CRASH, decisive, from_lines, in_time, survived
from analyzer.rule import rule
from analyzer.verdict import Claim, Confirm, Found, Remedy
from analyzer.vocabulary import Part, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer import events as ev
    from analyzer.incident import Incident
    from analyzer.launches import Timed
    from analyzer.units import Amount, Byte
    from analyzer.verdict import Verdict

_TOPIC = "kernel-compile-failed"
_TOOLS = ("ninja", "nvcc", "gcc", "g++", "cc", "c++", "clang", "clang++", "hipcc", "ptxas", "cuobjdump")
_CONFIRM = (
    Confirm("which ninja nvcc gcc; nvcc --version", "whether the build tools are there", where="container"),
    Confirm("df -h ~/.triton ~/.cache /tmp", "whether the compile caches have room", where="container"),
)


@rule(_TOPIC, explains=(*AFTER_A_CRASH, "graph-capture-failed"))
def failed(incident: Incident) -> Iterator[Verdict]:
    """A kernel that does not fit the chip, a build tool that is missing, or a build that failed."""
    lines = in_time(decisive(incident, _TOPIC))
    if not lines:
        yield from survived(incident, _TOPIC)
        return
    event = next((t.event for t in lines if t.event.wanted is not None and t.event.total is not None), None)
    tool = lines[0].event.detail.rpartition("/")[2]
    if event is not None and event.wanted is not None and event.total is not None:
        yield _too_large(lines, event.detail, event.wanted, event.total)
    elif tool in _TOOLS:
        yield _no_tool(lines, tool)
    else:
        found = from_lines(lines, remedy=_general(), confirm=_CONFIRM)
        yield replace(found, summary=f"a kernel could not be compiled: {lines[0].event.text[:200]}")


def _too_large(lines: list[Timed[ev.Failure]], what: str, wanted: Amount[Byte], limit: Amount[Byte]) -> Found:
    wanted, limit = wanted.called("wanted by one kernel block"), limit.called("limit of the chip")
    remedy = (
        Remedy(
            "fix",
            "take another backend for this kernel (--attention-backend, --moe-runner-backend), or a release whose "
            "block sizes fit this GPU",
        ),
        Remedy(
            "mitigate", "a smaller head or block size is the model's and the kernel's matter: no memory argument helps"
        ),
    )
    found = from_lines(lines, remedy=remedy, confirm=_CONFIRM[:1])
    return replace(
        found,
        summary=f"a kernel wants {_whole(wanted)} of on-chip {what}, the GPU has {_whole(limit)}",
        claims=(
            Claim(Part.DEMAND, f"{_whole(wanted)} of {what} per block", Status.ESTABLISHED, found.lines[:1]),
            Claim(Part.LIMIT, f"the chip has {_whole(limit)}", Status.ESTABLISHED, found.lines[:1]),
        ),
        sum=f"{_whole(wanted)} of {what} wanted by one block, {_whole(limit)} on the chip",
        explanation="This is memory on the chip itself: not GPU memory, not RAM, not /dev/shm.",
        numbers=(wanted, limit),
    )


def _whole(size: Amount[Byte]) -> str:
    """As the compiler prints it: sizes this small are known to the byte."""
    return f"{int(size.value):,} bytes"


def _no_tool(lines: list[Timed[ev.Failure]], tool: str) -> Found:
    install = "install ninja (`pip install ninja`)" if tool == "ninja" else f"install the package that brings {tool}"
    remedy = (
        Remedy("fix", f"{install} in the environment that runs the server, with its folder on PATH"),
        Remedy("prevent", "use the published image, which brings the build tools"),
    )
    found = from_lines(lines, remedy=remedy, confirm=_CONFIRM)
    return replace(found, summary=f"a kernel could not be built: the build tool {tool} could not be run")


def _general() -> tuple[Remedy, ...]:
    return (
        Remedy(
            "fix", "read the compiler's message above; install what it misses, or take packages that fit each other"
        ),
        Remedy("mitigate", "clear the compile cache (~/.triton, ~/.cache/flashinfer, ~/.cache/torch) and start again"),
    )
