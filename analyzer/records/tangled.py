"""Tracebacks of several ranks that were written at once, taken apart line by line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.records.multiline import ends_traceback, is_frame

if TYPE_CHECKING:
    from collections.abc import Sequence


def untangled(lines: Sequence[str], count: int) -> list[list[str]]:
    """The lines dealt out to `count` tracebacks, which pass through the same functions or nearly so.

    A line goes to a traceback that is behind and whose next line it is, as the one that is furthest ahead shows; else
    to the one that is furthest ahead and has not ended.
    """
    dealt: list[list[str]] = [[] for _ in range(count)]
    for line in lines:
        going_on = [one for one in dealt if not _ended(one)] or dealt
        lead = max(dealt, key=len)
        behind = [one for one in going_on if len(one) < len(lead) and lead[len(one)] == line]
        home = min(behind, key=len) if behind else max(going_on, key=len)
        home.append(line)
    return dealt


def _ended(lines: list[str]) -> bool:
    return len(lines) > 1 and ends_traceback(lines[-1]) and not is_frame(lines[-1])
