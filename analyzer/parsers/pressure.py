"""Pressure stall information: which share of the time some, or all, processes waited for memory, I/O or a processor.

As `/proc/pressure/memory` and a cgroup's `memory.pressure` print it, alone or behind the file's name.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from analyzer.events import Fact
from analyzer.expression import lazy
from analyzer.parsers.block import Block
from analyzer.parsers.sizes import count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.parsers.block import Around, Text

KIND = "pressure"
HEADS = ("some avg10=", "full avg10=")

_LINE = lazy(
    r"(?:\S{0,300}?\b(memory|io|cpu|irq)(?:\.pressure)?:\s*)?(some|full) avg10=([\d.]{1,8}) avg60=([\d.]{1,8}) "
    r"avg300=([\d.]{1,8}) total=\d{1,20}$",
    re.ASCII,
)
_OF = lazy(r"\b(memory|io|cpu|irq)\.pressure\b|\bpressure[/_.-](memory|io|cpu|irq)\b")


def claims(head: str, _around: Around) -> bool:
    """A line of the kernel's form."""
    return _LINE.match(head.strip()[:500]) is not None


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One fact per line, with the average of the last ten seconds as its figure."""
    named = _OF.search(around.command) or _OF.search(around.label) or _OF.search(around.source)
    events: list[Fact] = []
    for line in lines:
        found = _LINE.match(line.text.strip()[:500])
        if found is None:
            break
        of = found[1] or (named[1] or named[2] if named else "")
        events.append(
            Fact(
                where=around.at(line),
                text=line.quoted,
                name=f"pressure.{of}.{found[2]}".replace("..", "."),
                value=f"{found[3]}% of 10 s, {found[4]}% of 60 s, {found[5]}% of 300 s",
                amount=count(found[3], line.ref, "percent"),
            )
        )
    return Block(max(len(events), 1), len(events), [*events])
