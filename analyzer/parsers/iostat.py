"""`iostat`, plain and with `-x`, of old and new sysstat, in kB, MB or with `-h`: how busy each disk is.

The first report of a run holds averages since boot, unless the command says `-y`. Its kB are KiB, its MB MiB.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from analyzer.events import DiskLoad
from analyzer.expression import lazy
from analyzer.parsers.block import Block
from analyzer.parsers.moments import day_of, moment
from analyzer.parsers.sizes import count, size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.evidence import Ref, Stamp
    from analyzer.parsers.block import Around, Text
    from analyzer.units import Amount

KIND = "iostat"
HEADS = ("avg-cpu:", "Device")

_CPU = lazy(r"avg-cpu: +%user +%nice +%system +%iowait +%steal +%idle$")
_SHARES = lazy(r" *(?:\d{1,3}[.,]\d\d? ?%? +){5}\d{1,3}[.,]\d\d? ?%?$", re.ASCII)
_COLUMN = (
    r"(?:tps|[rwdf]/s|(?:[rwd](?:k|M|sec)?B?|(?:k|M)B_(?:read|wrtn|dscd)|Blk_(?:read|wrtn|dscd))(?:/s)?|[rwd]rqm/s"
    r"|%[rwd]rqm|[rwdf]_await|[rwd]areq-sz|areq-sz|await|svctm|aqu-sz|avg[rq]q-sz|avgqu-sz|rqm/s|%rqm|%util)"
)
_HEADER = lazy(rf"(?:Device:? +{_COLUMN}(?: +{_COLUMN}){{2,30}}|{_COLUMN}(?: +{_COLUMN}){{2,30}} +Device)$")
_NUMBER = lazy(r"\d{1,15}(?:[.,]\d{1,3})?[kMGT]?%?$", re.ASCII)
_DATE = lazy(
    r"(?:\d{4}-\d\d-\d\dT[\d:]{8}[+-]\d\d:?\d\d|(\d{1,4}[-/.]\d{1,2}[-/.]\d{2,4}) (\d{1,2}:\d\d:\d\d)(?: ([AP]M))?)$",
    re.ASCII,
)
_DEVICE = lazy(r"[A-Za-z][\w!/.-]{0,80}$")
_UNITS = {"k": "KiB", "M": "MiB"}


@dataclass(slots=True)
class _Report:
    """What the lines have told so far: the columns, the time, how many reports there were."""

    names: tuple[str, ...] = ()
    stamp: Stamp | None = None
    reports: int = 0
    events: list[DiskLoad] = field(default_factory=list)


def claims(head: str, _around: Around) -> bool:
    """The header over the processors' shares, or over the disks."""
    line = head.strip()[:400]
    return _CPU.match(line) is not None or _HEADER.match(line) is not None


def goes_on(text: str) -> bool:
    """Whether a line below the tools' common title is of a report of disks: its time, or a header."""
    line = text.strip()[:400]
    return any(form.match(line) is not None for form in (_CPU, _HEADER, _DATE))


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One event per disk and report."""
    report = _Report()
    used = 0
    for number, line in enumerate(lines, 1):
        text = line.text.strip()[:400]
        if _HEADER.match(text):
            report.names = tuple(name.rstrip(":") for name in text.split())
            report.reports += 1
        elif _CPU.match(text):
            report.names = ()
        elif _DATE.match(text):
            report.stamp = _stamp(text)
        elif text and not (not report.names and _SHARES.match(text)):
            row = _row(report, line, around)
            if row is None:
                break
            report.events.append(row)
        used = number if text else used
    return Block(max(used, 1), used, [*report.events])


def _row(report: _Report, line: Text, around: Around) -> DiskLoad | None:
    words = line.text[:400].split()
    if not report.names or len(words) != len(report.names):
        return None
    cells = dict(zip(report.names, words, strict=True))
    device = cells.pop("Device")
    if not _DEVICE.match(device) or not all(_NUMBER.match(word) for word in cells.values()):
        return None
    plain = {name: word.replace(",", ".").rstrip("%") for name, word in cells.items()}
    return DiskLoad(
        where=around.at(line._replace(stamp=report.stamp or line.stamp)),
        text=line.quoted,
        device=device,
        read=_rate(plain, ("rkB/s", "rMB/s", "kB_read/s", "MB_read/s"), line.ref),
        written=_rate(plain, ("wkB/s", "wMB/s", "kB_wrtn/s", "MB_wrtn/s"), line.ref),
        read_wait=count(plain.get("r_await", ""), line.ref, "ms"),
        busy=count(plain.get("%util", ""), line.ref, "percent"),
        since_boot=report.reports == 1 and not _passes_over_boot(around.command),
    )


def _rate(cells: dict[str, str], names: tuple[str, ...], line: Ref) -> Amount[Any] | None:
    """Bytes a second by the first of these columns that is there."""
    name = next((name for name in names if name in cells), "")
    return size(cells[name], line, bare=_UNITS["M" if "MB" in name else "k"]) if name else None


def _passes_over_boot(command: str) -> bool:
    """Whether the options leave the report since boot out."""
    _, name, options = command.partition("iostat")
    return bool(name) and any(word[:1] == "-" and "y" in word for word in options.split())


def _stamp(text: str) -> Stamp | None:
    """The time over a report; without its day where the order of the day's figures is not certain."""
    found = _DATE.match(text)
    if found is None:
        return None
    if found[2] is None:
        return moment(text)
    clock = moment(f"{found[2]} {found[3] or ''}")
    day = day_of(found[1], half_days=bool(found[3]))
    if clock is None or day is None:
        return clock
    return replace(clock, text=text, moment=datetime.combine(day, clock.moment.time()), dated=True)
