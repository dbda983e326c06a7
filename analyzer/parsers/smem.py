"""The table of `smem`: processes with what they really hold (USS, PSS) and their resident size."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from analyzer.events import ProcessListed
from analyzer.parsers.block import Block
from analyzer.parsers.sizes import size, whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.parsers.block import Around, Text

KIND = "smem"
HEADS = ("PSS",)

_HEADER = re.compile(r"\s*PID +User +Command +Swap +USS +PSS +RSS *$")
_ROW = re.compile(r"\s*(\d{1,10}) +(\S{1,40}) +(\S.{0,400}?) +(\S{1,12}) +(\S{1,12}) +(\S{1,12}) +(\S{1,12}) *$")


def claims(head: str, _around: Around) -> bool:
    """The header in its usual order."""
    return _HEADER.match(head[:300]) is not None


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One event per process; what it shares is RSS less USS, and is not told here."""
    events: list[ProcessListed] = []
    for line in lines[1:]:
        row = _ROW.match(line.text[:600])
        resident = size(row[7], line.ref, bare="KiB") if row else None
        if row is None or resident is None:
            break
        events.append(
            ProcessListed(
                where=around.at(line),
                text=line.quoted,
                pid=whole(row[1]) or 0,
                resident=resident,
                command=row[3],
                user=row[2],
                snapshot=lines[0].ref.line,
            )
        )
    return Block(1 + len(events), 1 + len(events), [*events])
