"""Times as snapshots print them: ISO, ctime and `date` in several languages, HTTP and syslog forms."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta, timezone

from analyzer.evidence import Stamp
from analyzer.expression import lazy
from analyzer.layers import stamps

_CLOCK = lazy(r"(\d{1,2}):(\d\d):(\d\d)(?:[.,](\d{1,9}))?$")
_DAY = lazy(r"(\d{1,4})([-/.])(\d{1,2})\2(\d{2,4})$", re.ASCII)
_OFFSET = lazy(r"([+-])(\d\d):?(\d\d)?$")
_MONTHS = (
    "jan january ene enero janv janvier januar gen gennaio января янв 1月 01月",
    "feb february febrero févr février februar febbraio февраля фев 2月 02月",
    "mar march marzo mars mär märz марта мар 3月 03月",
    "apr april abr abril avr avril aprile апреля апр 4月 04月",
    "may mayo mai maggio мая май 5月 05月",
    "jun june junio juin juni giu giugno июня июн 6月 06月",
    "jul july julio juil juillet juli lug luglio июля июл 7月 07月",
    "aug august ago agosto août августа авг 8月 08月",
    "sep sept september septiembre septembre set settembre сентября сен 9月 09月",
    "oct october octubre octobre okt oktober ott ottobre октября окт 10月",
    "nov november noviembre novembre ноября ноя 11月",
    "dec december dic diciembre déc décembre dez dezember dicembre декабря дек 12月",
)
_MONTH = {word: number for number, words in enumerate(_MONTHS, 1) for word in words.split()}
_HALVES = {"am": 0, "pm": 12, "上午": 0, "下午": 12}
_LONGEST = 64
_OTHER_WORDS = 2  # a weekday and the name of a zone
_HALF_DAY = timedelta(hours=12)


@dataclass(slots=True)
class _Parts:
    """What the words of a time have told so far."""

    clock: re.Match[str] | None = None
    half: int | None = None
    year: int | None = None
    month: int | None = None
    day: int | None = None
    zone: timezone | None = None
    others: int = 0


def moment(text: str) -> Stamp | None:
    """The time that is the whole of `text`, or `None`; a time without its year counts as undated."""
    plain = text.strip()
    if not plain or len(plain) > _LONGEST:
        return None
    iso = stamps.iso(plain)
    try:
        return _of_iso(plain, iso) if iso else _of_words(plain)
    except ValueError:  # a 31st of February, a minute 75
        return None


def on_day_of(stamp: Stamp, near: Stamp | None) -> Stamp:
    """A time of day placed on the day that brings it nearest to a dated one; any other stamp as it is."""
    if stamp.dated or near is None or not near.dated:
        return stamp
    placed = datetime.combine(near.moment.date(), stamp.moment.time())
    if placed - near.moment > _HALF_DAY:
        placed -= timedelta(days=1)
    elif near.moment - placed > _HALF_DAY:
        placed += timedelta(days=1)
    return replace(stamp, moment=placed, dated=True, zone=near.zone)


def day_of(text: str, *, half_days: bool) -> date | None:
    """A day in figures, as sysstat prints it, where their order is certain: `03/04/2026` alone does not tell the month.

    With times of AM and PM (`half_days`) the month comes first.
    """
    found = _DAY.match(text)
    if found is None:
        return None
    first, second, third = int(found[1]), int(found[3]), int(found[4])
    year = third if len(found[4]) > 2 else 2000 + third  # noqa: PLR2004 - sysstat is of this century
    if len(found[1]) > 2:  # noqa: PLR2004
        parts = (first, second, third)
    elif found[2] == "." or first > 12:  # noqa: PLR2004 - no month has such a number
        parts = (year, second, first)
    elif half_days or second > 12 or first == second:  # noqa: PLR2004
        parts = (year, first, second)
    else:
        return None
    try:
        return date(*parts)
    except ValueError:  # a 31st of February
        return None


def zone_of(text: str) -> timezone | None:
    """`Z`, `UTC`, `GMT`, `+02:00`, `-0500`, `+02`; names of other zones are ambiguous and give `None`."""
    if text in {"Z", "UTC", "GMT"}:
        return UTC
    found = _OFFSET.match(text)
    if found is None:
        return None
    minutes = int(found[2]) * 60 + int(found[3] or 0)
    return timezone(timedelta(minutes=minutes if found[1] == "+" else -minutes))


def _of_iso(text: str, iso: Stamp) -> Stamp | None:
    rest = text[len(iso.text) :].strip()
    if not rest:
        return iso
    zone = zone_of(rest)
    return replace(iso, text=text, zone=zone) if zone else None


def _of_words(text: str) -> Stamp | None:
    parts = _Parts()
    for word in text.replace("年", " ").replace("日", " ").replace(",", " ").replace("月", "月 ").split():
        if not _take(word, parts):
            return None
    if parts.clock is None:
        return None
    hour, minute, second = (int(part) for part in parts.clock.groups()[:3])
    if parts.half is not None:
        hour = hour % 12 + parts.half
    day = (parts.year, parts.month, parts.day)
    if None in day:  # a syslog header has no year: its day alone would put it in the wrong one
        return Stamp(text, datetime(1900, 1, 1, hour, minute, second, _microseconds(parts.clock[4])), dated=False)
    when = datetime(parts.year or 1, parts.month or 1, parts.day or 1, hour, minute, second)
    return Stamp(text, when.replace(microsecond=_microseconds(parts.clock[4])), zone=parts.zone)


def _take(word: str, parts: _Parts) -> bool:
    lower = word.lower().rstrip(".")
    clock = _CLOCK.match(word)
    if clock is not None:
        parts.clock = clock
    elif lower in _HALVES:
        parts.half = _HALVES[lower]
    elif lower in _MONTH:
        parts.month = _MONTH[lower]
    elif word.isascii() and word.isdigit():
        return _number(word, parts)
    elif zone_of(word) is not None:
        parts.zone = zone_of(word)
    else:
        parts.others += 1
        return lower.isalpha() and parts.others <= _OTHER_WORDS
    return True


def _number(word: str, parts: _Parts) -> bool:
    if len(word) == 4 and parts.year is None:  # noqa: PLR2004 - four digits are a year
        parts.year = int(word)
    elif len(word) <= 2 and parts.day is None:  # noqa: PLR2004 - one or two are a day
        parts.day = int(word)
    else:
        return False
    return True


def _microseconds(fraction: str | None) -> int:
    return int((fraction or "0")[:6].ljust(6, "0"))
