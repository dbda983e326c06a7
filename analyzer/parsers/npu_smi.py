"""The boxes of `npu-smi info` (Ascend): NPUs, their memory, the processes on them. Its MB are MiB."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.events import Fact, GpuListed, GpuProcess
from analyzer.expression import lazy
from analyzer.parsers.block import Block
from analyzer.parsers.sizes import count, size, whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.events import Event
    from analyzer.parsers.block import Around, Text

KIND = "npu-smi"
HEADS = ("npu-smi", "| NPU ")

_TITLE = lazy(r"\| npu-smi \S+ +Version: (\S+)")
_NPUS = lazy(r"\| NPU +(?:Name|Chip) ")
_USAGE = lazy(r"(\d{1,9}) *(?:/ *(\d{1,9}))?")
_BUS = lazy(r"[0-9A-Fa-f]{4}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.\d$")


def claims(head: str, _around: Around) -> bool:
    """The title row, or the header of the table of NPUs or of processes."""
    line = head.strip()[:400]
    return bool(_TITLE.match(line) or _NPUS.match(line))


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One event per chip and per process."""
    events: list[Event] = []
    previous: list[str] = []
    used = 0
    for line in lines:
        text = line.text.strip()[:400]
        if not text.startswith(("|", "+-", "+=")):
            break
        used += 1
        title = _TITLE.match(text)
        cells = [cell.strip() for cell in text.strip("|").split("|")] if text[0] == "|" else []
        if title:
            events.append(Fact(where=around.at(line), text=line.quoted, name="npu.driver", value=title[1]))
        elif len(cells) == 3 and _BUS.match(cells[1]):  # noqa: PLR2004 - the second row of a chip
            events.append(_npu(previous, cells, line, around, lines[0].ref.line))
        elif len(cells) == 4 and whole(cells[1]) is not None:  # noqa: PLR2004 - a process
            events.append(_process(cells, line, around, lines[0].ref.line))
        previous = cells or previous
    return Block(max(used, 1), used, events)


def _npu(first: list[str], second: list[str], line: Text, around: Around, snapshot: int) -> GpuListed:
    """A chip from its two rows: `0 910B3 | OK | 97.6 40 0 / 0` and `0 | bus | load 0 / 0 used / total`."""
    index, *name = first[0].split() if first and first[0] else [""]
    chip = second[0].split()
    figures = _USAGE.findall(second[2])
    memory = figures[-1] if figures else ("", "")
    power = first[2].split() if len(first) > 2 else []  # noqa: PLR2004 - power, temperature, huge pages
    return GpuListed(
        where=around.at(line),
        text=line.quoted,
        index=chip[1] if len(chip) > 1 else index,
        name=" ".join(name),
        total=size(memory[1], line.ref, bare="MiB"),
        used=size(memory[0], line.ref, bare="MiB"),
        utilisation=count(figures[0][0], line.ref, "percent") if figures else None,
        temperature=count(power[1], line.ref) if len(power) > 1 else None,
        snapshot=snapshot,
    )


def _process(cells: list[str], line: Text, around: Around, snapshot: int) -> GpuProcess:
    return GpuProcess(
        where=around.at(line),
        text=line.quoted,
        gpu=cells[0].split(" ")[0],
        pid=whole(cells[1]) or 0,
        command=cells[2],
        used=size(cells[3], line.ref, bare="MiB"),
        snapshot=snapshot,
    )
