"""Nodes whose clocks stand in two zones are put on one clock, and only those."""

from __future__ import annotations

from analyzer.events import (
    ArgumentsPrinted,
    DistributedInitBegun,
    DistributedInitEnded,
    GraphCaptureBegun,
    WeightLoadBegun,
    WeightsLoaded,
)
from analyzer.launches.segments import Segment
from analyzer.launches.zones import offsets, sentence, shifted
from tests.build import instant, timed, tp, where

STEPS = (DistributedInitBegun, DistributedInitEnded, WeightLoadBegun, GraphCaptureBegun)


def node(source: str, *times: str, nnodes: int = 2) -> Segment:
    made = Segment(source, "", 0)
    made.arguments.append(
        ArgumentsPrinted(
            where=where(1, source=source), values={"nnodes": nnodes, "node_rank": int(source != "node0.log")}
        )
    )
    made.events = [
        timed(step(where=where(2 + i, time, source=source)))
        for i, (step, time) in enumerate(zip(STEPS, times, strict=False))
    ]
    return made


FIRST = node("node0.log", "10:00:00", "10:00:07", "10:00:09", "10:03:00")


def test_clocks_that_agree_are_left_alone() -> None:
    assert offsets([FIRST, node("node1.log", "10:00:02", "10:00:08", "10:00:10", "10:03:20")]) == {}


def test_a_second_launch_on_another_node_is_no_zone() -> None:
    assert offsets([FIRST, node("node1.log", "11:07:00", "11:07:07", "11:07:09", "11:10:00")]) == {}


def test_a_node_that_came_a_quarter_of_an_hour_late_is_no_zone() -> None:
    late = node("node1.log", "10:15:00", "10:15:07", "10:20:09", "10:25:00")
    assert offsets([FIRST, late]) == {}


def test_one_step_in_common_is_not_enough() -> None:
    assert offsets([FIRST, node("node1.log", "18:00:00")]) == {}


def test_two_servers_of_one_node_each_share_no_clock() -> None:
    assert offsets([FIRST, node("b.log", "18:00:00", "18:00:07", "18:00:09", "18:03:00", nnodes=1)]) == {}


def headless(source: str, *times: str, ranks: range, architecture: str) -> Segment:
    """A node's stretch whose argument line is cut off."""
    made = Segment(source, "", 0)
    made.events = [
        timed(step(where=where(2 + i, time, tp(rank), source=source)))
        for rank in ranks
        for i, (step, time) in enumerate(zip(STEPS, times, strict=False))
    ]
    loaded = WeightsLoaded(where=where(9, times[-1], tp(ranks[0]), source=source), architecture=architecture)
    made.events.append(timed(loaded))
    return made


EARLY, LATE = ("10:00:00", "10:00:07", "10:00:09", "10:03:00"), ("18:00:01", "18:00:08", "18:00:10", "18:03:10")
CUT = headless("node0.log", *EARLY, ranks=range(4), architecture="KimiK25")


def test_without_arguments_other_weights_other_ranks_or_few_steps_prove_no_common_server() -> None:
    assert offsets([CUT, headless("b.log", *LATE, ranks=range(4, 8), architecture="Qwen3")]) == {}
    assert offsets([CUT, headless("b.log", *LATE, ranks=range(4), architecture="KimiK25")]) == {}
    assert offsets([CUT, headless("b.log", *LATE, ranks=range(8, 12), architecture="KimiK25")]) == {}
    assert offsets([CUT, headless("b.log", *LATE[:2], ranks=range(4, 8), architecture="KimiK25")]) == {}


def test_without_arguments_ranks_that_complete_each_other_on_the_same_weights_share_a_clock() -> None:
    other = headless("node1.log", *LATE, ranks=range(4, 8), architecture="KimiK25")
    assert offsets([CUT, other]) == {"node1.log": 8 * 3600}


def test_eight_hours_are_a_zone() -> None:
    other = node("node1.log", "18:00:01", "18:00:08", "18:00:10", "18:03:10")
    assert offsets([FIRST, other]) == {"node1.log": 8 * 3600}
    shifted(other, 8 * 3600)
    assert other.events[0].at == instant("10:00:01")
    assert (
        sentence("node1.log", 8 * 3600)
        == "the clock of node1.log is 8:00 h ahead of the first node's; its times were shifted"
    )


def test_half_hours_exist() -> None:
    other = node("node1.log", "04:30:01", "04:30:08", "04:30:10", "04:33:10")
    assert offsets([FIRST, other]) == {"node1.log": -5.5 * 3600}
