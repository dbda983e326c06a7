"""Places are cited as `sed -n` counts them, ranks as the report names them."""

from __future__ import annotations

from analyzer.evidence import NO_RANK, Rank, Ref


def test_a_header_without_ranks_has_no_label() -> None:
    assert NO_RANK.label() == ""


def test_the_expert_rank_repeats_the_tensor_rank_and_is_left_out() -> None:
    assert Rank(dp=1, tp=3, ep=3).label() == "DP1/TP3"


def test_rank_zero_is_named() -> None:
    assert Rank(pp=0, tp=0).label() == "PP0/TP0"


def test_a_reference_names_one_line_or_a_span() -> None:
    assert str(Ref("node0/server.log", 12, 12)) == "node0/server.log:12"
    assert str(Ref("node0/server.log", 12, 40)) == "node0/server.log:12-40"
