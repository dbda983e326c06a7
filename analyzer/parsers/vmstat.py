"""The table of `vmstat`: with and without `-t`, `-w`, `-a`, in the unit of `-S`, of old and new versions; `vmstat -s`.

Memory and swap columns are in the unit of `-S` where the echoed command, the banner or the file's name shows one, else
in KiB. The first row of a run holds rates since boot, unless the command says `-y`. The lines of `-s` name their unit
themselves, in several languages: `K` and `M` are binary, `k` and `m` decimal.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from analyzer.events import MemorySnapshot, VmstatRow
from analyzer.expression import lazy
from analyzer.parsers.block import Block
from analyzer.parsers.moments import moment, zone_of
from analyzer.parsers.sizes import count, size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.parsers.block import Around, Text
    from analyzer.units import Amount

KIND = "vmstat"
# As the translations of procps 4 have it: German, Spanish, French, Portuguese, Swedish, Ukrainian, Romanian, Polish, …
_SUMS = """
total memory = Gesamtspeicher | memoria total | mémoire totale | de memória total | totalt minne | пам’яті загалом |
  total memorie | Pamięć razem | 메모리 총량 | tổng bộ nhớ
used memory = benutzter Speicher | memoria usada | mémoire utilisée | de memória usada | använt minne | пам’яті
  використано | memorie utilizată | Pamięć użyta | 사용 메모리 | bộ nhớ đã dùng
active memory = aktiver Speicher | memoria activa | mémoire active | de memória ativa | aktivt minne | пам’яті
  активно | memorie activă | Pamięć aktywna | 활성 메모리 | bộ nhớ hoạt động
inactive memory = inaktiver Speicher | memoria inactiva | mémoire inactive | de memória inativa | inaktivt minne |
  пам’яті неактивно | memorie inactivă | Pamięć nieaktywna | 비활 메모리 | bộ nhớ không hoạt động
free memory = freier Speicher | memoria libre | mémoire libre | de memória livre | fritt minne | пам’яті вільно |
  memorie liberă | Pamięć wolna | 가용 메모리 | bộ nhớ trống
buffer memory = Pufferspeicher | memoria de búfer | mémoire tampon | de memória em buffer | buffertminne | пам’яті у
  буфері | memorie tampon | Pamięć buforów | 버퍼 메모리 | bộ nhớ đệm
swap cache = Auslagerungsspeicher-Cache | caché de intercambio | mémoire échange | de cache de swap | växlings-cache
  | резервного кешу | swap cache | Pam. podr. obsz. wymiany | 스왑 캐시 | nhớ tạm tráo đổi
total swap = Gesamt-Auslagerungsspeicher | intercambio total | échange total | de swap total | totalt växling |
  резервної пам’яті загалом | total swap | Obszar wymiany razem | 스왑 총량 | tổng tráo đổi
used swap = benutzter Auslagerungsspeicher | intercambio usado | échange utilisé | de swap usada | använd växling |
  резервної пам’яті використано | swap utilizată | Obszar wymiany użyty | 사용 스왑 | tráo đổi đã dùng
free swap = freier Auslagerungsspeicher | intercambio libre | échange libre | de swap livre | fri växling |
  резервної пам’яті вільно | swap liberă | Obszar wymiany wolny | 가용 스왑 | tráo đổi còn trống
"""  # noqa: RUF001 - Ukrainian letters
_NAMES = {
    words.strip(): name.strip()
    for name, _, others in (row.partition(" = ") for row in _SUMS.replace("\n  ", " ").strip().split("\n"))
    for words in (name, *others.split(" | "))
}
HEADS = ("procs", "swpd", *(words for words, name in _NAMES.items() if name == "total memory"))

_UNIT = lazy(r"S[ _]?([kKmM])(?:[ _.]|$)")
_UNITS = {"k": "kB", "K": "KiB", "m": "MB", "M": "MiB"}
_SUM = lazy(r"\s*(?:(\d{1,15}) ([KkMm]) (\S.{2,40})|(\S.{2,40}?): +(\d{1,15}) ([KkMm]))$", re.ASCII)
_COUNTER = lazy(
    r"\s*\d{1,20} (?:[KkMm] |pages )?(?:paged (?:in|out)|swapped (?:in|out)|[A-Za-z -]{2,24} cpu ticks|interrupts"
    r"|CPU context switches|boot time|forks)$"
)
_TRANSLATED = lazy(r"\s*(?:\d{1,20} (?:[KkMm] )?[^\W\d].{2,80}|[^\W\d].{3,40}: +\d{1,20}(?: [KkMm])?)$")
_ROUNDED = 5  # figures that are added, each of them cut to a whole unit


@dataclass(slots=True)
class _Table:
    """What the header told: the columns, the zone over the time column, the unit of sizes."""

    unit: str
    names: tuple[str, ...] = ()
    zone: str = ""


def claims(head: str, _around: Around) -> bool:
    """The banner over the columns, the columns where the banner is cut off, or the first line of `-s`."""
    return _is_banner(head) or _is_header(head) or _sum(head)[0] == "total memory"


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One event per row; the headers that `vmstat` repeats between its rows belong to the block. One event for `-s`."""
    if _sum(lines[0].text)[0] == "total memory":
        return _summary(lines, around)
    table = _Table(_unit(around))
    first = " -y" not in around.command
    rows: list[VmstatRow] = []
    used = 0
    for line in lines:
        if _is_header(line.text):
            _learn(table, line.text.split())
        elif not _is_banner(line.text):
            row = _row(table, line, around, since_boot=first and not rows)
            if row is None:
                break
            rows.append(row)
        used += 1
    return Block(max(used, 1), used, [*rows])


def _summary(lines: Sequence[Text], around: Around) -> Block:
    """The sums of `vmstat -s`, and its counters since the host started."""
    sums: dict[str, Amount[Any]] = {}
    translated = not lines[0].text.rstrip().endswith(" total memory")
    used = 0
    for line in lines:
        text = line.text.rstrip()[:200]
        name, number, unit = _sum(text)
        if name and name not in sums:
            amount = size(number, line.ref, bare=_UNITS[unit], truncated=unit != "K")
            sums |= {name: amount} if amount is not None else {}
        elif not (_COUNTER.match(text) or (translated and not name and _TRANSLATED.match(text))):
            break
        used += 1
    return Block(max(used, 1), used, [_snapshot(sums, lines[0], around)])


def _sum(text: str) -> tuple[str, str, str]:
    """A sum by its English name, its number and its unit; empty for other lines. Polish has the number behind."""
    found = _SUM.match(text.rstrip()[:200])
    if found is None:
        return "", "", ""
    name = _NAMES.get(found[3] or found[4], "")
    return name, found[1] or found[5], found[2] or found[6]


def _snapshot(sums: dict[str, Amount[Any]], line: Text, around: Around) -> MemorySnapshot:
    """What is used, as `free` of the same version counts it: without the cache.

    procps 4 counts as used what is not available; procps 3.3 what is neither free nor cache; older ones the cache too.
    """
    total, used, free = (sums.get(f"{name} memory") for name in ("total", "used", "free"))
    cache, buffers, available = sums.get("swap cache"), sums.get("buffer memory"), None
    if cache is not None and buffers is not None:
        cache = cache + buffers
    if total is not None and used is not None and free is not None and cache is not None:
        unit = max(total.slack, free.slack) * _ROUNDED
        if abs(total.value - used.value - free.value) <= unit:
            used = used - cache if used.value >= cache.value else None
        elif abs(total.value - used.value - free.value - cache.value) > unit and total.value > used.value:
            available = total - used
    return MemorySnapshot(
        where=around.at(line),
        text=line.quoted,
        tool=KIND,
        total=total,
        used=used,
        free=free,
        cache=cache,
        available=available,
        swap_total=sums.get("total swap"),
        swap_used=sums.get("used swap"),
        label=around.label,
    )


def _is_banner(text: str) -> bool:
    return text[:200].replace("-", " ").split()[:3] == ["procs", "memory", "swap"]


def _is_header(text: str) -> bool:
    return text[:200].split()[:3] == ["r", "b", "swpd"]


def _learn(table: _Table, words: list[str]) -> None:
    table.zone = words.pop() if words[-1].isupper() or words[-1][0] in "+-" else ""
    table.names = tuple(words)


def _row(table: _Table, line: Text, around: Around, *, since_boot: bool) -> VmstatRow | None:
    words = line.text[:400].split()
    figures, rest = words[: len(table.names)], words[len(table.names) :]
    if not table.names or len(figures) < len(table.names) or not all(w.isascii() and w.isdigit() for w in figures):
        return None
    cells = dict(zip(table.names, figures, strict=True))
    stamp = moment(f"{' '.join(rest)} {table.zone if zone_of(table.zone) else ''}") if rest else None

    def sized(name: str) -> Amount[Any] | None:
        return size(cells.get(name, ""), line.ref, bare=table.unit, truncated=table.unit != "KiB")

    return VmstatRow(
        where=around.at(line._replace(stamp=stamp) if stamp else line),
        text=line.quoted,
        running=count(cells.get("r", ""), line.ref),
        blocked=count(cells.get("b", ""), line.ref),
        free=sized("free"),
        cache=sized("cache"),
        swapped=sized("swpd"),
        swap_in=sized("si"),
        swap_out=sized("so"),
        read_in=count(cells.get("bi", ""), line.ref),
        waiting=count(cells.get("wa", ""), line.ref, "percent"),
        since_boot=since_boot,
    )


def _unit(around: Around) -> str:
    for text in (around.command, around.label, around.source):
        _, name, options = text.rpartition("vmstat")
        found = _UNIT.search(options[:40]) if name else None
        if found:
            return _UNITS[found[1]]
    return "KiB"
