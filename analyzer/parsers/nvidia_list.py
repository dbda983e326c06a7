"""`nvidia-smi -L` and `nvlink -s`: the GPUs and their links; `dmon` and `pmon`: load and processes second by second."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from analyzer.events import Fact, GpuListed, GpuProcess
from analyzer.expression import lazy
from analyzer.parsers.block import Block
from analyzer.parsers.sizes import count, size, whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.events import Event
    from analyzer.parsers.block import Around, Text

KIND = "nvidia-list"
HEADS = ("(UUID: GPU-", "# gpu ", "gpu  ")

_LISTED = lazy(r"GPU (\d{1,3}): (.{1,80}) \(UUID: GPU-[0-9a-f-]{4,40}\)$")
_COLUMN = r"(?:pwr|[gm]temp|sm|mem|enc|dec|jpg|ofa|[mp]clk|fb|bar1|ccpm|[rt]xpci)"
_NAMES = lazy(rf"#(?:Date +Time +)? ?gpu(?: +{_COLUMN}){{2,30}} *$")
_PROCESSES = lazy(r"#(?:Date +Time +)? ?gpu +pid +type(?: +[a-z0-9]{2,6}){1,12} +command *$")
_MIG = lazy(r" +MIG \S{3,40} +Device +\d{1,3}: \(UUID: MIG-\S{4,60}\)$")
_LINK = lazy(r"\s+Link (\d{1,2}): (?:[\d.]{1,8} GB/s|<(inactive)>)$")
_UNITS = lazy(r"# ?(?:YYYYMMDD +HH:MM:SS +)?Idx +\S")
_ROW = lazy(r" *\d{1,3}(?: +(?:\d{1,9}(?:\.\d{1,3})?|-)){3,30} *$", re.ASCII)


def claims(head: str, _around: Around) -> bool:
    """A listed GPU, or the names of a monitor's columns."""
    line = head.rstrip()[:400]
    return any(form.match(line) is not None for form in (_LISTED, _NAMES, _PROCESSES))


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One event per listed GPU or per row; of many rows of one GPU each is a snapshot of its own."""
    names: list[str] = []
    events: list[Event] = []
    seen: dict[str, int] = {}
    gpu = ""
    used = 0
    for line in lines:
        text = line.text.rstrip()[:400]
        listed = _LISTED.match(text)
        if listed:
            gpu = listed[1]
            events.append(GpuListed(where=around.at(line), text=line.quoted, index=listed[1], name=listed[2]))
        elif _NAMES.match(text) or _PROCESSES.match(text):
            names = text.lstrip("# ").split()
        elif gpu and (link := _LINK.match(text)):
            name = f"nvlink GPU{gpu}/{link[1]}"
            events += [Fact(where=around.at(line), text=line.quoted, name=name, value=link[2])] if link[2] else []
        elif "pid" in names and (cells := _cells(names, text)):
            events += _process(cells, line, around, lines[0].ref.line)
        elif names and _ROW.match(text):
            cells = dict(zip(names, text.split(), strict=False))
            seen[cells["gpu"]] = seen.get(cells["gpu"], 0) + 1
            events.append(_watched(cells, line, around, seen[cells["gpu"]]))
        elif not (_UNITS.match(text) or (events and _MIG.match(text))):
            break
        used += 1
    return Block(max(used, 1), used, events)


def _cells(names: list[str], text: str) -> dict[str, str]:
    """A row of processes by column, the command with its blanks; nothing where the line is no such row."""
    words = text.split(None, len(names) - 1)
    cells = dict(zip(names, words, strict=False))
    number = cells.get("pid", "")
    known = len(words) == len(names) and whole(cells["gpu"]) is not None
    return cells if known and (number == "-" or whole(number) is not None) else {}


def _process(cells: dict[str, str], line: Text, around: Around, snapshot: int) -> list[GpuProcess]:
    """The process of a row; none where the GPU has none. `fb` is what it holds of the GPU's memory."""
    pid = whole(cells["pid"])
    if pid is None:
        return []
    used, command = size(cells.get("fb", ""), line.ref, bare="MiB"), cells["command"].strip()
    where = around.at(line)
    return [
        GpuProcess(
            where=where, text=line.quoted, gpu=cells["gpu"], pid=pid, command=command, used=used, snapshot=snapshot
        )
    ]


def _watched(cells: dict[str, str], line: Text, around: Around, snapshot: int) -> GpuListed:
    return GpuListed(
        where=around.at(line),
        text=line.quoted,
        index=cells["gpu"],
        utilisation=count(cells.get("sm", ""), line.ref, "percent"),
        temperature=count(cells.get("gtemp", ""), line.ref),
        clock=count(cells.get("pclk", ""), line.ref),
        snapshot=snapshot,
    )
