"""A line that is nothing but a time: `date`, `date -Is`, `date -u`, or `date: …` in a script's report."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from analyzer.events import ClockRead
from analyzer.expression import lazy
from analyzer.parsers.block import Block
from analyzer.parsers.moments import moment

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.evidence import Stamp
    from analyzer.parsers.block import Around, Text

KIND = "date"
HEADS = ("202", "203")

_LABEL = lazy(r"(?:date|time|now|local time|captured(?: at| live)?) *: +", re.IGNORECASE)
_LONGEST = 100


def claims(head: str, _around: Around) -> bool:
    """A full date and time, alone on its line or behind its label."""
    return _stamp(head) is not None


def reads(lines: Sequence[Text], around: Around) -> Block:
    """The time that was read."""
    stamp = _stamp(lines[0].text)
    if stamp is None:
        return Block(1, 0)
    line = lines[0]
    return Block(1, 1, [ClockRead(where=around.at(line._replace(stamp=stamp)), text=line.quoted, label=around.label)])


def _stamp(text: str) -> Stamp | None:
    if len(text) > _LONGEST:
        return None
    plain = text.strip()
    label = _LABEL.match(plain)
    stamp = moment(plain[label.end() :] if label else plain)
    return stamp if stamp and stamp.dated else None
