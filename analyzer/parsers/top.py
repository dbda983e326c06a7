"""The screen of `top` (batch mode or pasted), of busybox' and of `htop`: host memory, then processes.

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
HEADS = ("top - ", "iB Mem", "Mem:", "Mem[", " PR ", " PRI ", "%VSZ", "[||")

_TITLE = lazy(r"\s*top - (\d\d:\d\d:\d\d) up ", re.ASCII)
_MEMORY = lazy(r"\s*(?:([KMGT]iB) )?(Mem|Swap) ?:\s", re.ASCII)
# long: the words of procps-ng's catalogues, by the English one
_WORDS = {
    "total": "total totalt razem загал 총계",
    "free": "free fritt wolne liberă libr вільн 잔여",
    "used": "used anv użyte utilizată util вик 사용",
    "cache": "buff/cache cached buf/cache tamp/cache буф/кеш 버퍼/캐시",
    "avail": "avail",
    "buffers": "buffers buff",
    "shrd": "shrd",
    "PID": "进程号",
    "PPID": "FPID",
    "USER": "UTIL. UŻYTK. USUARIO UTILIZ. ANVÄNDARE КОР. NG_DÙNG",  # noqa: RUF001 - Ukrainian
    "RES": "REZ",
    "SHR": "WSP M.PART DELT",
    "S": "日",
    "%MEM": "%PAM %MIN",
    "TIME+": "ZEIT+ TEMPS+ CZAS+ TEMPO+ TIMP+ TID+ THGIAN+",
    "COMMAND": "BEFEHL COM. KOMENDA COMANDO COMANDA KOMMANDO LỆNH",
}
_MEANS = {word: name for name, words in _WORDS.items() for word in words.split()}
_NAMES = "|".join(
    re.escape(word)
    for name in ("total", "free", "used", "cache", "avail", "buffers", "shrd")
    for word in _WORDS[name].split()
)
_FIGURE = lazy(rf"([\d.,]{{1,20}}[kmgtKMGT]?)(\+?) ?({_NAMES})\b")
_BARS = lazy(r"(Mem|Swp)\[[| ]{0,200}([\d.]{1,12}[KMGT]?)/([\d.]{1,12}[KMGT]?)\]", re.ASCII)
_TASKS = (
    "Tasks|Threads|Tareas|Hilos|Tâches|Zadania|Wątki|Tarefas|Sarcini|Fire exec|Uppgifter|Trådar|Завдання|Потоки"
    "|Tác vụ|Tuyến trình|任务|작  업|스레드"
)
_SUMMARY = lazy(rf"\s*(?:(?:{_TASKS}):|%?Cpu\w*(?:\(s\))? ?:|CPU: +\d+% usr |Load average:|Uptime:)")
_CPU_BAR = lazy(r"\s*(?:\d{1,4}|Avg|CPU) ?\[[| ]{1,200}[\d.]{1,6}%\]", re.ASCII)
_TABS = lazy(r"\s*\[Main\](?: \[[\w/ ]{1,20}\]){0,8}$")
_SORTED = lazy(r"[▽△]|(?<=[A-Z%+])[+-](?=[A-Z])")  # htop marks the column that it sorts by
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
        names = _columns(lines[table].text)
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
    names = _columns(text[:400])
    return "PID" in names and "USER" in names and ("TIME+" in names or "%VSZ" in names)


def _columns(text: str) -> tuple[str, ...]:
    """The columns of a header, as they are called in English."""
    words = [word.upper() for word in _SORTED.sub(" ", text).split()]
    return tuple(_MEANS.get(word, word) for word in words)


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
        key = _MEANS[name]
        of = "Mem" if key in {"cache", "avail", "buffers"} else memory[2]  # both may stand on the swap line
        found[f"{of} {key}"] = (amount, line)
    return found


def _snapshot(figures: dict[str, tuple[Amount[Any] | None, Text]], around: Around) -> MemorySnapshot:
    line = next(iter(figures.values()))[1]
    told = {name: amount for name, (amount, _) in figures.items()}
    total, used, free, shared = (told.get(f"Mem {name}") for name in ("total", "used", "free", "shrd"))
    cache, buffers = told.get("Mem cache"), told.get("Mem buffers")
    if shared is not None:  # busybox: no total
        total = used + free if used is not None and free is not None else None
    if buffers is not None:  # busybox, and procps before 3.3.10: what is used counts buffers and cache
        cache = cache + buffers if cache is not None else None
        used = used - cache if used is not None and cache is not None and used.value >= cache.value else None
    return MemorySnapshot(
        where=around.at(line),
        text=line.quoted,
        tool=KIND,
        total=total,
        used=used,
        free=free,
        shared=shared,
        cache=cache,
        available=told.get("Mem avail"),
        swap_total=told.get("Swap total"),
        swap_used=told.get("Swap used"),
        label=around.label,
    )
