"""The tables of `smem`: processes with what they really hold (USS, PSS) and their resident size; the host (`-w`)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from analyzer.events import Fact, ProcessListed
from analyzer.expression import lazy
from analyzer.parsers.block import Block
from analyzer.parsers.sizes import size, whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.parsers.block import Around, Text

KIND = "smem"
HEADS = ("PSS", "Noncache")

_HEADER = lazy(r"\s*PID +User +Command +Swap +USS +PSS +RSS *$")
_ROW = lazy(r"\s*(\d{1,10}) +(\S{1,40}) +(\S.{0,400}?) +(\S{1,12}) +(\S{1,12}) +(\S{1,12}) +(\S{1,12}) *$")
_RULE = lazy(r"-{40,} *$")
_TOTALS = lazy(r"\s*\d{1,9} +\d{1,6}(?: +\d[\d.]{0,15}[KMGT]?){4} *$", re.ASCII)  # processes and users, below the rule
_WHOLE = lazy(r"Area +Used +Cache +Noncache *$")
_AREA = lazy(r"(firmware/hardware|kernel image|kernel dynamic memory|userspace memory|free memory) +(\S{1,12}) +\S")


def claims(head: str, _around: Around) -> bool:
    """The header in its usual order."""
    return _HEADER.match(head[:300]) is not None or _WHOLE.match(head[:300]) is not None


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One event per process (what it shares is RSS less USS, not told here), or one fact per area of the host."""
    if _WHOLE.match(lines[0].text[:300]):
        return _areas(lines, around)
    events: list[ProcessListed] = []
    used = 1
    for line in lines[1:]:
        if events and (_RULE.match(line.text) or _TOTALS.match(line.text[:300])):
            used += 1
            continue
        row = _ROW.match(line.text[:600])
        resident = size(row[7], line.ref, bare="KiB") if row else None
        if row is None or resident is None:
            break
        used += 1
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
    return Block(used, used, [*events])


def _areas(lines: Sequence[Text], around: Around) -> Block:
    events: list[Fact] = []
    for line in lines[1:]:
        area = _AREA.match(line.text[:300])
        if area is None:
            break
        name, amount = f"memory.{area[1].replace(' ', '-')}", size(area[2], line.ref, bare="KiB")
        events.append(Fact(where=around.at(line), text=line.quoted, name=name, value=area[2], amount=amount))
    return Block(1 + len(events), 1 + len(events), [*events])
