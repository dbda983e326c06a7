"""The lines of `mount` (and of `/proc/mounts` through it): what is mounted where, and how large a tmpfs may grow."""

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
HEADS = (" type ",)

_LINE = lazy(r"(\S{1,400}) on (/\S{0,400}) type ([\w.]{1,40}) \(([\w,=.:/@%+<>-]{1,2000})\)$")
_SIZE = lazy(r"(?:^|,)size=(\d{1,15}[kmgt]?)(?:,|$)")


def claims(head: str, _around: Around) -> bool:
    """A whole line of `mount`."""
    return _LINE.match(head.strip()[:4000]) is not None


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One fact per mount, and the size of a tmpfs where its options give it."""
    events: list[Event] = []
    used = 0
    for line in lines:
        found = _LINE.match(line.text.strip()[:4000])
        if found is None:
            break
        device, mount, kind, options = found.groups()
        value = f"{kind} {device}"
        events.append(Fact(where=around.at(line), text=line.quoted, name=f"mount {mount}", value=value))
        limit = _SIZE.search(options) if kind == "tmpfs" else None
        if limit:
            total = size(limit[1], line.ref)
            events.append(
                FilesystemListed(where=around.at(line), text=line.quoted, mount=mount, device=device, total=total)
            )
        used += 1
    return Block(max(used, 1), used, events)
