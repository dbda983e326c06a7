"""The table of `ss -ltnp`: which ports are listened on, and by which process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.events import PortListening
from analyzer.expression import lazy
from analyzer.parsers.block import Block

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.parsers.block import Around, Text

KIND = "ss"
HEADS = ("Recv-Q", "LISTEN")

_HEADER = lazy(r"\s*(?:Netid +)?State +Recv-Q +Send-Q +Local Address:Port")
_ROW = lazy(
    r"\s*(?:(?:tcp|udp|mptcp)\w? +)?(LISTEN|UNCONN|ESTAB|[A-Z]{3,5}-[A-Z0-9-]{1,8}) +\d{1,9} +\d{1,9}"
    r" +\S{1,100}:(\d{1,5}) +\S{1,100}:\S{1,5}(?: |$)"
)
_HOLDER = lazy(r'\("([^"]{1,64})",pid=(\d{1,10}),')


def claims(head: str, _around: Around) -> bool:
    """The header, or a listening row where it is cut off."""
    row = _ROW.match(head[:400])
    return _HEADER.match(head[:400]) is not None or (row is not None and row[1] == "LISTEN")


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One event per listening port and holder; other sockets are only counted as read."""
    events: list[PortListening] = []
    used = 0
    for line in lines:
        text = line.text[:2000]
        row = _ROW.match(text)
        if row is None and (used or not _HEADER.match(text)):
            break
        if row is not None and row[1] == "LISTEN":
            holders = _HOLDER.findall(text) or [("", "")]
            events += [_listening(int(row[2]), pid, name, line, around) for name, pid in holders]
        used += 1
    return Block(max(used, 1), used, [*events])


def _listening(port: int, pid: str, name: str, line: Text, around: Around) -> PortListening:
    return PortListening(
        where=around.at(line), text=line.quoted, port=port, pid=int(pid) if pid else None, command=name
    )
