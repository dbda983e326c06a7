"""The table of `netstat -ltnp`: which ports are listened on, and by which process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.events import PortListening
from analyzer.expression import lazy
from analyzer.parsers.block import Block

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.parsers.block import Around, Text

KIND = "netstat"
HEADS = ("Active Internet connections", "Proto Recv-Q", "LISTEN")

_HEADER = lazy(r"\s*(?:Active Internet connections|Proto +Recv-Q +Send-Q +Local Address)")
_ROW = lazy(r"\s*(?:tcp|udp)\w? +\d{1,9} +\d{1,9} +\S{1,100}:(\d{1,5}) +\S{1,100}:\S{1,5} +(.*)$")
_HOLDER = lazy(r"(\d{1,10})/(\S.{0,60})")


def claims(head: str, _around: Around) -> bool:
    """The title, the header, or a listening row where both are cut off."""
    row = _ROW.match(head[:400])
    return _HEADER.match(head[:400]) is not None or (row is not None and row[2].startswith("LISTEN"))


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One event per listening port; other sockets are only counted as read."""
    events: list[PortListening] = []
    used = 0
    for line in lines:
        row = _ROW.match(line.text[:400])
        if row is None and not _HEADER.match(line.text[:400]):
            break
        used += 1
        if row is not None and row[2].startswith("LISTEN"):
            holder = _HOLDER.search(row[2])
            events.append(
                PortListening(
                    where=around.at(line),
                    text=line.quoted,
                    port=int(row[1]),
                    pid=int(holder[1]) if holder else None,
                    command=holder[2].strip() if holder else "",
                )
            )
    return Block(max(used, 1), used, [*events])
