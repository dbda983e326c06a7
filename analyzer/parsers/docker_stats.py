"""The table of `docker stats`: memory in use and its limit per container (the host's memory where there is none)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.events import CgroupMemory
from analyzer.expression import lazy
from analyzer.parsers.block import Block
from analyzer.parsers.sizes import size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.parsers.block import Around, Text

KIND = "docker-stats"
HEADS = ("MEM USAGE / LIMIT",)

_USAGE = lazy(r"\s([\d.]{1,12}[KMGT]?i?B) / ([\d.]{1,12}[KMGT]?i?B)\s")


def claims(head: str, _around: Around) -> bool:
    """The header."""
    return "MEM USAGE / LIMIT" in head[:400] and ("CONTAINER" in head[:400] or "NAME" in head[:400])


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One event per row."""
    events: list[CgroupMemory] = []
    used = 1
    for line in lines[1:]:
        usage = _USAGE.search(line.text[:1000])
        if usage is None:
            break
        used += 1
        events.append(
            CgroupMemory(
                where=around.at(line),
                text=line.quoted,
                used=size(usage[1], line.ref),
                limit=size(usage[2], line.ref),
                said_by="docker stats",
            )
        )
    return Block(used, used, [*events])
