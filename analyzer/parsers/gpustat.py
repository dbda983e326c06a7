"""The rows of `gpustat`: one GPU each, with its processes where `-c` or `-p` lists them. Its MB are MiB."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.events import GpuListed, GpuProcess
from analyzer.expression import lazy
from analyzer.layers import stamps
from analyzer.parsers.block import Block
from analyzer.parsers.sizes import count, size

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Sequence

    from analyzer.events import Event
    from analyzer.parsers.block import Around, Text

KIND = "gpustat"
HEADS = ("'C,", "°C,", *(f"  {day} " for day in ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")))

_TITLE = lazy(r"[\w.-]{1,120} {2,}([A-Z][a-z]{2} .{16,40}?) {2,}\d{3}\.\d{2,3}(?:\.\d{1,3})?$")
_FIGURE = r"(\d{1,3}|\?\?)"
_ROW = lazy(
    rf"\[(\d{{1,3}})\] (.{{1,60}}?) *\| *{_FIGURE} ?['°]C, *(?:{_FIGURE} ?%, +)?{_FIGURE} ?% *(?:\([^)]{{0,40}}\))?"
    r"(?:, *\S{1,6} (?:/ *\S{1,6} )?W)? *\| *(\d{1,9}) */ *(\d{1,9}) ?MB(.*)$"
)
_PROCESS = lazy(r"(\S{1,200})/(\d{1,10})\((\d{1,9}|\?)M\)")
_FULL = lazy(r" [├└]─ +\d{1,10} \(")


def claims(head: str, _around: Around) -> bool:
    """The title with host, time and driver, or a row of one GPU."""
    return _TITLE.match(head.rstrip()[:200]) is not None or _ROW.match(head[:2000]) is not None


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One event per GPU and per process whose number is shown."""
    title = _TITLE.match(lines[0].text.rstrip()[:200])
    stamp = stamps.ctime(title[1]) if title else None
    around = around.dated(stamp) if stamp else around
    events: list[Event] = []
    used = int(title is not None)
    for line in lines[used:]:
        row = _ROW.match(line.text[:2000])
        if row is None and not _FULL.match(line.text):
            break
        used += 1
        if row:
            events += _gpu(row, line, around, lines[0].ref.line)
    return Block(max(used, 1), used if events else 0, events)


def _gpu(row: re.Match[str], line: Text, around: Around, snapshot: int) -> Iterator[Event]:
    where, text = around.at(line), line.quoted
    yield GpuListed(
        where=where,
        text=text,
        index=row[1],
        name=row[2],
        total=size(row[7], line.ref, bare="MiB"),
        used=size(row[6], line.ref, bare="MiB"),
        utilisation=count(row[5], line.ref, "percent"),
        temperature=count(row[3], line.ref),
        snapshot=snapshot,
    )
    for name, pid, used in _PROCESS.findall(row[8]):
        command = name.split(":", 1)[1] if ":" in name.replace("::", "") else name
        yield GpuProcess(
            where=where,
            text=text,
            gpu=row[1],
            pid=int(pid),
            command=command,
            used=size(used, line.ref, bare="MiB"),
            snapshot=snapshot,
        )
