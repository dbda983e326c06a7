"""The line of `uptime`."""

from __future__ import annotations

from datetime import datetime

import pytest

from analyzer.events import ClockRead
from analyzer.evidence import Stamp
from tests.parsers.build_blocks import around, claims, facts, of, read
from tests.parsers.snapshots import SAMPLES


@pytest.mark.parametrize(
    "line", ["top - 15:54:13 up 39 min,  0 user,  load average: 5.40, 6.54, 5.38", "the load average is 5"]
)
def test_the_title_of_top_and_sentences_are_not_its(line: str) -> None:
    assert not claims("uptime", line)


def test_load_and_age_are_facts() -> None:
    assert facts(read("uptime", SAMPLES["uptime"])) == {"host.up": "39 min", "load.1min": "5.40"}


def test_the_clock_is_on_the_day_around_it() -> None:
    day = Stamp("2026-08-02 04:29:39", datetime(2026, 8, 2, 4, 29, 39))
    line = "uptime   :  04:29:40 up 21 days, 12:36,  0 user,  load average: 10.26, 11.71, 12.15"
    block = read("uptime", line, around(stamp=day))
    (clock,) = of(ClockRead, block)
    assert clock.where.stamp is not None
    assert clock.where.stamp.moment == datetime(2026, 8, 2, 4, 29, 40)
    assert facts(block)["host.up"] == "21 days, 12:36"
