"""The table of `lsof -i`: which ports are listened on, and by which process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.events import PortListening
from analyzer.expression import lazy
from analyzer.parsers.block import Block

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.parsers.block import Around, Text

KIND = "lsof"
HEADS = ("COMMAND ", "(LISTEN)")

_HEADER = lazy(r"\s*COMMAND +PID +(?:TID +)?(?:\S+ +)?USER +FD +TYPE ")
_ROW = lazy(r"\s*(\S{1,64}) +(\d{1,10}) +\S{1,40} +\w{1,8} +\w{1,8} +\S")
_LISTENING = lazy(r" TCP \S{1,100}:(\d{1,5}) \(LISTEN\)$")


def claims(head: str, _around: Around) -> bool:
    """The header, or a listening row where it is cut off."""
    line = head.rstrip()[:400]
    return _HEADER.match(line) is not None or (_ROW.match(line) is not None and _LISTENING.search(line) is not None)


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One event per listening port; other open files are only counted as read."""
    events: list[PortListening] = []
    used = 0
    for line in lines:
        text = line.text.rstrip()[:400]
        row = _ROW.match(text)
        if row is None and (used or not _HEADER.match(text)):
            break
        used += 1
        port = _LISTENING.search(text)
        if row is not None and port is not None:
            events.append(
                PortListening(
                    where=around.at(line), text=line.quoted, port=int(port[1]), pid=int(row[2]), command=row[1]
                )
            )
    return Block(max(used, 1), used, [*events])
