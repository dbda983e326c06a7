"""`systemd-cgtop -b`: tasks and memory in use of every control group, the page cache included.

What a group uses counts above it as well. The lowest group that is named after SGLang is the server's container; what
others use is a fact by name.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from analyzer.events import CgroupMemory, Fact
from analyzer.expression import lazy
from analyzer.parsers.block import Block
from analyzer.parsers.bystanders import serves
from analyzer.parsers.sizes import size

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analyzer.events import Event
    from analyzer.parsers.block import Around, Text
    from analyzer.units import Amount

KIND = "systemd-cgtop"
HEADS = ("Control Group ", "CGroup ")

_HEADER = lazy(r"(?:Control Group|CGroup) +(?:Tasks|Proc\+?) +%CPU +Memory +Input/s +Output/s$")
_ROW = lazy(
    r"(/|/?[\w@.:\\-]{1,255}(?:/[\w@.:\\+-]{1,255}){0,30}) +(\d{1,9}|-) +(?:\d{1,6}[.,]\d|-)"
    r" +(\d{1,12}(?:[.,]\d)?[BKMGT]?|-) +(?:\d{1,12}(?:[.,]\d)?[BKMGT]?|-) +(?:\d{1,12}(?:[.,]\d)?[BKMGT]?|-)$",
    re.ASCII,
)


class _Row(NamedTuple):
    """A group's path without its first slash, and what it uses."""

    group: str
    used: Amount[Any] | None
    line: Text


def claims(head: str, _around: Around) -> bool:
    """The header, whole."""
    return _HEADER.match(head.strip()[:400]) is not None


def reads(lines: Sequence[Text], around: Around) -> Block:
    """What each group uses; the header that stands between two looks begins the next block."""
    rows: list[_Row] = []
    used = 1
    for number, line in enumerate(lines[1:], 2):
        text = line.text.strip()[:1000]
        row = _ROW.match(text)
        if row is None and text:
            break
        if row:
            rows.append(_Row(row[1].strip("/"), size(row[3], line.ref), line))
            used = number
    return Block(used, used, list(_events(rows, around)))


def _events(rows: Sequence[_Row], around: Around) -> Iterator[Event]:
    above = {"/".join(parts[:at]) for row in rows for parts in [row.group.split("/")] for at in range(len(parts))}
    for row in rows:
        if row.used is None:
            continue
        where, text = around.at(row.line), row.line.quoted
        if row.group not in above and serves(row.group.rpartition("/")[2]):
            yield CgroupMemory(where=where, text=text, used=row.used, said_by=KIND, group=row.group)
        else:
            value = str(int(row.used.value))
            yield Fact(where=where, text=text, name=f"cgroup /{row.group} used", value=value, amount=row.used)
