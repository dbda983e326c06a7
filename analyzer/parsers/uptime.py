"""The line of `uptime` (and the first of `w`): a clock, how long the host is up, its load."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from analyzer.events import ClockRead, Fact
from analyzer.expression import lazy
from analyzer.parsers.block import Block
from analyzer.parsers.moments import moment, on_day_of
from analyzer.parsers.sizes import count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.events import Event
    from analyzer.parsers.block import Around, Text

KIND = "uptime"
HEADS = ("load average",)

_LINE = lazy(
    r"\s*(?:uptime *: *)?(\d{1,2}:\d\d:\d\d) up +(.{1,40}?),(?: +\d+ users?,)? +load averages?: (\d[\d.]{0,8})",
    re.ASCII,
)


def claims(head: str, _around: Around) -> bool:
    """The whole line; the title of `top` is another's."""
    return _LINE.match(head[:200]) is not None


def reads(lines: Sequence[Text], around: Around) -> Block:
    """The clock, the time since boot, the load of the last minute."""
    line = lines[0]
    found = _LINE.match(line.text[:200])
    stamp = moment(found[1]) if found else None
    if found is None or stamp is None:
        return Block(1, 0)
    placed = around.at(line._replace(stamp=on_day_of(stamp, around.stamp)))
    amount = count(found[3], line.ref)
    events: list[Event] = [
        ClockRead(where=placed, text=line.quoted, label="uptime"),
        Fact(where=placed, text=line.quoted, name="host.up", value=found[2]),
        Fact(where=placed, text=line.quoted, name="load.1min", value=found[3], amount=amount),
    ]
    return Block(1, 1, events)
