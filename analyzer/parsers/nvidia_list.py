"""`nvidia-smi -L`, the list of GPUs, and `nvidia-smi dmon`, their load and clocks second by second."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from analyzer.events import GpuListed
from analyzer.expression import lazy
from analyzer.parsers.block import Block
from analyzer.parsers.sizes import count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.parsers.block import Around, Text

KIND = "nvidia-list"
HEADS = ("(UUID: GPU-", "# gpu ")

_LISTED = lazy(r"GPU (\d{1,3}): (.{1,80}) \(UUID: GPU-[0-9a-f-]{4,40}\)$")
_COLUMN = r"(?:pwr|[gm]temp|sm|mem|enc|dec|jpg|ofa|[mp]clk|fb|bar1|ccpm|[rt]xpci)"
_NAMES = lazy(rf"#(?:Date +Time +)? ?gpu(?: +{_COLUMN}){{2,30}} *$")
_UNITS = lazy(r"# ?(?:YYYYMMDD +HH:MM:SS +)?Idx +\S")
_ROW = lazy(r" *\d{1,3}(?: +(?:\d{1,9}(?:\.\d{1,3})?|-)){3,30} *$", re.ASCII)


def claims(head: str, _around: Around) -> bool:
    """A listed GPU, or the names of the monitor's columns."""
    line = head.rstrip()[:400]
    return _LISTED.match(line) is not None or _NAMES.match(line) is not None


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One event per listed GPU or per row; of many rows of one GPU each is a snapshot of its own."""
    names: list[str] = []
    events: list[GpuListed] = []
    seen: dict[str, int] = {}
    used = 0
    for line in lines:
        text = line.text.rstrip()[:400]
        listed = _LISTED.match(text)
        if listed:
            events.append(GpuListed(where=around.at(line), text=line.quoted, index=listed[1], name=listed[2]))
        elif _NAMES.match(text):
            names = text.lstrip("# ").split()
        elif names and _ROW.match(text):
            cells = dict(zip(names, text.split(), strict=False))
            seen[cells["gpu"]] = seen.get(cells["gpu"], 0) + 1
            events.append(_watched(cells, line, around, seen[cells["gpu"]]))
        elif not _UNITS.match(text):
            break
        used += 1
    return Block(max(used, 1), used, [*events])


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
