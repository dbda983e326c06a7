"""Lines that are nothing but a time."""

from __future__ import annotations

from datetime import datetime

import pytest

from analyzer.events import ClockRead
from tests.parsers.build_blocks import claims, of, read


@pytest.mark.parametrize(
    "line",
    [
        "on Fri Dec 19 14:23:21 2025 it hung",
        "2025-12-19",
        "14:23:21",
        "Dec 19 14:23:21 server started",
        "date: unknown 2025",
    ],
)
def test_parts_of_times_and_sentences_are_no_clock(line: str) -> None:
    assert not claims("date", line)


@pytest.mark.parametrize(
    "line",
    [
        "Fri Dec 19 14:23:21 UTC 2025",
        "Fri Dec 19 02:23:21 PM UTC 2025",
        "2025-12-19T14:23:21+00:00",
        "date     : 2025-12-19 14:23:21 +0000",
    ],
)
def test_a_clock_is_read_in_several_forms(line: str) -> None:
    (clock,) = of(ClockRead, read("date", line))
    assert clock.where.stamp is not None
    assert (clock.where.stamp.moment, clock.where.direct) == (datetime(2025, 12, 19, 14, 23, 21), True)
