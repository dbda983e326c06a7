"""`docker stats` and `podman stats`, as a table or in JSON, `crictl stats`: memory in use, its limit, per container.

Where a container has no limit, the host's memory is printed for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.events import CgroupMemory
from analyzer.expression import lazy
from analyzer.parsers.block import Block
from analyzer.parsers.columns import Columns
from analyzer.parsers.sizes import size

if TYPE_CHECKING:
    import re
    from collections.abc import Sequence

    from analyzer.parsers.block import Around, Text

KIND = "docker-stats"
HEADS = ("MEM USAGE / LIMIT", '"MemUsage"', "CPU %")

_NAMES = ("NAME", "CONTAINER", "CONTAINER ID", "ID")
_USAGE = lazy(r"(?:^|\s)([\d.]{1,12} ?[kKMGT]?i?B) / ([\d.]{1,12} ?[kKMGT]?i?B)(?:\s|$)")
_CRICTL = lazy(r"CONTAINER +(?:NAME +)?CPU % +MEM +DISK\b")
_ALONE = lazy(r"([\d.]{1,12} ?[kKMGT]?i?B)()$")
_STRING = lazy(r'"(\w{1,20})": ?"([^"]{0,200})"')
_UNKNOWN = lazy(r"[\s\"]-- / --(?:[\s\"]|$)")  # a container that has just ended


def claims(head: str, _around: Around) -> bool:
    """A header, or an object of the JSON form."""
    table = "MEM USAGE / LIMIT" in head[:400] and ("CONTAINER" in head[:400] or "NAME" in head[:400])
    return table or _CRICTL.match(head[:400]) is not None or bool(_object(head))


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One event per row; the header that is printed anew with each look begins the next block."""
    columns = None if _object(lines[0].text) else Columns(lines[0].text[:400])
    events: list[CgroupMemory] = []
    used = int(columns is not None)
    for line in lines[used:]:
        cells = columns.row(line.text[:1000]) if columns else _object(line.text)
        text = line.text[:1000] if columns else cells.get("MEMUSAGE", "")
        usage = _USAGE.search(text) or _ALONE.match(cells.get("MEM", ""))
        if usage:
            events.append(_memory(usage, next((cells[name] for name in _NAMES if cells.get(name)), ""), line, around))
        elif not _UNKNOWN.search(line.text[:1000]):
            break
        used += 1
    return Block(max(used, 1), used, [*events])


def _object(text: str) -> dict[str, str]:
    """The strings of an object that has a container's use of memory, by key in capitals."""
    if '"MemUsage"' not in text[:1000]:
        return {}
    return {key.upper(): value for key, value in _STRING.findall(text[:1000])}


def _memory(usage: re.Match[str], name: str, line: Text, around: Around) -> CgroupMemory:
    return CgroupMemory(
        where=around.at(line),
        text=line.quoted,
        used=size(usage[1], line.ref, decimal=True),
        limit=size(usage[2], line.ref, decimal=True),
        said_by="docker stats",
        group=name,
    )
