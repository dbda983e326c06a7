"""Rows of `nvidia-smi --format=csv,noheader` where neither a header nor the echoed query names their fields.

The units make the form unmistakable. A process's row is told by its shape; of a GPU's figures only the largest of three
is certain, where the other two add up to it (used and free make the total, but for what the driver keeps): which of
them is the used one is not, and they stay a fact as printed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from analyzer.events import Fact, GpuListed, GpuProcess
from analyzer.expression import lazy
from analyzer.parsers.block import Block
from analyzer.parsers.moments import moment
from analyzer.parsers.sizes import size, whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analyzer.events import Event
    from analyzer.parsers.block import Around, Text

KIND = "nvidia-smi-rows"
HEADS = (" MiB",)

_UNKNOWN = r"\[?(?:N/A|Not Supported|Unknown Error|Insufficient Permissions|GPU requires reset)\]?"
_GPU = r"(?:NVIDIA|Tesla|Quadro|GeForce|TITAN|GRID|[AHBVLG]{1,2}\d{1,3}0?[A-Z]?[ -](?:SXM|PCI|NVL))[\w ./()-]{0,80}"
_WORD = (
    rf"\d{{1,4}}|{_GPU}|GPU-[0-9a-f-]{{8,40}}|[0-9A-Fa-f]{{8}}:[0-9A-Fa-f:.]{{7,9}}|P\d{{1,2}}|Default|Enabled|Disabled"
    rf"|\d{{1,9}} (?:MiB|MHz|%)|[\d.]{{1,9}} W|\d{{4}}/\d\d/\d\d [\d:.]{{8,15}}|\d{{3}}\.[\d.]{{1,8}}|{_UNKNOWN}"
)
_ROW = lazy(rf"(?:{_WORD})(?:, (?:{_WORD})){{1,30}}$", re.ASCII)
_MEMORY = lazy(r"(\d{1,9}) MiB$", re.ASCII)
_FIGURE = lazy(r".* (?:MiB|MHz|%|W)$")
_PROCESS = lazy(
    rf"(?:(\d{{4}}/\d\d/\d\d [\d:.]{{8,15}}), )?(?:(GPU-[0-9a-f-]{{8,40}}|[0-9A-Fa-f]{{8}}:[0-9A-Fa-f:.]{{7,9}}), )?"
    rf"(\d{{2,9}}), (?!{_GPU}|\d{{1,9}} (?:MiB|%)|[\d.]{{1,9}} W)([^,]{{1,400}}), (?:(\d{{1,9}}) MiB|{_UNKNOWN})$",
    re.ASCII,
)
_KEPT_BY_DRIVER = 0.05  # of a GPU's memory, at most: 1 to 2 % on the cards of data centres
_THREE = 3


def claims(head: str, _around: Around) -> bool:
    """A row of a GPU or of a process on one, with memory in the tool's unit."""
    line = head.strip()[:500]
    return " MiB" in line and (_ROW.match(line) is not None or _PROCESS.match(line) is not None)


def reads(lines: Sequence[Text], around: Around) -> Block:
    """What the rows tell for certain."""
    events: list[Event] = []
    used = 0
    for line in lines:
        told = list(_events(line, around, used, lines[0].ref.line))
        if not told:
            break
        events += told
        used += 1
    return Block(max(used, 1), used, events)


def _events(line: Text, around: Around, position: int, snapshot: int) -> Iterator[Event]:
    text = line.text.strip()[:500]
    process = _PROCESS.match(text)
    if process:
        stamp = moment((process[1] or "").replace("/", "-"))
        yield GpuProcess(
            where=(around.dated(stamp) if stamp else around).at(line),
            text=line.quoted,
            gpu=process[2] or "",
            pid=whole(process[3]) or 0,
            command=process[4].strip(),
            used=size(process[5], line.ref, bare="MiB") if process[5] else None,
            snapshot=snapshot,
        )
    elif _ROW.match(text):
        yield from _gpu(text.split(", "), line, around, position, snapshot)


def _gpu(cells: list[str], line: Text, around: Around, position: int, snapshot: int) -> Iterator[Event]:
    stamp = next((moment(cell.replace("/", "-")) for cell in cells if "/" in cell and ":" in cell), None)
    where = (around.dated(stamp) if stamp else around).at(line)
    sizes = [int(found[1]) for cell in cells if (found := _MEMORY.match(cell))]
    total = max(sizes, default=0)
    rest = sum(sizes) - total
    certain = len(sizes) == _THREE and total * (1 - _KEPT_BY_DRIVER) <= rest <= total
    numbered = cells[1 if stamp and cells[0].startswith("20") else 0]
    index = numbered if whole(numbered) is not None else str(position)
    yield GpuListed(
        where=where,
        text=line.quoted,
        index=index,
        name=next((cell for cell in cells if re.match(_GPU, cell, re.ASCII)), ""),
        total=size(str(total), line.ref, bare="MiB") if certain else None,
        snapshot=snapshot,
    )
    figures = ", ".join(cell for cell in cells if _FIGURE.match(cell))
    yield Fact(where=where, text=line.quoted, name=f"gpu.{index}.figures", value=figures)
