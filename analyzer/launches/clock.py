"""Stamps to instants: dates for time-only headers, zones for zoned ones, on one clock per input."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from analyzer.evidence import Instant, Stamp
from analyzer.layers.stamps import day_time

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from analyzer.parsers.parsed import Parsed

_EPOCH = datetime(1970, 1, 1)
_HALF_DAY = 12 * 3600.0
_FIRST, _LAST = ((end - _EPOCH).total_seconds() for end in (datetime(1, 1, 2), datetime(9999, 12, 31)))


def seconds(moment: datetime) -> float:
    """Seconds since 1970-01-01 of the clock that printed this naive moment."""
    return (moment - _EPOCH).total_seconds()


def printed(value: float) -> str:
    """The other way: an instant as that clock would print it, without a day where the input knows none.

    A moment beyond the calendar's ends, as a sum of a time and a length may be, is the end.
    """
    moment = _EPOCH + timedelta(seconds=min(max(value, _FIRST), _LAST))
    return moment.strftime("%H:%M:%S" if moment.year == _EPOCH.year else "%Y-%m-%d %H:%M:%S")


class Clock:
    """Turns the stamps of one source into instants, in the order in which they stand.

    A time-only stamp takes the day of the dated stamp nearest to it (`anchor`), or 1970-01-01 where the whole input
    has no date, and moves to the next day when the time of day falls back by half a day (midnight). A zoned stamp is
    read on the naive log's clock: as UTC, or as the local time it prints, whichever lies nearer to that log. A stamp
    that lacks its year, as syslog's does, is of the one in which it lies nearest to the anchor.
    """

    def __init__(self, anchor: float | None, naive_span: tuple[float, float] | None, zone: timezone | None) -> None:
        """`naive_span`: first and last second of the zone-less logs; `zone`: given for them by the user."""
        self._anchor = anchor
        self._span = naive_span
        self._zone = zone
        self._day = 0.0
        self._last: float | None = None

    def instant(self, stamp: Stamp | None) -> Instant | None:
        """The instant of the next stamp of this source; one second of slack for whole-second stamps."""
        if stamp is None:
            return None
        slack = 0.001 if stamp.moment.microsecond else 1.0
        if not stamp.dated:
            named = self._of_year(stamp)
            return Instant(named if named is not None else self._dated(stamp.moment), slack)
        if stamp.zone is not None:
            return Instant(self._zoned(stamp), slack)
        return Instant(seconds(stamp.moment), slack)

    def _of_year(self, stamp: Stamp) -> float | None:
        """The moment of a stamp that lacks only its year: in the year in which it is nearest to the anchor."""
        if self._anchor is None or not stamp.text[:1].isalpha():
            return None
        year = (_EPOCH + timedelta(seconds=self._anchor)).year
        made = (day_time(stamp.text, near) for near in (year - 1, year, year + 1))
        moments = [seconds(one.moment) for one in made if one is not None and one.dated]
        if not moments:
            return None
        nearest = min(moments, key=lambda moment: abs(moment - (self._anchor or 0)))
        self._last = nearest % 86400
        self._day = nearest - self._last
        return nearest

    def _dated(self, moment: datetime) -> float:
        of_day = seconds(datetime(1970, 1, 1, moment.hour, moment.minute, moment.second))
        if self._last is None and self._anchor is not None:
            base = self._anchor - self._anchor % 86400
            self._day = min((base - 86400, base, base + 86400), key=lambda d: abs(d + of_day - (self._anchor or 0)))
        elif self._last is not None and self._last - of_day > _HALF_DAY:
            self._day += 86400
        self._last = of_day
        return self._day + of_day

    def _zoned(self, stamp: Stamp) -> float:
        offset = (stamp.zone or UTC).utcoffset(None).total_seconds()
        local = seconds(stamp.moment)
        if self._zone is not None:
            return local - offset + self._zone.utcoffset(None).total_seconds()
        if self._span is None:
            return local - offset
        return min((local - offset, local), key=lambda v: _distance(v, self._span))


def _distance(value: float, span: tuple[float, float] | None) -> float:
    if span is None or span[0] <= value <= span[1]:
        return 0.0
    return min(abs(value - span[0]), abs(value - span[1]))


def naive_span(sources: Sequence[Parsed]) -> tuple[float, float] | None:
    """First and last second of all dated stamps without a zone."""
    found = [seconds(s.moment) for s in _stamps(sources) if s.dated and s.zone is None]
    return (min(found), max(found)) if found else None


def anchor(sources: Sequence[Parsed]) -> float | None:
    """A dated moment of the input, for sources that print times of day only."""
    span = naive_span(sources)
    if span:
        return span[1]
    zoned = [seconds(s.moment) for s in _stamps(sources) if s.dated]
    return max(zoned) if zoned else None


def _stamps(sources: Iterable[Parsed]) -> Iterable[Stamp]:
    for source in sources:
        for event in source.events:
            if event.where.stamp is not None and event.where.direct:
                yield event.where.stamp
        yield from (s for s in (source.first, source.last) if s is not None)


def parse_zone(text: str, at: float | None = None) -> timezone | None:
    """`+08:00`, `UTC`, `-0500` or a name as `Europe/Berlin`, the last as it holds at the second `at` of its own clock.

    `None` for anything else.
    """
    plain = text.strip().upper().replace(":", "")
    if plain in {"UTC", "Z", "GMT"}:
        return UTC
    if len(plain) == 5 and plain[0] in "+-" and plain[1:].isdigit():  # noqa: PLR2004 - sign and four digits
        minutes = int(plain[1:3]) * 60 + int(plain[3:])
        return timezone(timedelta(minutes=minutes if plain[0] == "+" else -minutes))
    return _named(text.strip(), at)


def _named(name: str, at: float | None) -> timezone | None:
    try:
        offset = ZoneInfo(name).utcoffset(_EPOCH + timedelta(seconds=at or 0.0))
    except (ZoneInfoNotFoundError, ValueError, OSError, OverflowError):
        return None
    return timezone(offset) if offset is not None else None
