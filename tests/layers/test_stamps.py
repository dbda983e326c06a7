"""Times of other programs are read as they were printed; what names no time gives none."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.layers import stamps


@pytest.mark.parametrize(
    "text", ["", "2025-13-01 10:00:00", "2025-08-12", "10:00", "2025-08-12 25:00:00", "x 2025-08-12 10:00:00"]
)
def test_what_is_no_time_gives_none(text: str) -> None:
    assert stamps.iso(text) is None


@pytest.mark.parametrize(
    ("text", "moment", "zone"),
    [
        ("2025-08-12T10:00:00.000731417Z", datetime(2025, 8, 12, 10, 0, 0, 731), UTC),
        ("2025-08-12 10:00:00,123", datetime(2025, 8, 12, 10, 0, 0, 123000), None),
        ("2025-08-12T10:00:00+02:00", datetime(2025, 8, 12, 10), timezone(timedelta(hours=2))),
        ("2025-08-12T10:00:00-0530", datetime(2025, 8, 12, 10), timezone(-timedelta(hours=5, minutes=30))),
    ],
)
def test_iso_times_keep_fraction_and_zone(text: str, moment: datetime, zone: timezone | None) -> None:
    stamp = stamps.iso(text)
    assert stamp is not None
    assert (stamp.moment, stamp.zone, stamp.dated, stamp.text) == (moment, zone, True, text)


def test_a_clock_alone_is_undated() -> None:
    stamp = stamps.clock("09:01:10")
    assert stamp is not None
    assert (stamp.moment, stamp.dated) == (datetime(1900, 1, 1, 9, 1, 10), False)


@pytest.mark.parametrize("text", ["Jul 21 03:00:00", "jul 21 03:00:00", "juil. 21 03:00:00"])
def test_a_syslog_time_takes_the_year_from_elsewhere(text: str) -> None:
    stamp = stamps.day_time(text, 2026)
    assert stamp is not None
    assert stamp.moment == datetime(2026, 7, 21, 3)


def test_a_syslog_time_without_a_year_is_undated() -> None:
    stamp = stamps.day_time("Jul 21 03:00:00", None)
    assert stamp is not None
    assert (stamp.moment, stamp.dated) == (datetime(1900, 1, 1, 3), False)


def test_the_29th_of_february_of_a_common_year_is_no_time() -> None:
    assert stamps.day_time("Feb 29 03:00:00", 2025) is None


def test_kibanas_time_is_read() -> None:
    stamp = stamps.at_time("May 16, 2026 @ 19:00:00.250")
    assert stamp is not None
    assert stamp.moment == datetime(2026, 5, 16, 19, 0, 0, 250000)


@pytest.mark.parametrize(
    ("text", "moment", "zone"),
    [
        ("Tue Jul 21 03:20:31 2026", datetime(2026, 7, 21, 3, 20, 31), None),
        ("Fri Dec 19 14:23:21 UTC 2025", datetime(2025, 12, 19, 14, 23, 21), UTC),
        ("Tue Nov  4 12:00:05 AM CET 2025", datetime(2025, 11, 4, 0, 0, 5), None),
    ],
)
def test_the_output_of_date_is_read(text: str, moment: datetime, zone: timezone | None) -> None:
    stamp = stamps.ctime(text)
    assert stamp is not None
    assert (stamp.moment, stamp.zone) == (moment, zone)


@pytest.mark.parametrize("number", ["1780678800", "1780678800000", "1780678800000000", "1780678800000000000"])
def test_seconds_since_1970_are_told_from_their_fractions_by_size(number: str) -> None:
    stamp = stamps.epoch(number)
    assert stamp is not None
    assert stamp.moment == datetime(2026, 6, 5, 17, 0)  # 1780678800 = 20609 days and 17 hours


@pytest.mark.parametrize("number", ["42", "-1", "1e9", "", "abc", "9" * 400])
def test_a_number_that_is_no_time_of_this_century_is_none(number: str) -> None:
    assert stamps.epoch(number) is None


@given(st.text(max_size=60))
def test_no_text_breaks_a_reader(text: str) -> None:
    for read in (stamps.iso, stamps.clock, stamps.at_time, stamps.ctime, stamps.epoch):
        read(text)
    stamps.day_time(text, 2026)
