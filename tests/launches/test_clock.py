"""Stamps become instants on one clock."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

from analyzer.evidence import Stamp
from analyzer.launches.clock import Clock, parse_zone, printed, seconds

NOON = seconds(datetime(2026, 2, 17, 12, 0, 0))
DAY = 86400.0


def of_day(text: str) -> Stamp:
    hour, minute, second = map(int, text.split(":"))
    return Stamp(text, datetime(1900, 1, 1, hour, minute, second), dated=False)


def test_a_dated_stamp_is_seconds_of_its_own_clock() -> None:
    instant = Clock(None, None, None).instant(Stamp("x", datetime(2026, 2, 17, 12, 0, 5)))
    assert instant is not None
    assert instant.seconds == NOON + 5


def test_nothing_printed_gives_no_instant() -> None:
    assert Clock(None, None, None).instant(None) is None


def test_a_time_of_day_takes_the_day_nearest_to_the_dated_part_of_the_input() -> None:
    instant = Clock(NOON, None, None).instant(of_day("11:59:00"))
    assert instant is not None
    assert instant.seconds == NOON - 60


def test_midnight_moves_a_time_of_day_to_the_next_day() -> None:
    clock = Clock(None, None, None)
    before, after = clock.instant(of_day("23:59:50")), clock.instant(of_day("00:00:10"))
    assert before is not None
    assert after is not None
    assert after.seconds - before.seconds == 20


def test_a_small_step_back_is_no_midnight() -> None:
    clock = Clock(None, None, None)
    first, second = clock.instant(of_day("10:00:01")), clock.instant(of_day("10:00:00"))
    assert first is not None
    assert second is not None
    assert second.seconds - first.seconds == -1


def test_a_zoned_stamp_is_utc_where_that_lies_nearer_to_the_log() -> None:
    east = timezone(timedelta(hours=8))
    stamp = Stamp("2026-02-17T20:00:00+08:00", datetime(2026, 2, 17, 20, 0, 0), zone=east)
    instant = Clock(None, (NOON - 60, NOON + 60), None).instant(stamp)
    assert instant is not None
    assert instant.seconds == NOON  # 20:00 at +08:00 is 12:00 UTC


def test_a_zoned_stamp_is_local_where_the_log_is_local() -> None:
    east = timezone(timedelta(hours=8))
    stamp = Stamp("2026-02-17T12:00:00+08:00", datetime(2026, 2, 17, 12, 0, 0), zone=east)
    instant = Clock(None, (NOON - 60, NOON + 60), None).instant(stamp)
    assert instant is not None
    assert instant.seconds == NOON


def test_a_given_zone_decides() -> None:
    stamp = Stamp("2026-02-17T12:00:00Z", datetime(2026, 2, 17, 12, 0, 0), zone=UTC)
    instant = Clock(None, (NOON, NOON), parse_zone("+02:00")).instant(stamp)
    assert instant is not None
    assert instant.seconds == NOON + 2 * 3600


def test_zones_are_read_in_their_usual_spellings() -> None:
    assert parse_zone("UTC") == UTC
    assert parse_zone("-05:30") == timezone(-timedelta(hours=5, minutes=30))
    assert parse_zone("Berlin") is None


def test_a_named_zone_is_read_as_it_holds_at_the_time() -> None:
    february, july = seconds(datetime(2026, 2, 17)), seconds(datetime(2026, 7, 17))
    assert parse_zone("Europe/Berlin", february) == timezone(timedelta(hours=1))
    assert parse_zone("Europe/Berlin", july) == timezone(timedelta(hours=2))
    assert parse_zone("../etc/passwd") is None


def test_an_instant_is_printed_as_its_clock_prints_it() -> None:
    assert printed(NOON + DAY) == "2026-02-18 12:00:00"


def test_an_instant_beyond_the_calendar_is_its_end() -> None:
    assert printed(1e18) == "9999-12-31 00:00:00"
    assert printed(-1e18).endswith("1-01-02 00:00:00")


def test_a_stamp_that_lacks_its_year_is_of_the_year_in_which_it_lies_nearest() -> None:
    clock = Clock(NOON, None, None)
    for text, when in (
        ("Feb 17 11:59:00", datetime(2026, 2, 17, 11, 59)),
        ("Nov 17 11:59:00", datetime(2025, 11, 17, 11, 59)),
        ("Feb 29 11:59:00", None),  # no such day near: the time alone counts
    ):
        instant = clock.instant(Stamp(text, datetime(1900, 1, 1, 11, 59), dated=False))
        assert instant is not None
        assert when is None or instant.seconds == seconds(when)
