"""The box of plain `amd-smi` (GPUs, then processes) and the columns of `amd-smi monitor`.

The tool divides by 1024 and prints "MB" and "GB". `snapshot` of its events is the line at which the output begins.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from analyzer.events import Fact, GpuListed, GpuProcess
from analyzer.expression import lazy
from analyzer.layers import stamps
from analyzer.parsers.block import Block
from analyzer.parsers.sizes import count, size, whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.events import Event
    from analyzer.parsers.block import Around, Text

KIND = "amd-smi-table"
HEADS = ("| AMD-SMI ", "GPU  XCP", "GPU  POWER", "GPU  VRAM_", "GPU  GFX")

_TITLE = lazy(r"\| AMD-SMI +\S+ +amdgpu version: +(\S+) +ROCm version: +(\S+) +\|$")
_BUS = r"[0-9A-Fa-f]{4}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.\d"
_FIRST = lazy(rf"\| {_BUS} +(\S.*?) +\|(?: +\d+ %| +N/A) +(?:([\d.]+) °C|N/A) +(\d+|N/A) ")
_SECOND = lazy(
    r"\| +(\d{1,3}) +\S+ +\S+ +\S+ +\| +(?:(\d{1,3}) %|N/A) +(?:[\d.]+ %|N/A) +(\d{1,9})/(\d{1,9}) ([MG]B) +\|$"
)
_AMOUNT = r"(?:\d[\d.]{0,12} ?[KMGT]?B|N/A)"
_PROCESS = lazy(rf"\| +(\d{{1,3}}) +(\d{{1,9}}) +(\S.*?) +{_AMOUNT} +({_AMOUNT}) +{_AMOUNT} +\S.* *\|$")
_COLUMNS = lazy(r" *(?:TIMESTAMP +)?GPU(?: +[A-Z][A-Z_%]{2,20}){1,30} *$")
_CELL = lazy(
    r"[\d.]{1,12}/ {0,4}[\d.]{1,12} [KMGT]?B|\d[\d.]{0,12} (?:W|°?C|MHz|%|[KMGT]i?B|Mb/s|J)(?= |$)|\S+", re.ASCII
)
_OF = lazy(r"([\d.]{1,12})/ {0,4}([\d.]{1,12}) ([KMGT]?B)$", re.ASCII)


def claims(head: str, _around: Around) -> bool:
    """The title row, or the names of the monitor's columns."""
    line = head.strip()[:400]
    return _TITLE.match(line) is not None or _COLUMNS.match(line) is not None


def reads(lines: Sequence[Text], around: Around) -> Block:
    """The two boxes, or the rows under the columns."""
    return _box(lines, around) if _TITLE.match(lines[0].text.strip()[:400]) else _monitor(lines, around)


def _box(lines: Sequence[Text], around: Around) -> Block:
    events: list[Event] = []
    used = 0
    first: tuple[re.Match[str], Text] | None = None
    for line in lines:
        text = line.text.strip()[:400]
        if not text.startswith(("|", "+-")) or (used and _TITLE.match(text)):
            break
        used += 1
        title, second, process = _TITLE.match(text), _SECOND.match(text), _PROCESS.match(text)
        if title:
            names = ("amdgpu", "rocm")
            told = zip(names, title.groups(), strict=True)
            events += [Fact(where=around.at(line), text=line.quoted, name=name, value=value) for name, value in told]
        elif found := _FIRST.match(text):
            first = (found, line)
        elif second and first:
            events.append(_gpu(first, second, line, around, lines[0].ref.line))
            first = None
        elif process:
            events.append(_process(process, line, around, lines[0].ref.line))
    return Block(max(used, 1), used, events)


def _gpu(
    first: tuple[re.Match[str], Text], second: re.Match[str], line: Text, around: Around, snapshot: int
) -> GpuListed:
    """A GPU from the two rows that tell of it."""
    above, said = first
    return GpuListed(
        where=around.at(said),
        text=said.quoted,
        index=second[1],
        name=above[1],
        total=size(f"{second[4]}{second[5]}", line.ref),
        used=size(f"{second[3]}{second[5]}", line.ref),
        utilisation=count(second[2] or "", line.ref, "percent"),
        temperature=count(above[2] or "", said.ref),
        ecc=count(above[3], said.ref),
        snapshot=snapshot,
    )


def _process(found: re.Match[str], line: Text, around: Around, snapshot: int) -> GpuProcess:
    return GpuProcess(
        where=around.at(line),
        text=line.quoted,
        gpu=found[1],
        pid=whole(found[2]) or 0,
        command=found[3],
        used=size(found[4], line.ref),
        snapshot=snapshot,
    )


def _monitor(lines: Sequence[Text], around: Around) -> Block:
    names = lines[0].text.split()
    events: list[Event] = []
    used = 1
    for line in lines[1:]:
        found = _CELL.findall(line.text[:400])
        cells = dict(zip(names, found, strict=False))
        if len(found) != len(names) or whole(cells.get("GPU", "")) is None:
            break
        events.append(_row(cells, line, around, lines[0].ref.line))
        used += 1
    return Block(used, used if events else 0, events)


def _row(cells: dict[str, str], line: Text, around: Around, snapshot: int) -> GpuListed:
    both = _OF.match(cells.get("VRAM_USAGE", ""))
    stamp = stamps.epoch(cells.get("TIMESTAMP", ""))
    used, total = (f"{both[1]}{both[3]}", f"{both[2]}{both[3]}") if both else ("", "")

    def figure(*names: str) -> str:
        return next((cells[name] for name in names if name in cells), "").partition(" ")[0]

    return GpuListed(
        where=around.at(line._replace(stamp=stamp) if stamp else line),
        text=line.quoted,
        index=cells["GPU"],
        total=size(total or cells.get("VRAM_TOTAL", ""), line.ref),
        used=size(used or cells.get("VRAM_USED", ""), line.ref),
        utilisation=count(figure("GFX%", "GFX_UTIL"), line.ref, "percent"),
        temperature=count(figure("GPU_T", "GPU_TEMP"), line.ref),
        clock=count(figure("GFX_CLK", "GFX_CLOCK"), line.ref),
        ecc=count(figure("DOUBLE_ECC"), line.ref),
        snapshot=snapshot,
    )
