"""Limits of a shell (`ulimit -a`) or of a process (`/proc/PID/limits`), under the same names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.events import Fact
from analyzer.expression import lazy
from analyzer.parsers.block import Block
from analyzer.parsers.sizes import count, size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.parsers.block import Around, Text

KIND = "ulimit"
HEADS = (", -", "(-", "Soft Limit", "Max ")

_SHELL = lazy(r"((?:POSIX )?[a-z][a-z -]{3,40}?) {2,}\((?:([a-z0-9 -]{1,20}), )?-[a-zA-Z]\) (\d{1,20}|unlimited)$")
_TITLE = lazy(r"Limit +Soft Limit +Hard Limit +Units *$")
_PROC = lazy(r"Max ([a-z -]{3,30}?) {2,}(\d{1,20}|unlimited) +(?:\d{1,20}|unlimited)(?: +([a-z]+))? *$")
_UNITS = {"kbytes": "KiB", "bytes": "B", "blocks": "KiB"}
_SAME = {"processes": "user-processes", "core-file-size": "core-file-size", "address-space": "virtual-memory"}


def claims(head: str, _around: Around) -> bool:
    """A line of `ulimit -a`, or the title or a line of the kernel's table."""
    line = head.strip()[:200]
    return bool(_SHELL.match(line) or _TITLE.match(line) or _PROC.match(line))


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One fact per limit (`ulimit.open-files`); `unlimited` has no amount."""
    events: list[Fact] = []
    used = 0
    for line in lines:
        text = line.text.strip()[:200]
        shell, proc = _SHELL.match(text), _PROC.match(text)
        if shell:
            events.append(_fact(shell[1], shell[3], shell[2] or "", line, around))
        elif proc:
            events.append(_fact(proc[1], proc[2], proc[3] or "", line, around))
        elif not _TITLE.match(text):
            break
        used += 1
    return Block(max(used, 1), used, [*events])


def _fact(name: str, value: str, unit: str, line: Text, around: Around) -> Fact:
    plain = name.strip().lower().removeprefix("max ").replace(" ", "-")
    bare = _UNITS.get(unit)
    amount = size(value, line.ref, bare=bare) if bare else count(value, line.ref)
    return Fact(
        where=around.at(line), text=line.quoted, name=f"ulimit.{_SAME.get(plain, plain)}", value=value, amount=amount
    )
