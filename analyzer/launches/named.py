"""The time that a file's name tells: `free-20260217-101241.txt`, `2026-02-17T10:12/ps.txt`, `vmstat.1771323161`."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timezone
from typing import NamedTuple

from analyzer.evidence import Stamp

_DATED = re.compile(
    r"(?:^|\D)(20\d\d)[-_.]?(0[1-9]|1[0-2])[-_.]?(0[1-9]|[12]\d|3[01])[T_ .-]{1,3}([01]\d|2[0-3])[-_:.h]?([0-5]\d)"
    r"(?:[-_:.m]?([0-5]\d))?(Z)?(?:\D|$)"
)
_EPOCH = re.compile(r"(?:^|\D)(1[5-9]\d{8})(?:\D|$)")  # 2017 to 2033
_PARTS = 2  # the file, and the folder it lies in
_MINUTE, _SECOND = 60.0, 1.0


class Named(NamedTuple):
    """A time with how far it may be off, in seconds: a name may leave the seconds out."""

    stamp: Stamp
    slack: float


def named_time(source: str) -> Named | None:
    """What the name of a file, or of the folder it lies in, says; a date alone is no time."""
    for part in reversed(source.replace("!", "/").split("/")[-_PARTS:]):
        dated, epoch = _DATED.search(part), _EPOCH.search(part)
        if dated:
            return _dated(dated)
        if epoch:
            moment = datetime.fromtimestamp(int(epoch[1]), UTC).replace(tzinfo=None)
            return Named(Stamp(epoch[1], moment, zone=UTC), _SECOND)
    return None


def _dated(found: re.Match[str]) -> Named | None:
    year, month, day, hour, minute, second = (int(part or 0) for part in found.groups()[:6])
    zone: timezone | None = UTC if found[7] else None
    try:
        moment = datetime(year, month, day, hour, minute, second)
    except ValueError:  # a 31st of February
        return None
    text = found[0].strip("-_. /")
    return Named(Stamp(text, moment, zone=zone), _SECOND if found[6] else _MINUTE)
