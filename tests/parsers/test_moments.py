"""Times as snapshots print them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from analyzer.evidence import Stamp
from analyzer.parsers.moments import moment, on_day_of, zone_of


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "2026",
        "May 15",
        "10:10:10 the quick brown fox",
        "2026-02-31 10:00:00",
        "Thu Aug 27 25:57:57 2026",
        "x" * 99,
    ],
)
def test_what_is_no_time_gives_none(text: str) -> None:
    assert moment(text) is None


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("Thu Aug 27 20:57:57 2026", datetime(2026, 8, 27, 20, 57, 57)),
        ("五 5月 15 17:19:17 2026", datetime(2026, 5, 15, 17, 19, 17)),
        ("2026年 05月 15日 星期五 17:19:17 CST", datetime(2026, 5, 15, 17, 19, 17)),
        ("vie 15 may 2026 17:19:17 CEST", datetime(2026, 5, 15, 17, 19, 17)),
        ("2026-09-01T05:34:58,123456+02:00", datetime(2026, 9, 1, 5, 34, 58, 123456)),
    ],
)
def test_the_day_is_read_in_several_languages(text: str, when: datetime) -> None:
    stamp = moment(text)
    assert stamp is not None
    assert (stamp.moment, stamp.dated) == (when, True)


def test_the_afternoon_is_twelve_hours_later() -> None:
    stamp = moment("Mon Aug  3 10:51:16 PM UTC 2026")
    assert stamp is not None
    assert stamp.moment.hour == 10 + 12


@pytest.mark.parametrize(
    ("text", "zone"),
    [
        ("Fri Dec 19 14:23:21 UTC 2025", UTC),
        ("Fri, 20 Mar 2026 01:40:18 GMT", UTC),
        ("2026-08-02 04:29:39 +0000", timezone(timedelta(0))),
        ("Mon, 27 Apr 2026 03:20:51 -0530", timezone(-timedelta(hours=5, minutes=30))),
        ("Fri Dec 19 14:23:21 CST 2025", None),
    ],
)
def test_only_unambiguous_zones_are_kept(text: str, zone: timezone | None) -> None:
    stamp = moment(text)
    assert stamp is not None
    assert stamp.zone == zone


@pytest.mark.parametrize("text", ["15:54:13", "Jul 21 15:54:13"])
def test_a_time_without_its_year_is_undated(text: str) -> None:
    stamp = moment(text)
    assert stamp is not None
    assert (stamp.moment, stamp.dated) == (datetime(1900, 1, 1, 15, 54, 13), False)


@pytest.mark.parametrize(("near", "day"), [("2026-02-17 00:01:00", 16), ("2026-02-17 22:00:00", 17)])
def test_a_time_of_day_goes_to_the_nearest_day(near: str, day: int) -> None:
    time = Stamp("23:59:00", datetime(1900, 1, 1, 23, 59), dated=False)
    placed = on_day_of(time, moment(near))
    assert (placed.moment, placed.dated) == (datetime(2026, 2, day, 23, 59), True)


def test_a_time_of_day_stays_undated_without_a_dated_neighbour() -> None:
    time = Stamp("23:59:00", datetime(1900, 1, 1, 23, 59), dated=False)
    assert on_day_of(time, None) is time


def test_zones_by_name_other_than_utc_are_ambiguous() -> None:
    assert [zone_of(text) for text in ("Z", "+02", "CST")] == [UTC, timezone(timedelta(hours=2)), None]
