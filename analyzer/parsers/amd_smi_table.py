"""The box of plain `amd-smi` (GPUs, then processes), the columns of `amd-smi monitor`, and `metric` or `static --csv`.

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
_LEADING = (
    "gfx_activity",
    "total_vram",
    "socket_power",
    "market_name",
    "hotspot",
    "edge",
    "clk",
    "gfx_clk",
    "gfx_0_clk",
)
HEADS = ("| AMD-SMI ", "GPU  XCP", "GPU  POWER", "GPU  VRAM_", "GPU  GFX", *(f"gpu,{name}" for name in _LEADING))

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
    r"[\d.]{1,12}/ {0,4}[\d.]{1,12} [KMGT]?B|(?:\d[\d.]{0,12}|N/A) (?:W|°?C|MHz|%|[KMGT]i?B|Mb/s|J)(?= |$)|\S+",
    re.ASCII,
)
_LISTED = lazy(r" *GPU +NAME +PID(?: +[A-Z%][A-Z_%]{0,20}){2,12} *$")
_MEMBER = lazy(rf" *(\d{{1,3}}) +(\S.{{0,120}}?) +(\d{{1,9}})((?: +{_AMOUNT}){{3,4}})(?: +\S.*)?$")
_HELD = lazy(_AMOUNT)
_CSV = lazy(r"(?:timestamp,)?gpu(?:,[a-z][a-z0-9_]{1,60}){1,400}$")
_VALUE = lazy(r'(?:^|,) ?("[^"]*"|[^,]*)')
_TOLD = frozenset({"gfx_activity", "total_vram", "used_vram", "hotspot", "edge", "socket_power", "market_name"})
_CSV_LONGEST = 20_000
_OF = lazy(r"([\d.]{1,12})/ {0,4}([\d.]{1,12}) ([KMGT]?B)$", re.ASCII)


def claims(head: str, _around: Around) -> bool:
    """The title row, or the names of the monitor's columns, or those of the CSV."""
    line = head.strip()[:400]
    return _TITLE.match(line) is not None or _COLUMNS.match(line) is not None or bool(_names(head))


def reads(lines: Sequence[Text], around: Around) -> Block:
    """The two boxes, or the rows under the columns."""
    if _names(lines[0].text):
        return _csv(lines, around)
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
    """A row per GPU, and the processes below; a blank line may follow the columns."""
    names = lines[0].text.split()
    events: list[Event] = []
    snapshot = lines[0].ref.line
    held: tuple[str, ...] = ()
    used = 1
    for number, line in enumerate(lines[1:], 2):
        text = line.text[:400].rstrip()
        found = _CELL.findall(text)
        cells = dict(zip(names, found, strict=False))
        member = _MEMBER.match(text) if held else None
        if _LISTED.match(text):
            held = tuple(name for name in text.split() if "MEM" in name)
        elif member:
            events += _member(member, held, line, around, snapshot)
        elif not held and len(found) == len(names) and whole(cells.get("GPU", "")) is not None:
            events.append(_row(cells, line, around, snapshot))
        elif text and text.strip() != "PROCESS INFO:":
            break
        used = number if text else used
    return Block(used, used if events else 0, events)


def _member(found: re.Match[str], held: tuple[str, ...], line: Text, around: Around, snapshot: int) -> list[Event]:
    """A process of `monitor -q`: the sizes behind its number stand in the order of the columns."""
    sizes = dict(zip(held, _HELD.findall(found[4]), strict=False))
    return [
        GpuProcess(
            where=around.at(line),
            text=line.quoted,
            gpu=found[1],
            pid=whole(found[3]) or 0,
            command=found[2],
            used=size(sizes.get("VRAM_MEM", ""), line.ref),
            snapshot=snapshot,
        )
    ]


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
        temperature=count(figure("GPU_T", "GPU_TEMP", "HOTSPOT_TEMP"), line.ref),
        clock=count(figure("GFX_CLK", "GFX_CLOCK"), line.ref),
        ecc=count(figure("DOUBLE_ECC", "UNCORRECTABLE_ECC"), line.ref),
        snapshot=snapshot,
    )


def _names(text: str) -> list[str]:
    """The columns of the CSV, of which one must be known; nothing where the line is no header."""
    names = text.strip()[:_CSV_LONGEST]
    return names.split(",") if _CSV.match(names) and not _TOLD.isdisjoint(names.split(",")) else []


def _csv(lines: Sequence[Text], around: Around) -> Block:
    """A row per GPU; a cell that holds a list is quoted. Its megabytes have no unit."""
    names = _names(lines[0].text)
    events: list[Event] = []
    used = 1
    for line in lines[1:]:
        values = [cell.strip('"') for cell in _VALUE.findall(line.text.strip()[:_CSV_LONGEST])]
        cells = dict(zip(names, values, strict=False))
        if len(values) != len(names) or whole(cells["gpu"]) is None:
            break
        events.append(_of_csv(cells, line, around, lines[0].ref.line))
        used += 1
    return Block(used, used if events else 0, events)


def _of_csv(cells: dict[str, str], line: Text, around: Around, snapshot: int) -> GpuListed:
    stamp = stamps.epoch(cells.get("timestamp", ""))

    def figure(*names: str) -> str:
        return next((cells[name] for name in names if cells.get(name, "N/A") != "N/A"), "")

    return GpuListed(
        where=around.at(line._replace(stamp=stamp) if stamp else line),
        text=line.quoted,
        index=cells["gpu"],
        name=figure("market_name"),
        total=size(figure("total_vram"), line.ref, bare="MiB"),
        used=size(figure("used_vram"), line.ref, bare="MiB"),
        utilisation=count(figure("gfx_activity"), line.ref, "percent"),
        temperature=count(figure("hotspot", "edge"), line.ref),
        clock=count(figure("gfx_0_clk", "gfx_clk"), line.ref),
        clock_limit=count(figure("gfx_0_max_clk", "gfx_max_clk"), line.ref),
        throttle="THROTTLED" if figure("throttle_status") == "THROTTLED" else "",
        ecc=count(figure("total_uncorrectable_count"), line.ref),
        snapshot=snapshot,
    )
