"""The boxes of `npu-smi info` (Ascend): NPUs, their memory, the processes on them; the lists of `info -t usages`.

Its MB are MiB. A list tells the memory in use as a whole percentage, so that it is a fact of its own.
"""

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
HEADS = ("npu-smi", "| NPU ", "NPU ID ")

_TITLE = lazy(r"\| npu-smi \S+ +Version: (\S+)")
_NPUS = lazy(r"\| NPU +(?:Name|Chip) ")
_NUMBER = lazy(r"NPU ID {2,}: (\d{1,3})$")
_PAIR = lazy(r"([A-Z][A-Za-z -]{1,40}(?:\([A-Za-z%]{1,8}\))?) {1,40}: {0,2}(\S.{0,80})$")
_USAGE = lazy(r"(\d{1,9}) *(?:/ *(\d{1,9}))?")
_BUS = lazy(r"[0-9A-Fa-f]{4}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.\d$")


def claims(head: str, _around: Around) -> bool:
    """The title row, the header of the table of NPUs or of processes, or the first line of a list."""
    line = head.strip()[:400]
    return bool(_TITLE.match(line) or _NPUS.match(line) or _NUMBER.match(line))


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One event per chip and per process."""
    if _NUMBER.match(lines[0].text.strip()[:400]):
        return _list(lines, around)
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


def _list(lines: Sequence[Text], around: Around) -> Block:
    """The pairs of one NPU; a key that comes again is the next chip's, the microcontroller's (`mcu`) say no more."""
    told: dict[str, tuple[str, Text]] = {}
    number = ""
    used = 0
    for place, line in enumerate(lines, 1):
        text = line.text.strip()[:400]
        pair, opened = _PAIR.match(text), _NUMBER.match(text)
        if opened and number:
            break
        if opened:
            number = opened[1]
        elif pair:
            told.setdefault(pair[1], (pair[2], line))
        elif text:
            break
        used = place if text else used
    events = _usage(number, told, around, lines[0])
    return Block(max(used, 1), used if events else 0, events)


def _usage(number: str, told: dict[str, tuple[str, Text]], around: Around, first: Text) -> list[Event]:
    def figure(key: str) -> tuple[str, Text]:
        return told.get(key, ("", first))

    total, load, warm = figure("HBM Capacity(MB)"), figure("Aicore Usage Rate(%)"), figure("Temperature(C)")
    share, line = figure("HBM Usage Rate(%)")
    events: list[Event] = []
    if total[0] or load[0]:
        events.append(
            GpuListed(
                where=around.at(first),
                text=first.quoted,
                index=number,
                total=size(total[0], total[1].ref, bare="MiB"),
                utilisation=count(load[0], load[1].ref, "percent"),
                temperature=count(warm[0], warm[1].ref),
                snapshot=first.ref.line,
            )
        )
    if share:
        name, amount = f"gpu.{number}.vram-used", count(share, line.ref, "percent")
        events.append(Fact(where=around.at(line), text=line.quoted, name=name, value=f"{share}%", amount=amount))
    return events
