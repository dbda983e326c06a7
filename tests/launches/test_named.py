"""Times in names of files and folders."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from analyzer.launches.named import named_time


@pytest.mark.parametrize(
    "name",
    [
        "free.txt",
        "free-20260217.txt",
        "node-10-12-41.txt",
        "job.88121.1771.out",
        "20269917-101241.txt",
        "free-20260231-101241.txt",
        "a20260217101241b.txt",
        "2026-02-17T10:12/logs/free.txt",
    ],
)
def test_a_date_alone_a_number_or_a_folder_further_up_tells_no_time(name: str) -> None:
    assert named_time(name) is None


@pytest.mark.parametrize(
    ("name", "moment", "slack"),
    [
        ("free-20260217-101241.txt", datetime(2026, 2, 17, 10, 12, 41), 1),
        ("ps_2026-02-17_10-12-41.log", datetime(2026, 2, 17, 10, 12, 41), 1),
        ("meminfo.2026-02-17T10:12:41", datetime(2026, 2, 17, 10, 12, 41), 1),
        ("free 2026-02-17 10.12.txt", datetime(2026, 2, 17, 10, 12), 60),
        ("bundle.tar.gz!2026-02-17_1012/free.txt", datetime(2026, 2, 17, 10, 12), 60),
    ],
)
def test_a_date_with_a_time_of_day_is_read(name: str, moment: datetime, slack: float) -> None:
    named = named_time(name)
    assert named is not None
    assert (named.stamp.moment, named.stamp.zone, named.slack) == (moment, None, slack)


def test_seconds_since_1970_and_a_z_are_universal_time() -> None:
    for name in ("vmstat.1771323161", "free-20260217T101241Z.txt"):
        named = named_time(name)
        assert named is not None
        assert (named.stamp.moment, named.stamp.zone) == (datetime(2026, 2, 17, 10, 12, 41), UTC)
