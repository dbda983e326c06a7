"""The lines of `mount` and the table of `findmnt`: what is mounted where, and how large a tmpfs may grow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.events import Fact, FilesystemListed
from analyzer.expression import lazy
from analyzer.parsers.block import Block
from analyzer.parsers.sizes import size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.events import Event
    from analyzer.parsers.block import Around, Text

KIND = "mount"
HEADS = (" type ", "TARGET")

_LINE = lazy(r"(\S{1,400}) on (/\S{0,400}) type ([\w.]{1,40}) \(([\w,=.:/@%+<>-]{1,2000})\)$")
_TABLE = lazy(r"TARGET +SOURCE +FSTYPE +OPTIONS$")
_ROW = lazy(r"[ │├└─|`-]{0,40}(/\S{0,400}) +(\S{1,400}) +([\w.]{1,40}) +([\w,=.:/@%+<>-]{1,2000})$")
_SIZE = lazy(r"(?:^|,)size=(\d{1,15}[kmgt]?)(?:,|$)")


def claims(head: str, _around: Around) -> bool:
    """A whole line of `mount`, or the columns of `findmnt`."""
    line = head.strip()[:4000]
    return _LINE.match(line) is not None or _TABLE.match(line) is not None


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One fact per mount, and the size of a tmpfs where its options give it."""
    events: list[Event] = []
    table = _TABLE.match(lines[0].text.strip()[:4000]) is not None
    used = int(table)
    for line in lines[used:]:
        text = line.text.strip()[:4000]
        row, found = _ROW.match(text) if table else None, _LINE.match(text)
        if found:
            device, mount, kind, options = found.groups()
        elif row:
            mount, device, kind, options = row.groups()
        else:
            break
        value = f"{kind} {device}"
        events.append(Fact(where=around.at(line), text=line.quoted, name=f"mount {mount}", value=value))
        limit = _SIZE.search(options) if kind == "tmpfs" else None
        if limit:
            total = size(limit[1], line.ref)
            events.append(
                FilesystemListed(where=around.at(line), text=line.quoted, mount=mount, device=device, total=total)
            )
        used += 1
    return Block(max(used, 1), used if events else 0, events)
