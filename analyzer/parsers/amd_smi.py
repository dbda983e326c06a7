"""`amd-smi list`, `static`, `metric` and `process`: a tree of keys under each `GPU: n`, told by its indentation.

The tool divides by 1024 and prints "MB" and "GB". A GPU of which the tree tells neither name nor figures (`list`) is
a fact with its address on the bus.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from analyzer.events import Fact, GpuListed, GpuProcess
from analyzer.expression import lazy
from analyzer.parsers.block import Block
from analyzer.parsers.sizes import count, size, whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analyzer.events import Event
    from analyzer.parsers.block import Around, Text
    from analyzer.units import Amount

KIND = "amd-smi"
HEADS = ("GPU: ", "CPU: ")

_DEVICE = lazy(r"([GC]PU): (\d{1,3})$", re.ASCII)
_PAIR = lazy(r"( +)([A-Za-z][\w %/()-]{0,60}?) ?:(?:\s+(.{0,300}))?$")
_PROCESS = "PROCESS_INFO"
_Told = tuple[str, "Text"]


@dataclass(slots=True)
class _Gpu:
    """What is told under one GPU: values by their path of headings, processes by their own keys."""

    index: str
    line: Text
    values: dict[tuple[str, ...], _Told] = field(default_factory=dict)
    processes: list[dict[str, _Told]] = field(default_factory=list)

    def told(self, *path: str) -> _Told:
        """The value that stands under the last of these headings; empty where there is none."""
        return next((told for known, told in self.values.items() if known[-len(path) :] == path), ("", self.line))

    def sized(self, *path: str) -> Amount[Any] | None:
        """The size that stands there."""
        text, line = self.told(*path)
        return size(text, line.ref)

    def counted(self, unit: str, *path: str) -> Amount[Any] | None:
        """The figure that stands there, without its own unit."""
        text, line = self.told(*path)
        return count(text.partition(" ")[0], line.ref, unit)


def claims(head: str, _around: Around) -> bool:
    """The line that a device begins with."""
    return _DEVICE.match(head.rstrip()[:40]) is not None


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One event per GPU and per process on it; a GPU that comes again is the next output's."""
    gpus: dict[str, _Gpu] = {}
    headings: list[tuple[int, str]] = []
    used = 0
    for number, line in enumerate(lines, 1):
        text = line.text.rstrip()[:500]
        device, pair = _DEVICE.match(text), _PAIR.match(text)
        if device:
            name = f"{device[1]} {device[2]}"
            if name in gpus:
                break
            gpus[name], headings = _Gpu(device[2], line), []
        elif pair and gpus:
            _note(
                gpus[list(gpus)[-1]], headings, (len(pair[1]), pair[2].upper().replace(" ", "_")), (pair[3] or "", line)
            )
        elif text or not gpus:
            break
        used = number if text else used
    told = [gpu for name, gpu in gpus.items() if name.startswith("GPU")]
    events = [event for gpu in told for event in _events(gpu, around, lines[0].ref.line)]
    return Block(max(used, 1), used if used > 1 else 0, events)


def _note(gpu: _Gpu, headings: list[tuple[int, str]], place: tuple[int, str], told: _Told) -> None:
    """Keeps a value under the headings that its indentation gives."""
    depth, key = place
    while headings and headings[-1][0] >= depth:
        headings.pop()
    path = (*(name for _, name in headings), key)
    headings.append((depth, key))
    if not path[0].startswith(_PROCESS):
        gpu.values.setdefault(path, told)
        return
    if len(path) == 1 or not gpu.processes or (key == "PID" and "PID" in gpu.processes[-1]):
        gpu.processes.append({})
    gpu.processes[-1].setdefault(key, told)


def _events(gpu: _Gpu, around: Around, snapshot: int) -> Iterator[Event]:
    name, line = gpu.told("MARKET_NAME")
    listed = GpuListed(
        where=around.at(gpu.line),
        text=gpu.line.quoted,
        index=gpu.index,
        name=name,
        total=gpu.sized("MEM_USAGE", "TOTAL_VRAM") or gpu.sized("VRAM", "SIZE"),
        used=gpu.sized("MEM_USAGE", "USED_VRAM"),
        utilisation=gpu.counted("percent", "USAGE", "GFX_ACTIVITY"),
        temperature=gpu.counted("count", "TEMPERATURE", "HOTSPOT") or gpu.counted("count", "TEMPERATURE", "EDGE"),
        clock=gpu.counted("count", "GFX_0", "CLK"),
        clock_limit=gpu.counted("count", "GFX_0", "MAX_CLK"),
        throttle="THROTTLED" if gpu.told("THROTTLE_STATUS")[0] == "THROTTLED" else "",
        ecc=gpu.counted("count", "ECC", "TOTAL_UNCORRECTABLE_COUNT"),
        snapshot=snapshot,
    )
    figures = (listed.total, listed.used, listed.utilisation, listed.temperature, listed.clock, listed.ecc)
    if name or any(figure is not None for figure in figures):
        yield listed
    bus, line = gpu.told("BDF")
    if bus:
        yield Fact(where=around.at(line), text=line.quoted, name=f"gpu.{gpu.index}.bus", value=bus)
    for told in gpu.processes:
        yield from _process(gpu, told, around, snapshot)


def _process(gpu: _Gpu, told: dict[str, _Told], around: Around, snapshot: int) -> Iterator[Event]:
    number, line = told.get("PID", ("", gpu.line))
    pid = whole(number)
    held, at = told.get("VRAM_MEM", told.get("MEM_USAGE", ("", line)))
    if pid is not None:
        yield GpuProcess(
            where=around.at(line),
            text=line.quoted,
            gpu=gpu.index,
            pid=pid,
            command=told.get("NAME", ("", line))[0],
            used=size(held, at.ref),
            snapshot=snapshot,
        )
