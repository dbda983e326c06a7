"""Nodes whose arguments exclude each other."""

from __future__ import annotations

from typing import Any

from analyzer.events import ServerReady
from analyzer.verdict import Cleared, Found
from analyzer.vocabulary import Status
from tests.build import tp, where
from tests.rules.answers import answers, failure, found
from tests.rules.several import judged, over_nodes, printed

RULE = "nodes-disagree"
GOOD: dict[str, Any] = {"nnodes": 2, "tp_size": 16, "dist_init_addr": "192.0.2.11:20000", "model_path": "/models/x"}


def two(first: dict[str, Any], second: dict[str, Any], *more: ServerReady) -> list[Any]:
    return judged(RULE, over_nodes((printed("node0.log", **first), *more), (printed("node1.log", **second),)))


def test_one_node_is_not_asked() -> None:
    assert answers(RULE, values={"tp_size": 8}) == []


def test_nodes_that_differ_in_their_rank_alone_fit_together() -> None:
    [verdict] = two({**GOOD, "node_rank": 0}, {**GOOD, "node_rank": 1})
    assert isinstance(verdict, Cleared)


def test_a_model_in_another_folder_is_the_same_model() -> None:
    [verdict] = two({**GOOD, "node_rank": 0}, {**GOOD, "node_rank": 1, "model_path": "/mnt/fast/x"})
    assert isinstance(verdict, Cleared)


def test_whatever_differs_did_no_harm_to_a_server_that_came_up() -> None:
    ready = ServerReady(where=where(9, "10:05:00"))
    [verdict] = two({**GOOD, "node_rank": 0}, {**GOOD, "node_rank": 1, "dtype": "half"}, ready)
    assert isinstance(verdict, Cleared)


def test_two_node_ranks_zero_can_never_join() -> None:
    [verdict] = two({**GOOD, "node_rank": 0}, {**GOOD, "node_rank": 0})
    assert isinstance(verdict, Found)
    assert verdict.status is Status.ESTABLISHED
    assert verdict.summary.startswith("2 of 2 nodes were started as node rank 0 (node0.log, node1.log)")
    assert (verdict.remedy[0].before, verdict.remedy[0].after) == ("0", "1")


def test_two_addresses_are_named_with_their_nodes() -> None:
    [verdict] = two({**GOOD, "node_rank": 0}, {**GOOD, "node_rank": 1, "dist_init_addr": "192.0.2.21:20000"})
    assert isinstance(verdict, Found)
    assert verdict.summary == "the nodes disagree: dist_init_addr is 192.0.2.11:20000 against 192.0.2.21:20000"
    assert "node1.log has 192.0.2.21:20000" in verdict.remedy[0].action


def test_two_types_are_a_hypothesis_only() -> None:
    [verdict] = two({**GOOD, "node_rank": 0, "dtype": "half"}, {**GOOD, "node_rank": 1, "dtype": "bfloat16"})
    assert isinstance(verdict, Found)
    assert verdict.status is Status.HYPOTHESIS


def test_torch_s_own_word_is_enough() -> None:
    said = failure(RULE, "RuntimeError: world_size (8) is not equal to", 9, "10:05:00", tp(0), detail="world_size (8)")
    assert found(RULE, said).summary == "the processes count their ranks differently: world_size (8)"
