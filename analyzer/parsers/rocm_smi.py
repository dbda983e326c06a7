"""`rocm-smi`: its `GPU[n] : key: value` lines, its short table, its CSV and JSON, its list of processes."""

from __future__ import annotations

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

KIND = "rocm-smi"
HEADS = ("GPU[", "ROCm System Management", "ROCm SMI Log", "VRAM", "Device  ", '"card')

_LINE = lazy(r"GPU\[(\d{1,3})\]\s*: ([^:]{1,60}): ?\s*(.{0,200})$")
_RULE = lazy(r"={15,}(?: .{0,60} )?={15,}$")  # a script's own banner is shorter
_ROW = lazy(r"(\d{1,3}) .{1,200} (\d{1,3})% +(\d{1,3})%$")
_HOT = lazy(r"([\d.]{1,6})°C")
_OBJECT = lazy(r'"card(\d{1,3})": ?\{([^{}]{0,8000})\}')
_OBJECT_BEGINS = lazy(r'\{"card\d{1,3}": ?\{"')
_MEMBER = lazy(r'"([^"]{1,60})": ?"([^"]{0,200})"')
_OPENED = lazy(r'"(?:card(\d{1,3})|system)": ?\{$')
_CARD = lazy(r"card(\d{1,3})$")
_TOTAL, _USED = "VRAM Total Memory (B)", "VRAM Total Used Memory (B)"
_CLOCK = lazy(r"\(?(\d{1,5})M[Hh]z\)?")

_Told = dict[str, tuple[str, "Text"]]


def claims(head: str, _around: Around) -> bool:
    """A line of one GPU, a ruled title of the tool, or the header of one of its tables."""
    line = head.strip()[:400]
    ruled = _RULE.match(line) is not None and ("ROCm System Management" in line or "ROCm SMI Log" in line)
    table = bool(_csv(line)) or _is_short(line) or _is_processes(line)
    return bool(_LINE.match(line)) or ruled or table or _is_json(line) or _OPENED.match(line) is not None


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One event per GPU, from all its lines in the output."""
    gpus: dict[str, _Told] = {}
    if _OPENED.match(lines[0].text.strip()[:400]):
        used = _spread(lines, gpus)
        listed = (_gpu(index, told, around, lines[0].ref.line) for index, told in gpus.items() if told)
        return Block(used, used, [gpu for gpu in listed if gpu])
    events: list[Event] = []
    header = ""
    used = 0
    for number, line in enumerate(lines, 1):
        text = line.text.strip()[:400]
        found = _LINE.match(text)
        if _is_json(text):
            for card, members in _OBJECT.findall(line.text[:100_000]):
                gpus.setdefault(card, {}).update({name: (value, line) for name, value in _MEMBER.findall(members)})
        elif found:
            gpus.setdefault(found[1], {}).setdefault(found[2].strip(), (found[3].strip(), line))
        elif _csv(text) or _is_short(text) or _is_processes(text):
            header = text
        elif text and not _RULE.match(text) and not text.startswith(("(DID", "Driver version")):
            row = _of_row(header, text, line, around, gpus)
            if row is None:
                break
            events += row
        used = number if text else used
    listed = (_gpu(index, told, around, lines[0].ref.line) for index, told in gpus.items())
    return Block(max(used, 1), used, [*(gpu for gpu in listed if gpu), *events])


def _spread(lines: Sequence[Text], gpus: dict[str, _Told]) -> int:
    """How many lines the JSON has that was set one member a line, from its first card on."""
    told: _Told = {}
    inside = False
    used = 0
    for line in lines:
        text = line.text.strip()[:400]
        opened, member = _OPENED.match(text), _MEMBER.match(text)
        if opened and not inside:
            told, inside = gpus.setdefault(opened[1], {}) if opened[1] else {}, True
        elif member and inside:
            told[member[1]] = (member[2], line)
        elif text in {"}", "},"} and inside:
            inside = False
        else:
            used += text == "}" and used > 0
            break
        used += 1
    return max(used, 1)


def _is_json(text: str) -> bool:
    return text.startswith("{") and _OBJECT_BEGINS.match(text) is not None


def _csv(text: str) -> tuple[str, ...]:
    cells = tuple(cell.strip() for cell in text.split(","))
    return cells if cells[0] == "device" and len(cells) > 1 else ()


def _is_short(text: str) -> bool:
    return text.startswith("Device ") and text.endswith("VRAM%  GPU%")


def _is_processes(text: str) -> bool:
    return text.startswith("PID") and "VRAM USED" in text


def _of_row(header: str, text: str, line: Text, around: Around, gpus: dict[str, _Told]) -> list[Event] | None:
    """What a table's row tells, some of it into `gpus`; `None` where the line is no row."""
    row = _ROW.match(text)
    card = _CARD.match(text.partition(",")[0])
    if _csv(header) and card:
        cells = zip(_csv(header), text.split(","), strict=False)
        gpus.setdefault(card[1], {}).update({name: (cell.strip(), line) for name, cell in cells})
        return []
    if _is_short(header) and row:
        hot, clock = _HOT.search(text), _CLOCK.search(text)
        told = {"GPU use (%)": row[3], "Temperature": hot[1] if hot else "", "sclk": clock[0] if clock else ""}
        gpus.setdefault(row[1], {}).update({name: (value, line) for name, value in told.items()})
        name = f"gpu.{row[1]}.vram-used"
        return [
            Fact(
                where=around.at(line),
                text=line.quoted,
                name=name,
                value=f"{row[2]}%",
                amount=count(row[2], line.ref, "percent"),
            )
        ]
    words = text.split()
    if _is_processes(header) and len(words) >= 4 and whole(words[0]) is not None:  # noqa: PLR2004
        used = size(words[3], line.ref)
        return [
            GpuProcess(where=around.at(line), text=line.quoted, pid=whole(words[0]) or 0, command=words[1], used=used)
        ]
    return None


def _gpu(index: str, told: _Told, around: Around, snapshot: int) -> GpuListed | None:
    def value(*beginnings: str) -> Iterator[tuple[str, Text]]:
        return (found for key, found in told.items() if key.startswith(beginnings))

    def sized(key: str) -> Amount[Any] | None:
        return size(told[key][0], told[key][1].ref) if key in told else None

    def counted(unit: str, *beginnings: str) -> Amount[Any] | None:
        return next((count(text, line.ref, unit) for text, line in value(*beginnings)), None)

    line = told.get(_USED, next(iter(told.values())))[1]
    clock, clock_line = next(value("sclk"), ("", line))
    megahertz = _CLOCK.search(clock)
    name = next(value("Card Series", "Card series"), ("", line))[0]
    listed = GpuListed(
        where=around.at(line),
        text=line.quoted,
        index=index,
        name=name,
        total=sized(_TOTAL),
        used=sized(_USED),
        utilisation=counted("percent", "GPU use (%)"),
        temperature=counted("count", "Temperature (Sensor junction)", "Temperature"),
        clock=count(megahertz[1], clock_line.ref) if megahertz else None,
        snapshot=snapshot,
    )
    figures = (listed.total, listed.used, listed.utilisation, listed.temperature, listed.clock)
    return listed if name or any(figure is not None for figure in figures) else None
