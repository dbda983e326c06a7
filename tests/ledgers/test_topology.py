"""Ranks and nodes that should be there."""

from __future__ import annotations

from analyzer.events import DistributedInitBegun
from analyzer.evidence import Rank
from analyzer.ledgers import topology
from tests.build import incident, launch, tp, where
from tests.rules.answers import failure

TWO = {"tp_size": 16, "nnodes": 2, "node_rank": 0}


def begun(*ranks: Rank) -> list[DistributedInitBegun]:
    return [DistributedInitBegun(where=where(3 + i, "10:03:00", r)) for i, r in enumerate(ranks)]


def test_one_node_misses_none() -> None:
    assert topology.missing_nodes(incident(launch(values={"tp_size": 8}))) == ()


def test_pipeline_stages_follow_each_other_in_the_world() -> None:
    made = incident(launch(values={"tp_size": 4, "pp_size": 2}))
    assert topology.world(made) == 8
    assert topology.world_rank(made, Rank(pp=1, tp=3)) == 7


def test_plain_replicas_are_worlds_apart_and_attention_ranks_are_not() -> None:
    plain = incident(launch(values={"tp_size": 2, "dp_size": 4}))
    attention = incident(launch(values={"tp_size": 8, "dp_size": 8, "enable_dp_attention": True}))
    assert (topology.replicas(plain), topology.replicas(attention)) == (4, 1)


def test_a_node_without_a_log_is_missing_with_its_ranks() -> None:
    made = incident(launch(*begun(*(tp(r) for r in range(8))), values=TWO))
    assert topology.missing_nodes(made) == (1,)
    assert topology.missing_ranks(made) == tuple(range(8, 16))
    assert not topology.complete(made)


def test_a_node_is_known_by_its_ranks_where_its_arguments_are_cut_off() -> None:
    made = incident(launch(*begun(tp(8), tp(9)), values={"tp_size": 16, "nnodes": 2}))
    assert topology.node_ranks(made) == {1}


def test_ranks_are_named_in_spans_with_their_nodes() -> None:
    made = incident(launch(values=TWO))
    assert topology.named(made, (3,)) == "rank 3 (node 0)"
    assert topology.named(made, tuple(range(8, 16))) == "ranks 8 to 15 (node 1)"
    assert topology.named(made, (0, 2)) == "ranks 0, 2 (node 0)"
    assert topology.named(made, (0, 10**12)).startswith("ranks 0, 1000000000000 ")


def test_an_error_line_speaks_for_the_rank_in_its_text_before_the_one_in_its_header() -> None:
    made = incident(launch(failure("collective-timeout", "x", 9, "10:05:00", tp(1), rank_text="5"), values=TWO))
    [item] = made.failures("collective-timeout")
    assert topology.rank_said(made, item) == 5
