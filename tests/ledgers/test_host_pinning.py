"""Whether pools are being filled, and how long that takes at the pace seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from analyzer.ledgers.host_pinning import Filling, filling
from tests.build import incident, launch
from tests.rules.host_facts import memory, pools

if TYPE_CHECKING:
    from analyzer.events import MemorySnapshot


def pace(*looks: MemorySnapshot) -> Filling | None:
    return filling(incident(launch(*pools("100.00"), outside=looks, values={"tp_size": 8})))


def test_one_look_shows_no_pace() -> None:
    assert pace(memory("1007", "900", "10:07:00")) is None


def test_looks_from_before_the_pools_do_not_count() -> None:
    assert pace(memory("1007", "990", "10:05:00"), memory("1007", "900", "10:07:00")) is None


def test_a_host_that_stands_still_fills_nothing() -> None:
    assert pace(memory("1007", "500", "10:07:00"), memory("1007", "500", "10:08:00")) is None


def test_a_host_that_stopped_filling_fills_nothing() -> None:
    looks = (memory("1007", "900", "10:07:00"), memory("1007", "500", "10:08:00"), memory("1007", "500", "10:09:00"))
    assert pace(*looks) is None


def test_a_steady_pace_tells_how_long_all_of_it_takes() -> None:
    # 60 GiB in 60 s; 8 × 100 GB = 745.06 GiB take 745 s
    found = pace(memory("1007", "900", "10:07:00"), memory("1007", "840", "10:08:00"))
    assert found is not None
    assert found.needed == pytest.approx(745.06, abs=0.01)
