"""The rows of `gpustat`: one GPU each, with its processes where `-c` or `-p` lists them. Its MB are MiB."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from analyzer.events import GpuListed
from analyzer.parsers.block import Block
from analyzer.parsers.sizes import count, size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.parsers.block import Around, Text

KIND = "gpustat"
HEADS = ("'C,", "°C,")

_ROW = re.compile(
    r"\[(\d{1,3})\] (.{1,60}?) *\| *(\d{1,3}) ?['°]C, *(\d{1,3}|\?\?) ?% *(?:\([^)]{0,40}\))?"
    r" *\| *(\d{1,9}) */ *(\d{1,9}) ?MB"
)


def claims(head: str, _around: Around) -> bool:
    """A row of one GPU."""
    return _ROW.match(head[:400]) is not None


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One event per row."""
    events: list[GpuListed] = []
    for line in lines:
        row = _ROW.match(line.text[:400])
        if row is None:
            break
        events.append(
            GpuListed(
                where=around.at(line),
                text=line.quoted,
                index=row[1],
                name=row[2],
                total=size(row[6], line.ref, bare="MiB"),
                used=size(row[5], line.ref, bare="MiB"),
                utilisation=count(row[4], line.ref, "percent"),
                temperature=count(row[3], line.ref),
                snapshot=lines[0].ref.line,
            )
        )
    return Block(max(len(events), 1), len(events), [*events])
