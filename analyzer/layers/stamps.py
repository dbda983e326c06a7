"""Times as other programs print them, read into `Stamp`s; a text that names no full time gives `None`."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from functools import lru_cache

from analyzer.evidence import Stamp
from analyzer.expression import lazy_regex

ISO = r"\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?"

_ISO = lazy_regex(r"(\d{4})[-/](\d\d)[-/](\d\d)[T ](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9}))?(Z|[+-]\d\d:?\d\d)?")
_CLOCK = lazy_regex(r"(\d{1,2}):(\d\d):(\d\d)(?:[.,](\d{1,9}))?")
_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "jan ene gen janv",
            "feb fév févr febr",
            "mar mär mars mrz márz",
            "apr abr avr avril",
            "may mai mag maj",
            "jun giu juin",
            "jul lug juil",
            "aug ago août",
            "sep set sept",
            "oct okt ott",
            "nov",
            "dec dez dic déc",
        ),
        start=1,
    )
    for name in names.split()
}
_DAY_TIME = lazy_regex(r"(\p{L}{3,5})\.? +(\d{1,2}) (\d\d:\d\d:\d\d(?:\.\d+)?)")
_AT = lazy_regex(r"(\p{L}{3}) (\d{1,2}), (\d{4}) @ (\d\d:\d\d:\d\d(?:\.\d+)?)")
_AMERICAN = lazy_regex(r"(\d{1,2})/(\d{1,2})/(\d{4}), (\d{1,2}):(\d\d):(\d\d)(?:\.(\d{1,9}))? ([AP])M")
_CTIME = lazy_regex(
    r"\p{L}{2,4}\.? +(?:(\p{L}{3,5})\.? +(\d{1,2})|(\d{1,2})\.? +(\p{L}{3,5})\.?) +(\d\d:\d\d:\d\d)"
    r"(?: (AM|PM))?(?: ([A-Z]{2,5}|[+-]\d{2,4}))? (\d{4})"
)
_ZONES = {"UTC": UTC, "GMT": UTC}
_EPOCH_LEAST, _EPOCH_MOST = 946_684_800, 4_102_444_800  # 2000 to 2100, in seconds
_LONGEST_EPOCH = 30  # characters: nanoseconds with a fraction; far more are infinite as a float
_NOON = 12


@lru_cache(maxsize=64)
def iso(text: str) -> Stamp | None:
    """`2025-08-12T10:00:00.123Z`, `2025-08-12 10:00:00,123`, an offset or none."""
    found = _ISO.match(text)
    if not found:
        return None
    year, month, day, hour, minute, second, fraction, zone = found.groups()
    moment = _moment((year, month, day), (hour, minute, second), fraction)
    return Stamp(found[0], moment, zone=_zone(zone)) if moment else None


def clock(text: str) -> Stamp | None:
    """`09:01:10` alone: a time without a date."""
    found = _CLOCK.match(text)
    if not found:
        return None
    hour, minute, second, fraction = found.groups()
    moment = _moment(("1900", "1", "1"), (hour, minute, second), fraction)
    return Stamp(found[0], moment, dated=False) if moment else None


def day_time(text: str, year: int | None) -> Stamp | None:
    """`Jul 21 03:00:00`, as syslog prints it. Without a `year` from elsewhere it counts as undated."""
    found = _DAY_TIME.match(text)
    month = _MONTHS.get(found[1].lower()) if found else None
    if not found or not month:
        return None
    time = clock(found[3])
    if time is None or year is None:
        return time and Stamp(found[0], time.moment, dated=False)
    try:
        return Stamp(found[0], time.moment.replace(year=year, month=month, day=int(found[2])))
    except ValueError:
        return None


def at_time(text: str) -> Stamp | None:
    """`May 16, 2026 @ 19:00:00.000`, as Kibana exports it."""
    found = _AT.match(text)
    return _spelled(found[0], found[1], found[2], found[3], found[4]) if found else None


def american(text: str) -> Stamp | None:
    """`2/17/2026, 7:00:00.123 PM`, as Azure's portal exports it where it speaks American English."""
    found = _AMERICAN.fullmatch(text)
    if not found:
        return None
    month, day, year, hour, minute, second, fraction, half = found.groups()
    hours = int(hour) % _NOON + (_NOON if half == "P" else 0)
    moment = _moment((year, month, day), (str(hours), minute, second), fraction)
    return Stamp(text, moment) if moment else None


def ctime(text: str) -> Stamp | None:
    """`Tue Jul 21 03:20:31 2026` and `Fri Dec 19 14:23:21 UTC 2025`, as `date` prints them."""
    found = _CTIME.search(text)
    if not found:
        return None
    stamp = _spelled(found[0], found[1] or found[4], found[2] or found[3], found[8], found[5])
    if stamp is None:
        return None
    moment = stamp.moment
    if found[6]:
        moment = moment.replace(hour=moment.hour % _NOON + (_NOON if found[6] == "PM" else 0))
    return Stamp(stamp.text, moment, zone=_ZONES.get(found[7] or "") or _zone(found[7]))


def epoch(number: str) -> Stamp | None:
    """Seconds since 1970, or milli-, micro- or nanoseconds, told apart by size."""
    if len(number) > _LONGEST_EPOCH or not number.isascii() or not number.replace(".", "", 1).isdigit():
        return None
    seconds = float(number)
    while seconds > _EPOCH_MOST:
        seconds /= 1000
    if seconds < _EPOCH_LEAST:
        return None
    return Stamp(number, datetime.fromtimestamp(seconds, UTC).replace(tzinfo=None), zone=UTC)


def _spelled(text: str, month: str, day: str, year: str, time: str) -> Stamp | None:
    number = _MONTHS.get(month.lower())
    clock_part = clock(time)
    if not number or clock_part is None:
        return None
    try:
        return Stamp(text, clock_part.moment.replace(year=int(year), month=number, day=int(day)))
    except ValueError:
        return None


def _moment(date: tuple[str, str, str], time: tuple[str, str, str], fraction: str | None) -> datetime | None:
    year, month, day = map(int, date)
    hour, minute, second = map(int, time)
    micro = int((fraction or "0")[:6].ljust(6, "0"))
    try:
        return datetime(year, month, day, hour, minute, second, micro)
    except ValueError:
        return None


def _zone(text: str | None) -> timezone | None:
    if not text:
        return None
    if text == "Z":
        return UTC
    digits = text[1:].replace(":", "").ljust(4, "0")
    if not digits.isdigit():
        return None
    offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:4]))
    return timezone(-offset if text[0] == "-" else offset) if offset < timedelta(days=1) else None
