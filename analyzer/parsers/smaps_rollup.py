"""`/proc/PID/smaps_rollup`: what a process's resident memory is made of, its own (`Anonymous`) or shared."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from analyzer.events import Fact
from analyzer.expression import lazy
from analyzer.parsers.block import Block
from analyzer.parsers.sizes import size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.parsers.block import Around, Text

KIND = "smaps-rollup"
HEADS = ("[rollup]",)

_HEAD = lazy(r"[0-9a-f]{8,16}-[0-9a-f]{8,16} \S{4} [0-9a-f]{8} \S{5} \d +\[rollup\]$")
_LINE = lazy(r"([A-Z][A-Za-z_]{1,30}): +(\d{1,15}) kB$", re.ASCII)
_PROCESS = lazy(r"/proc/(\d{1,10})/smaps_rollup\b")
_KEPT = frozenset({"Rss", "Pss", "Pss_Anon", "Pss_File", "Pss_Shmem", "Anonymous", "Swap", "Locked"})


def claims(head: str, _around: Around) -> bool:
    """The line of addresses over the sums."""
    return _HEAD.match(head.rstrip()[:200]) is not None


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One fact for each sum that tells what the memory is; the process's number is known from the command alone."""
    named = _PROCESS.search(around.command) or _PROCESS.search(around.label) or _PROCESS.search(f"/{around.source}")
    of = f" of {named[1]}" if named else ""
    events: list[Fact] = []
    used = 1
    for line in lines[1:]:
        found = _LINE.match(line.text.strip()[:100])
        if found is None:
            break
        used += 1
        if found[1] in _KEPT:
            name, amount = f"smaps.{found[1]}{of}", size(found[2], line.ref, bare="KiB")
            events.append(
                Fact(where=around.at(line), text=line.quoted, name=name, value=f"{found[2]} kB", amount=amount)
            )
    return Block(used, used if events else 0, [*events])
