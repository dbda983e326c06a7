"""The order of a launch and how long it may take."""

from __future__ import annotations

import pytest

from analyzer.knowledge.phases import phase_order, usual_duration, usual_pinning
from analyzer.knowledge.release import UNKNOWN, Release
from analyzer.units import Given, given
from analyzer.vocabulary import Phase


@pytest.mark.parametrize("release", [UNKNOWN, Release.of("0.4.6.post5"), Release.of("0.5.9"), Release.of("0.5.23")])
def test_the_host_pool_comes_after_graph_capture_and_before_warm_up(release: Release) -> None:
    order = phase_order(release)
    assert order == tuple(Phase)
    assert order.index(Phase.GRAPH_CAPTURE) < order.index(Phase.HOST_POOL) < order.index(Phase.WARM_UP)


def test_a_release_without_hicache_has_no_host_pool() -> None:
    assert Phase.HOST_POOL not in phase_order(Release.of("0.3.6.post3"))


def test_open_ended_phases_have_no_usual_duration() -> None:
    assert usual_duration(Phase.SERVING) is None
    assert usual_duration(Phase.HOST_POOL) is None


@pytest.mark.parametrize("phase", [Phase.WEIGHT_LOAD, Phase.GRAPH_CAPTURE, Phase.WARM_UP, Phase.DISTRIBUTED_INIT])
def test_a_usual_duration_has_its_reason(phase: Phase) -> None:
    usual = usual_duration(phase)
    assert usual is not None
    assert usual.low.value < usual.high.value
    assert usual.reason
    assert usual.high.origin == Given("rule", usual.reason)


def test_pinning_takes_its_time_by_size() -> None:
    # Published: 32 GB in 6 s is 5.3 GB/s, 16 GB in 33 s is 0.5 GB/s; so 530 GB take 530 / 5.3 = 100 s to 1,060 s.
    usual = usual_pinning(given("530", "GB", Given("user", "typed")))
    assert (usual.low.number(), usual.high.number()) == (100, 1060)
    assert usual.reason.startswith("0.5 to 5.3 GB a second: ")
    assert usual.low.unit == "s"
