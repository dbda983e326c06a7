"""Stretches of several files become launches."""

from __future__ import annotations

from dataclasses import replace

from analyzer.events import ArgumentsPrinted, DistributedInitBegun, Event, ExceptionRaised, ServerReady
from analyzer.launches.group import grouped
from analyzer.launches.segments import Segment
from tests.build import timed, tp, where


def stretch(source: str, time: str, *ranks: int, order: int = 0, **values: object) -> Segment:
    made = Segment(source, "", order)
    made.events = [timed(DistributedInitBegun(where=where(i + 2, time, tp(r), source))) for i, r in enumerate(ranks)]
    if values:
        printed = ArgumentsPrinted(where=where(1, time, source=source), values=values)
        made.arguments.append(printed)
        made.events.insert(0, timed(printed))
    return made


def sources(*segments: Segment) -> list[list[str]]:
    return [[s.source for s in group.segments] for group in grouped(segments)]


def test_two_stretches_of_one_file_are_two_launches() -> None:
    assert sources(stretch("a.log", "10:00:00", 0), stretch("a.log", "11:00:00", 0, order=1)) == [["a.log"], ["a.log"]]


def test_servers_of_one_node_each_stay_apart() -> None:
    first = stretch("a.log", "10:00:00", 0, 1, nnodes=1, tp_size=2)
    second = stretch("b.log", "10:00:05", 0, 1, nnodes=1, tp_size=2)
    assert sources(first, second) == [["a.log"], ["b.log"]]


def test_prefill_and_decode_stay_apart() -> None:
    assert sources(stretch("prefill.log", "10:00:00", 0), stretch("decode.log", "10:00:05", 1)) == [
        ["prefill.log"],
        ["decode.log"],
    ]


def test_nodes_of_one_server_are_joined() -> None:
    first = stretch("node0.log", "10:00:00", 0, 1, nnodes=2, node_rank=0)
    second = stretch("node1.log", "10:01:00", 2, 3, nnodes=2, node_rank=1)
    assert sources(first, second) == [["node0.log", "node1.log"]]


def test_two_nodes_that_both_call_themselves_the_first_are_joined() -> None:
    first = stretch("host-a.log", "10:00:00", 0, nnodes=2, node_rank=0)
    second = stretch("host-b.log", "10:01:00", 0, nnodes=2, node_rank=0)
    assert sources(first, second) == [["host-a.log", "host-b.log"]]


def test_an_argument_line_cut_before_the_number_of_nodes_says_nothing_against_it() -> None:
    first = stretch("node0.log", "10:00:00", 0, 1, nnodes=2, node_rank=0)
    second = stretch("node1.log", "10:01:00", 2, 3)
    cut = ArgumentsPrinted(where=where(1, "10:01:00", source="node1.log"), values={"model_path": "/m"}, cut=True)
    second.arguments.append(cut)
    assert sources(first, second) == [["node0.log", "node1.log"]]


def test_disjoint_ranks_at_the_same_time_are_one_server() -> None:
    assert sources(stretch("node0.log", "10:00:00", 0, 1), stretch("node1.log", "10:00:30", 2, 3)) == [
        ["node0.log", "node1.log"]
    ]


def test_a_launch_of_another_day_part_is_another_launch() -> None:
    first = stretch("node0.log", "10:00:00", 0, nnodes=2, node_rank=0)
    second = stretch("node1.log", "15:00:00", 2, nnodes=2, node_rank=1)
    assert sources(first, second) == [["node0.log"], ["node1.log"]]


def of_pod(pod: str, *events: Event, source: str = "export.json") -> Segment:
    return Segment(source, pod, 0, [timed(event) for event in events])


SERVED = (
    DistributedInitBegun(where=where(1, "10:00:00", tp(0), "export.json")),
    ServerReady(where=where(2, "10:01:00", source="export.json")),
)
RAISED = ExceptionRaised(where=where(9, "10:04:00", tp(0), "export.json"), type="RuntimeError")


def test_another_pod_of_one_export_does_not_go_on_with_what_the_first_one_said() -> None:
    found = grouped([of_pod("qwen-0", *SERVED), of_pod("embed-0", RAISED)])
    assert [[s.node_hint for s in group.segments] for group in found] == [["qwen-0"], ["embed-0"]]


def test_a_rotated_file_of_the_same_pod_goes_on() -> None:
    first = of_pod("qwen-0", *SERVED, source="export.json.1")
    assert len(grouped([first, of_pod("qwen-0", RAISED)])) == 1


def test_a_node_of_one_server_that_says_only_how_it_failed_stays_with_it() -> None:
    first = of_pod("host-a", *SERVED)
    values = {"nnodes": 2, "node_rank": 0}
    first.arguments.append(ArgumentsPrinted(where=where(1, "10:00:00", source="export.json"), values=values))
    alone = replace(RAISED, where=where(9, "10:04:00", source="export.json"))
    assert len(grouped([first, of_pod("host-b", alone)])) == 1
