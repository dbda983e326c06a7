"""Whether pools are being filled, and how long that takes at the pace seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from analyzer.diagnose.outcome import Judgement, outcome_of
from analyzer.events import Failure, ProbeFailed
from analyzer.ledgers.host_pinning import Filling, filling, pinning_times
from analyzer.vocabulary import Outcome
from tests.build import incident, launch, size, where
from tests.rules.host_facts import memory, pools

if TYPE_CHECKING:
    from analyzer.events import Event, MemorySnapshot


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


def times(*events: Event, looks: tuple[MemorySnapshot, ...] = ()) -> list[float]:
    made = incident(launch(*pools("100.00"), *events, outside=looks, values={"tp_size": 8}))
    return [time.number() for time in pinning_times(made)]


def test_what_is_usual_for_the_size_is_waited_for() -> None:
    # the slowest published rank pins 16 GB in 33 s, about 0.5 GB/s: 100 GB in about 200 s
    [usual] = times()
    assert 190 <= usual <= 210


def test_a_pace_that_is_seen_is_waited_for() -> None:
    looks = (memory("1007", "900", "10:07:00"), memory("1007", "840", "10:08:00"))
    assert times(looks=looks)[1] == pytest.approx(745, abs=0.5)


def test_a_rank_that_speaks_to_its_storage_is_done_with_pinning() -> None:
    retry = Failure(where=where(60, "10:08:00"), topic="dependency-unreachable", text="Failed to connect to master")
    assert times(retry) == []


def outcome(*looks: Event, gigabytes: str = "100.00", quiet: bool = False) -> Outcome:
    gave_up = ProbeFailed(where=where(1, "10:12:41", source="notes.txt"), gave_up=True, waited=size("600 s"))
    made = incident(launch(*pools(gigabytes), outside=(*looks, gave_up), values={"tp_size": 8}))
    return outcome_of(made, Judgement(explains_quiet=quiet)).outcome


def test_pools_that_fill_when_a_probe_gives_up_are_slow_and_do_not_hang() -> None:
    # 359 s after the announcement, of 745 s at this pace; the usual 200 s, and four minutes, are over
    assert outcome() is Outcome.LAUNCH_HUNG
    assert outcome(memory("1007", "900", "10:07:00"), memory("1007", "840", "10:08:00")) is Outcome.LAUNCH_SLOW


def test_pools_that_cannot_be_granted_hang_long_before_pinning_would_be_over() -> None:
    # 300 GB may take 600 s, and 359 have passed
    assert outcome(gigabytes="300.00", quiet=True) is Outcome.LAUNCH_HUNG
    assert outcome(gigabytes="300.00") is Outcome.LAUNCH_SLOW
