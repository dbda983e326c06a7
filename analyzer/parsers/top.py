"""The screen of `top` (batch mode or pasted) and of `htop`: host memory, then processes.

`snapshot` of its processes is the line at which the screen begins. Sizes without a suffix are KiB.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from analyzer.events import MemorySnapshot
from analyzer.expression import lazy
from analyzer.parsers.block import Block
from analyzer.parsers.moments import moment, on_day_of
from analyzer.parsers.process_rows import cut, listed
from analyzer.parsers.sizes import size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.events import Event
    from analyzer.parsers.block import Around, Text
    from analyzer.units import Amount

KIND = "top"
HEADS = ("top - ", "iB Mem", "Mem:", "Mem[", "TIME+", "[||")

_TITLE = lazy(r"\s*top - (\d\d:\d\d:\d\d) up ", re.ASCII)
_MEMORY = lazy(r"\s*(?:([KMGT]iB) )?(Mem|Swap) ?:\s", re.ASCII)
_FIGURE = lazy(r"([\d.]{1,20}[kmgt]?)(\+?) ?(total|free|used|buff/cache|cached|avail)\b", re.ASCII)
_BARS = lazy(r"(Mem|Swp)\[[| ]{0,200}([\d.]{1,12}[KMGT]?)/([\d.]{1,12}[KMGT]?)\]", re.ASCII)
_SUMMARY = lazy(r"\s*(?:Tasks:|Threads:|%?Cpu\w*(?:\(s\))? ?:|Load average:|Uptime:)", re.ASCII)
_CPU_BAR = lazy(r"\s*(?:\d{1,4}|Avg|CPU) ?\[[| ]{1,200}[\d.]{1,6}%\]", re.ASCII)
_TABS = lazy(r"\s*\[Main\](?: \[[\w/ ]{1,20}\]){0,8}$")
_SORTED = lazy("[▽△]")  # htop marks the column that it sorts by
_KEYS = "F1Help "


def claims(head: str, _around: Around) -> bool:
    """The title line, a memory line, or the header of its process table."""
    text = head[:400]
    return bool(_TITLE.match(text) or _memory(text) or _BARS.search(text) or _CPU_BAR.match(text)) or _is_table(text)


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One screen: its summary, blanks between, its table."""
    title = _TITLE.match(lines[0].text)
    stamp = moment(title[1]) if title else None
    here = around.dated(on_day_of(stamp, around.stamp)) if stamp else around
    used, figures = _summary(lines)
    events: list[Event] = [_snapshot(figures, here)] if figures else []
    table = used
    while table < len(lines) and table - used <= 1 and _between(lines[table].text):
        table += 1
    if table < len(lines) and _is_table(lines[table].text):
        names = tuple(word.upper() for word in _SORTED.sub(" ", lines[table].text).split())
        used = table + 1
        for line in lines[used:]:
            row = listed(cut(names, line.text), line, here, lines[0].ref.line)
            if not row:
                break
            events += row
            used += 1
        used += used < len(lines) and lines[used].text.startswith(_KEYS)
    return Block(max(used, 1), used, events)


def _between(text: str) -> bool:
    return not text.strip() or _TABS.match(text) is not None


def _is_table(text: str) -> bool:
    words = _SORTED.sub(" ", text[:400]).split()
    return "PID" in words and "USER" in words and "TIME+" in words


def _memory(text: str) -> re.Match[str] | None:
    found = _MEMORY.match(text)
    return found if found and (found[1] or _FIGURE.search(text[:200])) else None


def _summary(lines: Sequence[Text]) -> tuple[int, dict[str, tuple[Amount[Any] | None, Text]]]:
    """How many lines the summary has, and its figures (`Mem total`, `Swap used`, …) with their lines."""
    figures: dict[str, tuple[Amount[Any] | None, Text]] = {}
    used = 0
    for line in lines:
        text = line.text[:400]
        memory = _memory(text)
        bars = list(_BARS.finditer(text))
        for bar in bars:
            of = "Mem" if bar[1] == "Mem" else "Swap"
            figures[f"{of} used"] = (size(bar[2], line.ref), line)
            figures[f"{of} total"] = (size(bar[3], line.ref), line)
        if memory:
            figures |= _figures(memory, text, line)
        if not (memory or bars or _SUMMARY.match(text) or _CPU_BAR.match(text) or (used == 0 and _TITLE.match(text))):
            break
        used += 1
    return used, figures


def _figures(memory: re.Match[str], text: str, line: Text) -> dict[str, tuple[Amount[Any] | None, Text]]:
    found: dict[str, tuple[Amount[Any] | None, Text]] = {}
    for digits, cut_off, name in _FIGURE.findall(text):
        amount = None if cut_off else size(digits, line.ref, bare=memory[1] or "KiB")
        key = {"buff/cache": "cache", "cached": "cache"}.get(name, name)
        of = "Mem" if key in {"cache", "avail"} else memory[2]  # both may stand on the swap line
        found[f"{of} {key}"] = (amount, line)
    return found


def _snapshot(figures: dict[str, tuple[Amount[Any] | None, Text]], around: Around) -> MemorySnapshot:
    nothing = (None, None)
    line = next(iter(figures.values()))[1]
    return MemorySnapshot(
        where=around.at(line),
        text=line.quoted,
        tool=KIND,
        total=figures.get("Mem total", nothing)[0],
        used=figures.get("Mem used", nothing)[0],
        free=figures.get("Mem free", nothing)[0],
        cache=figures.get("Mem cache", nothing)[0],
        available=figures.get("Mem avail", nothing)[0],
        swap_total=figures.get("Swap total", nothing)[0],
        swap_used=figures.get("Swap used", nothing)[0],
        label=around.label,
    )
