"""Rows of process tables, cut by the words of their header: shared by `ps` and `top`.

One column may hold blanks, the command; the columns before it are counted from the left, those behind it from the
right. `lstart` takes five words under its one (`STARTED`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from analyzer.events import CommandLine, ProcessListed
from analyzer.expression import lazy
from analyzer.parsers.argv import command_line
from analyzer.parsers.sizes import count, elapsed, size, whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.events import Event
    from analyzer.parsers.block import Around, Text

_COMMANDS = frozenset({"CMD", "COMMAND", "ARGS", "COMM", "UCMD"})
_STARTED = "STARTED"
_LSTART_WORDS = 5
_FIGURES = ("PPID", "RSS", "RSZ", "VSZ", "%CPU", "%MEM")
_FIGURE = lazy(r"\d[\d.]{0,20}[mgt%]?$|-$", re.ASCII)
_STATE = lazy(r"[A-Za-z?][A-Za-z<+]{0,8}$", re.ASCII)
_TREE = "\\_"


def cut(names: Sequence[str], text: str) -> dict[str, str]:
    """The cells of a row by column name; empty where the row has fewer words than columns before the command."""
    last = next((i for i in range(len(names) - 1, -1, -1) if names[i] in _COMMANDS), len(names) - 1)
    cells: dict[str, str] = {}
    rest = text.strip()
    for name in names[:last]:
        width = _started_words(rest) if name == _STARTED else 1
        words = rest.split(None, width)
        if len(words) < width:
            return {}
        cells[name] = " ".join(words[:width])
        rest = words[width] if len(words) > width else ""
    behind = names[last + 1 :]
    words = rest.rsplit(None, len(behind))
    if len(words) <= len(behind):
        return {}
    cells[names[last]] = words[0].strip()
    return cells | dict(zip(behind, words[1:], strict=True))


def listed(cells: dict[str, str], line: Text, around: Around, snapshot: int) -> list[Event]:
    """The process of a row, with its command line where that starts a server; nothing where the row is none."""
    pid = whole(cells.get("PID", ""))
    if pid is None or not _is_row(cells):
        return []
    command = next((cells[name] for name in ("COMMAND", "CMD", "ARGS", "COMM", "UCMD") if name in cells), "")
    command = command.rpartition(_TREE)[2].strip() if _TREE in command[:80] else command
    process = ProcessListed(
        where=around.at(line),
        text=line.quoted,
        pid=pid,
        parent=whole(cells.get("PPID", "")),
        state=cells.get("STAT", cells.get("S", "")),
        resident=size(cells.get("RSS", cells.get("RES", cells.get("RSZ", ""))), line.ref, bare="KiB"),
        shared=size(cells.get("SHR", ""), line.ref, bare="KiB"),
        cpu=count(cells.get("%CPU", cells.get("CPU%", cells.get("C", ""))).rstrip("%"), line.ref, "percent"),
        command=command,
        user=cells.get("USER", cells.get("UID", "")),
        elapsed=elapsed(cells.get("ELAPSED", ""), line.ref),
        started=next((cells[name] for name in (_STARTED, "START", "STIME", "LSTART") if name in cells), ""),
        waiting_in=cells.get("WCHAN", "").strip("-"),
        snapshot=snapshot,
    )
    argv = command_line(command)
    if argv is None:
        return [process]
    return [process, CommandLine(where=process.where, text=process.text, argv=argv, pid=pid)]


def _is_row(cells: dict[str, str]) -> bool:
    figures = all(_FIGURE.match(cells[name]) for name in _FIGURES if name in cells)
    return figures and all(_STATE.match(cells[name]) for name in ("STAT", "S") if name in cells)


def _started_words(rest: str) -> int:
    """`Thu Aug 27 20:57:57 2026` of `lstart`, `Aug 27` of an old `start`, else a time of day."""
    words = rest.split(None, 3)
    if len(words) > 1 and words[0].isalpha():
        return _LSTART_WORDS if not words[1].isdigit() or ":" in "".join(words[2:3]) else 2
    return 1
