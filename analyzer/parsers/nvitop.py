"""The boxes of `nvitop -1`: laid out like those of `nvidia-smi`, drawn with lines or (`--ascii`) with characters.

Read by `nvidia_smi`, whose boxes they resemble. A line may have lost the bars at its ends with a frame taken off it.
"""

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

_TITLE = lazy(r"(?:[│|] )?NVITOP +\S{1,20} +Driver Version: +(\S{1,20})(?: +CUDA Driver Version: +(\S{1,20}))?")
_BAR = lazy(r"[│|]")
_RULE = lazy(r"[╒├╞╘+|]?[═─╤╪┼┬┴╧=+-]{20}")
_HOST = lazy(r"\[ (?:CPU|MEM): ")
_HEADING = lazy(r"GPU +(?:Name|Fan|PID)|Fan +Temp|Processes:|No running processes found")
_BUS = lazy(r"[0-9A-F]{8}:[0-9A-F]{2}:[0-9A-F]{2}\.[0-9A-F] ", re.IGNORECASE)
_HELD = lazy(r"[\d.]{1,8}[KMGT]?i?B / [\d.]{1,8}[KMGT]?i?B$")
_COMPACT = lazy(r"(\d{1,3}) +\S{1,5} +\d{1,3}C ")
_WARM = lazy(r"(\d{1,3})C ")
_LOAD = lazy(r"(\d{1,3})% ")
_PROCESS = lazy(
    r"(\d{1,3}) +(\d{1,9}) [A-Z+]{1,3} +\S{1,40} +([\d.]{1,8}[KMGT]?i?B|N/A)(?: +(?:[\d.]{1,8}%?|N/A)){3,4}"
    r" +(?:\d{1,4}(?::\d\d){1,2}|[\d.]{1,6} days?) +(\S.*)$"
)


def is_title(text: str) -> bool:
    """Whether the line is the tool's title row."""
    return _TITLE.match(text) is not None


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One event per GPU and per process; blank lines between the boxes belong to the output."""
    events: list[Event] = []
    above: tuple[list[str], Text] | None = None
    snapshot = lines[0].ref.line
    used = 0
    for number, line in enumerate(lines, 1):
        text = line.text.strip()[:400]
        title, cells = _TITLE.match(text), [cell.strip() for cell in _BAR.split(text.strip("│|"))]
        compact, held = _COMPACT.match(cells[0]), _HELD.match(cells[1]) if len(cells) > 2 else None  # noqa: PLR2004
        if title and used:
            break
        if title:
            names = ("nvidia.driver", "nvidia.cuda")
            told = [(name, value) for name, value in zip(names, title.groups(), strict=True) if value]
            events += [Fact(where=around.at(line), text=line.quoted, name=name, value=value) for name, value in told]
        elif held and (above or compact):
            first = above or ([compact[1], "", ""] if compact else [], line)
            events.append(_gpu(first, (cells, line), around, snapshot))
            above = None
        elif len(cells) > 2 and _BUS.match(f"{cells[1]} "):  # noqa: PLR2004
            above = (cells, line)
        elif process := _PROCESS.match(cells[0]):
            events.append(_process(process, line, around, snapshot))
        elif text and not (_RULE.match(text) or _HOST.match(text) or _HEADING.match(cells[0])):
            break
        used = number if text else used
    return Block(max(used, 1), used, events)


def _gpu(first: tuple[list[str], Text], second: tuple[list[str], Text], around: Around, snapshot: int) -> GpuListed:
    """A GPU from the two rows that tell of it, or from the one of the compact box."""
    (above, said), (cells, line) = first, second
    index, *words = above[0].split() or [""]
    used, _, total = cells[1].partition(" / ")
    warm, load = _WARM.search(cells[0]), _LOAD.match(f"{cells[2]} ")
    return GpuListed(
        where=around.at(said),
        text=said.quoted,
        index=index,
        name=" ".join(words[:-1] if words[-1:] in (["On"], ["Off"], ["N/A"]) else words),
        total=size(total, line.ref),
        used=size(used, line.ref),
        utilisation=count(load[1], line.ref, "percent") if load else None,
        temperature=count(warm[1], line.ref) if warm else None,
        ecc=count(above[2].rpartition(" ")[2], said.ref),
        snapshot=snapshot,
    )


def _process(found: re.Match[str], line: Text, around: Around, snapshot: int) -> GpuProcess:
    return GpuProcess(
        where=around.at(line),
        text=line.quoted,
        gpu=found[1],
        pid=whole(found[2]) or 0,
        command=found[4].strip(),
        used=size(found[3], line.ref),
        snapshot=snapshot,
    )
