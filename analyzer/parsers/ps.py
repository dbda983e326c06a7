"""A process listing of `ps`: any header of its column names, or rows of `aux` and `-ef` left over by a `grep`.

`snapshot` of its events is the line at which the listing begins, so that listings in one file stay apart.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from analyzer.expression import lazy
from analyzer.parsers.block import Block
from analyzer.parsers.process_rows import cut, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.events import Event
    from analyzer.parsers.block import Around, Text

KIND = "ps"
HEADS = ("PID", " ? ", "pts/")

_NAMES = """
    USER UID PID PPID PGID PGRP SID SESS TID SPID LWP NLWP THCNT C CP STIME TTY TT TIME CMD %CPU CPU %MEM VSZ SZ RSS RSZ
    STAT S START STARTED COMMAND COMM ARGS ELAPSED ELAPSED_TIME WCHAN NI PRI CLS CLASS PSR P F ADDR RUSER EUSER EUID
    GID GROUP RTPRIO MAJFL MINFL MAJFLT MINFLT LABEL UNIT CGROUP NUMA PSS USS
"""
_COLUMNS = frozenset(_NAMES.split())
_AUX = ("USER", "PID", "%CPU", "%MEM", "VSZ", "RSS", "TTY", "STAT", "START", "TIME", "COMMAND")
_EF = ("UID", "PID", "PPID", "C", "STIME", "TTY", "TIME", "CMD")
_TTY = r"(?:\?|pts/\d+|tty\w*|console)"
_AUX_ROW = lazy(
    rf"\s*[\w.+-]+ +\d+ +[\d.]+ +[\d.]+ +\d+ +\d+ +{_TTY} +[DIRSTWXZ][<NLsl+]* +[\w:]+ +[\d:.]+ +\S", re.ASCII
)
_EF_ROW = lazy(rf"\s*[\w.+-]+ +\d+ +\d+ +\d+ +[\w:]+ +{_TTY} +(?:\d+-)?\d\d:\d\d:\d\d +\S", re.ASCII)
_FEWEST, _WIDEST = 3, 400  # columns of a header, and its characters


def claims(head: str, _around: Around) -> bool:
    """A header of `ps` columns with the process number among them, or a row of `ps aux` or `ps -ef`."""
    return bool(_names(head))


def reads(lines: Sequence[Text], around: Around) -> Block:
    """The rows under the header, up to the first line that is none."""
    names, headed = _names(lines[0].text), _is_header(lines[0].text)
    if not names:
        return Block(1, 0)
    events: list[Event] = []
    used = int(headed)
    for line in lines[used:]:
        same = headed or _names(line.text) == names
        found = listed(cut(names, line.text), line, around, lines[0].ref.line) if same else []
        if not found:
            break
        events += found
        used += 1
    return Block(max(used, 1), used, events)


def _is_header(text: str) -> bool:
    if len(text) > _WIDEST:
        return False
    words = text.split()
    return len(words) >= _FEWEST and "PID" in words and _COLUMNS.issuperset(words)


def _names(text: str) -> tuple[str, ...]:
    if _is_header(text):
        return tuple(text.split())
    if _AUX_ROW.match(text):
        return _AUX
    return _EF if _EF_ROW.match(text) else ()
