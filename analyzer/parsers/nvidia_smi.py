"""The boxes of plain `nvidia-smi`: GPUs, MIG devices, processes, in the layouts of drivers since 390; `nvitop`'s too.

Its MiB are binary. `snapshot` of its events is the line at which the output begins.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from analyzer.events import Fact, GpuFault, GpuListed, GpuProcess
from analyzer.expression import lazy
from analyzer.parsers import nvitop
from analyzer.parsers.block import Block
from analyzer.parsers.sizes import count, size, whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.events import Event
    from analyzer.parsers.block import Around, Text

KIND = "nvidia-smi"
HEADS = (
    "NVIDIA-SMI",
    "NVITOP ",
    "| Processes:",
    "| MIG devices:",
    "Unable to determine the device",
    "No devices were found",
)

_TITLE = lazy(r"\| NVIDIA-SMI +\S+ +.{0,40}Driver Version: +(\S+)(?: +CUDA Version: +(\S+))?")
_BUS = lazy(r"[0-9A-F]{4,8}:[0-9A-F]{2}:[0-9A-F]{2}\.[0-9A-F]$", re.IGNORECASE)
_TEMPERATURE = lazy(r"(\d{1,3})C ")
_MEMORY = lazy(r"(\d{1,9})MiB +/ +(\d{1,9})MiB")
_MIG = lazy(r"\d{1,3}(?: +(?:\d{1,3}|N/A)){3}$", re.ASCII)  # GPU, instance, compute instance, device
_LOAD = lazy(r"(\d{1,3})%")
_TYPES = frozenset({"C", "G", "C+G", "M+C"})
_FAILED = lazy(
    r"NVIDIA-SMI has failed because .{1,200}|No devices were found$|Unable to determine the device handle for .{1,200}"
)
_LOST = lazy(r"Unable to determine the device handle for (?:GPU ?)?([0-9A-Fa-f:]{7,14}\.\d): (GPU is lost.{0,100})")


def claims(head: str, _around: Around) -> bool:
    """The title row, the title of another box, or the tool's own failure."""
    line = head.strip()[:400]
    return bool(_TITLE.match(line) or _FAILED.match(line)) or _is_box(line) or nvitop.is_title(line)


def reads(lines: Sequence[Text], around: Around) -> Block:
    """All boxes; a blank line between them belongs to the output."""
    if nvitop.is_title(lines[0].text.strip()[:400]):
        return nvitop.reads(lines, around)
    events: list[Event] = []
    used, row = 0, 0
    snapshot = lines[0].ref.line
    while row < len(lines):
        text = lines[row].text.strip()
        if text and not text.startswith(("|", "+-", "+=")) and not claims(text, around):
            break
        if text:
            events += _events(lines, row, around, snapshot)
            used = row + 1
        elif not _box_follows(lines, row):
            break
        row += 1
    return Block(max(used, 1), used, events)


def _box_follows(lines: Sequence[Text], row: int) -> bool:
    return any(_is_box(line.text.strip()) for line in lines[row + 1 : row + 4])


def _is_box(line: str) -> bool:
    return line.startswith(("| Processes:", "| MIG devices:")) and line.endswith("|")


def _events(lines: Sequence[Text], row: int, around: Around, snapshot: int) -> list[Event]:
    line = lines[row]
    text = line.text.strip()[:400]
    title, lost, failed = _TITLE.match(text), _LOST.match(text), _FAILED.match(text)
    if title:
        names = ("nvidia.driver", "nvidia.cuda")
        told = [(name, value) for name, value in zip(names, title.groups(), strict=True) if value]
        return [Fact(where=around.at(line), text=line.quoted, name=name, value=value) for name, value in told]
    if lost:
        return [GpuFault(where=around.at(line), text=line.quoted, code="GPU is lost", gpu=lost[1], detail=lost[2])]
    if failed:
        return [Fact(where=around.at(line), text=line.quoted, name="nvidia.smi-failed", value=failed[0])]
    cells = [cell.strip() for cell in text.strip("|").split("|")]
    if len(cells) == 3 and cells[0] and row + 1 < len(lines) and _BUS.match(cells[1].split(" ")[0]):  # noqa: PLR2004
        return [_gpu(cells, line, lines[row + 1], around, snapshot)]
    if len(cells) > 2 and _MIG.match(cells[0]) and (held := _MEMORY.match(cells[1])):  # noqa: PLR2004
        gpu, *_, device = cells[0].split()
        used = size(held[1], line.ref, bare="MiB")
        name, value = f"gpu.{gpu}.mig.{device}.memory-used", f"{held[1]} of {held[2]} MiB"
        return [Fact(where=around.at(line), text=line.quoted, name=name, value=value, amount=used)]
    return _process(cells[0].split(), line, around, snapshot) if len(cells) == 1 else []


def _gpu(cells: list[str], line: Text, second: Text, around: Around, snapshot: int) -> GpuListed:
    """A GPU from the two rows that tell of it."""
    index, *words = cells[0].split()
    name = " ".join(words[:-1] if words[-1:] in (["On"], ["Off"], ["N/A"]) else words)
    figures = second.text[:400]
    temperature, memory = _TEMPERATURE.search(figures), _MEMORY.search(figures)
    load = _LOAD.match(figures.strip(" |").rpartition("|")[2].strip())  # the fan's share stands before it
    return GpuListed(
        where=around.at(line),
        text=line.quoted,
        index=index,
        name="" if "ERR!" in name else name,
        total=size(memory[2], second.ref, bare="MiB") if memory else None,
        used=size(memory[1], second.ref, bare="MiB") if memory else None,
        utilisation=count(load[1], second.ref, "percent") if load else None,
        temperature=count(temperature[1], second.ref) if temperature else None,
        ecc=count(cells[2], line.ref),
        snapshot=snapshot,
    )


def _process(words: list[str], line: Text, around: Around, snapshot: int) -> list[Event]:
    """`0  N/A  N/A  61200  C  python3  101010MiB`, or without the two columns of MIG instances."""
    at = next((i for i in (2, 4) if len(words) > i + 1 and words[i] in _TYPES), 0)
    pid = whole(words[at - 1]) if at else None
    if pid is None or whole(words[0]) is None:
        return []
    used = size(words[-1].removesuffix("MiB"), line.ref, bare="MiB") if words[-1].endswith("MiB") else None
    command = " ".join(words[at + 1 : -1])
    return [
        GpuProcess(
            where=around.at(line),
            text=line.quoted,
            gpu=words[0],
            pid=pid,
            command=command,
            used=used,
            snapshot=snapshot,
        )
    ]
