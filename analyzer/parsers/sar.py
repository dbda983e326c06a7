"""`sar -r` and `sar -S`: the host's memory over a day, of old and new sysstat, in sizes or with `--human`; `sadf -d`.

kbmemused of sysstat before 12 is everything that is not free, the cache included; later ones leave the cache out, as
`free` does. The printed share tells which it is, and with it the total. `iostat` prints the same title.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from analyzer.events import MemorySnapshot
from analyzer.expression import lazy
from analyzer.parsers import iostat
from analyzer.parsers.block import Block
from analyzer.parsers.moments import day_of, moment, on_day_of
from analyzer.parsers.sizes import count, size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.evidence import Stamp
    from analyzer.parsers.block import Around, Text
    from analyzer.units import Amount

KIND = "sysstat"  # whose tools share the title
HEADS = ("Linux ", "kbmemfree", "kbswpfree")

_TITLE = lazy(r"Linux \d\S{1,80} \((\S{1,255})\)\s+(\S{6,20})\s+_\S{2,20}_\s+\(\d{1,5} CPU\)$")
_CLOCK = lazy(r"(\d{1,2})[:时時](\d\d)[:分](\d\d)秒?(?: ([AP]M))?\s+(\S.*)$")
_NUMBER = lazy(r"\d[\d.,]{0,20}[kMGTP%]?$|-?nan$", re.ASCII)
_AVERAGE = lazy(r"\S{2,12} ?[:：]\s+([\d., kMGTP%-]{1,400})$")  # noqa: RUF001 - the Chinese table's own colon
_RESTART = lazy(r"LINUX RESTART\b")
_OLD_SHARE = 0.02  # percent points by which a printed share may be off: two roundings to hundredths
_FEWEST = 10  # percent; of a smaller share its rounding makes the total vague


@dataclass(slots=True)
class _Report:
    """What titles and headers have told so far."""

    day: str = ""
    names: tuple[str, ...] = ()
    last: Stamp | None = None


def claims(head: str, _around: Around) -> bool:
    """The title, or the header of a table of memory or swap."""
    line = head.strip()[:400]
    return _TITLE.match(line) is not None or bool(_columns(line))


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One snapshot per row; averages and restarts are passed over, and other tables than those of memory are left."""
    disks = _disks(lines, around)
    if disks is not None:
        return disks
    report = _Report()
    events: list[MemorySnapshot] = []
    used = 0
    for number, line in enumerate(lines, 1):
        text = line.text.strip()[:400]
        title, columns = _TITLE.match(text), _columns(text)
        if title:
            report = _Report(title[2])
        elif columns:
            report.names = columns
        elif text and not _passed_over(text, report):
            row = _row(report, line, around)
            if row is None:
                break
            events.append(row)
        used = number if text else used
    return Block(max(used, 1), used, [*events])


def _disks(lines: Sequence[Text], around: Around) -> Block | None:
    """The reports of `iostat` below the same title; `None` where something else follows."""
    below = next((at for at, line in enumerate(lines) if at and line.text.strip()), 0)
    if not below or not _TITLE.match(lines[0].text.strip()[:400]) or not iostat.goes_on(lines[below].text):
        return None
    block = iostat.reads(lines[below:], around)
    return Block(below + block.lines, below + block.understood, block.events)


def _columns(text: str) -> tuple[str, ...]:
    """The names of a header, without its time."""
    if text.startswith("# hostname;interval;timestamp;"):
        names = tuple(text.split(";")[3:])
    else:
        clock = _CLOCK.match(text)
        names = tuple(clock[5].split()) if clock else ()
    return names if names[:1] in {("kbmemfree",), ("kbswpfree",)} else ()


def _passed_over(text: str, report: _Report) -> bool:
    return bool(report.names) and (_AVERAGE.match(text) is not None or _RESTART.search(text) is not None)


def _row(report: _Report, line: Text, around: Around) -> MemorySnapshot | None:
    text = line.text.strip()[:400]
    clock = _CLOCK.match(text)
    if ";" in text:
        _, _, when, *words = (text.split(";") + [""] * 3)[: len(report.names) + 3]
        stamp = moment(when)
    else:
        words = clock[5].split() if clock else []
        stamp = _stamp(report, clock, around) if clock else None
    if len(words) != len(report.names) or not words or not all(_NUMBER.match(word) for word in words):
        return None
    report.last = stamp or report.last
    return _snapshot(dict(zip(report.names, words, strict=True)), line._replace(stamp=stamp or line.stamp), around)


def _stamp(report: _Report, clock: re.Match[str], around: Around) -> Stamp | None:
    """The time of a row on the day of its title; past midnight on the next."""
    text = f"{clock[1]}:{clock[2]}:{clock[3]}" + (f" {clock[4]}" if clock[4] else "")
    stamp = moment(text)
    day = day_of(report.day, half_days=bool(clock[4]))
    if stamp is None:
        return None
    if day is None:
        return on_day_of(stamp, around.stamp)
    stamp = replace(stamp, moment=datetime.combine(day, stamp.moment.time()), dated=True)
    if report.last and report.last.dated and report.last.moment - stamp.moment > timedelta(hours=12):
        stamp = replace(stamp, moment=stamp.moment + timedelta(days=1))
    return stamp


def _snapshot(cells: dict[str, str], line: Text, around: Around) -> MemorySnapshot:
    def sized(name: str) -> Amount[Any] | None:
        return size(cells.get(name, ""), line.ref, bare="KiB")

    free, used = sized("kbmemfree"), sized("kbmemused")
    share = count(cells.get("%memused", "").rstrip("%").replace(",", "."), line.ref, "percent")
    with_cache = _with_cache(free, used, share)
    swap_free, swap_used = sized("kbswpfree"), sized("kbswpused")
    return MemorySnapshot(
        where=around.at(line),
        text=line.quoted,
        tool="sar",
        total=free + used if free and used and with_cache else _by_share(used, share),
        used=None if with_cache else used,
        free=free,
        cache=sized("kbcached"),
        available=sized("kbavail"),
        swap_total=swap_free + swap_used if swap_free and swap_used else None,
        swap_used=swap_used,
        label=around.label,
    )


def _with_cache(free: Amount[Any] | None, used: Amount[Any] | None, share: Amount[Any] | None) -> bool | None:
    """Whether what is used and what is free make the whole; `None` where that cannot be told."""
    if free is None or used is None or share is None or not free.value + used.value:
        return None
    return bool(abs(used.value / (free.value + used.value) - share.value) * 100 <= _OLD_SHARE)


def _by_share(used: Amount[Any] | None, share: Amount[Any] | None) -> Amount[Any] | None:
    if used is None or share is None or share.value * 100 < _FEWEST:
        return None
    return used / share
