"""`ibdev2netdev`."""

from __future__ import annotations

from tests.parsers.build_blocks import claims, facts, read
from tests.parsers.snapshots import SAMPLES


def test_a_sentence_with_an_arrow_is_no_line_of_it() -> None:
    assert not claims("ibdev2netdev", "port 1 ==> ib0 (Up) is what we want")


def test_a_port_is_told_by_its_interface() -> None:
    assert facts(read("ibdev2netdev", SAMPLES["ibdev2netdev"])) == {
        "rdma mlx5_0": "ib0 Up",
        "rdma mlx5_2": "ens3f0np0 Down",
    }


def test_a_second_port_is_named() -> None:
    assert facts(read("ibdev2netdev", "mlx4_0 port 2 ==> ib1 (Up)")) == {"rdma mlx4_0 port 2": "ib1 Up"}
