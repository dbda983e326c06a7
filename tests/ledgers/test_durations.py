"""Rates, budgets, and how long silence may mean nothing."""

from __future__ import annotations

import pytest

from analyzer.events import GraphCaptureBegun, HostPoolAnnounced, KernelCompile, ProbeFailed, ProbeSettings, ServerReady
from analyzer.ledgers.durations import between, budget, load, patience, stands_still
from analyzer.vocabulary import Phase
from tests.build import incident, instant, launch, ref, size, tp, where
from tests.rules.test_slow_weight_load import LOAD, frame

CAPTURE = GraphCaptureBegun(where=where(10, "10:05:00", tp(0)))


def test_a_draft_model_s_small_bar_does_not_hide_the_large_one() -> None:
    shards = load(incident(launch(LOAD, frame(98, 163, 2165), frame(1, 1, 3, 9))))
    assert shards is not None
    assert shards.total.number() == 163
    assert shards.each.number() == pytest.approx(2165 / 98)


def test_the_rest_of_a_load_follows_from_its_rate() -> None:
    shards = load(incident(launch(LOAD, frame(50, 150, 1000))))
    assert shards is not None
    assert shards.whole.number() == 3000
    assert shards.left.number() == 2000


def test_the_time_between_two_lines_has_both_as_its_lines() -> None:
    took = between((instant("10:00:00"), ref(1)), (instant("10:06:40"), ref(9)), "took")
    assert took.number() == 400
    assert took.slack == 2  # a second of either stamp


def test_a_probe_s_budget_is_its_delay_and_its_failures() -> None:
    settings = ProbeSettings(
        where=where(1), probe="startup", delay=size("60 s"), period=size("30 s"), failures=size("18 count")
    )
    allowed = budget(settings)
    assert allowed is not None
    assert allowed.number() == 600


def test_settings_without_a_period_give_no_budget() -> None:
    assert budget(ProbeSettings(where=where(1), probe="startup", failures=size("18 count"))) is None


@pytest.mark.parametrize(
    ("events", "phase", "seconds"),
    [
        ((CAPTURE,), Phase.GRAPH_CAPTURE, 600),
        ((CAPTURE, KernelCompile(where=where(11, "10:05:10", tp(0)))), Phase.GRAPH_CAPTURE, 1800),
        ((LOAD,), Phase.WEIGHT_LOAD, 2400),
        ((LOAD, frame(100, 200, 100)), Phase.WEIGHT_LOAD, 240),  # 20 shards of 1 s are less
        ((LOAD, frame(10, 200, 500)), Phase.WEIGHT_LOAD, 1000),  # 20 shards of 50 s
        ((HostPoolAnnounced(where=where(9, "10:05:00", tp(0)), size=size("300.00 GB")),), Phase.HOST_POOL, 600),
        ((), None, 240),
    ],
)
def test_each_phase_may_be_quiet_for_its_own_time(
    events: tuple[object, ...], phase: Phase | None, seconds: int
) -> None:
    assert patience(incident(launch(*events)), phase).number() == seconds  # type: ignore[arg-type]


def test_an_idle_server_does_not_stand_still() -> None:
    ready = ServerReady(where=where(20, "10:06:00"))
    assert not stands_still(incident(launch(CAPTURE, ready), as_of="13:00:00"))


def test_a_server_that_answers_no_probe_any_more_does() -> None:
    ready = ServerReady(where=where(20, "10:06:00"))
    probes = [ProbeFailed(where=where(i, f"10:3{i}:00", source="curl.txt"), probe="curl") for i in range(2)]
    assert stands_still(incident(launch(CAPTURE, ready, outside=probes)))
    assert not stands_still(incident(launch(CAPTURE, ready, outside=probes[:1])))


def test_a_launch_beyond_its_patience_does() -> None:
    assert stands_still(incident(launch(CAPTURE), as_of="10:15:00"))
