"""DeepEP and NVSHMEM."""

from __future__ import annotations

from analyzer.events import Fact, ServerReady
from analyzer.vocabulary import Status
from tests.build import size, tp, where
from tests.rules.answers import answers, cleared, failure, found, numbers

RULE = "expert-parallel-communication-failed"
TEXT = "ibgda.cpp:1340: NULL value Error in modify_qp: ibv_modify_qp failed with status 110"


def refused(line: int = 20, rank: int = 0) -> object:
    return failure(RULE, TEXT, line, "10:05:00", tp(rank), detail="ibv_modify_qp failed", code=size("110 count", line))


def card(name: str, state: str, line: int) -> Fact:
    return Fact(where=where(line, source="ibdev2netdev.txt"), name=f"rdma {name}", value=f"ib{line} {state}")


def test_a_server_without_such_a_line_is_not_asked() -> None:
    assert answers(RULE, ServerReady(where=where(5, "10:05:00"))) == []


def test_a_line_after_which_the_server_came_up_is_cleared() -> None:
    assert "worked on" in cleared(RULE, refused(), ServerReady(where=where(30, "10:10:00")))


def test_the_first_error_is_quoted_with_its_status() -> None:
    verdict = found(RULE, refused(), refused(21, 1))
    assert verdict.status is Status.SUPPORTED
    assert verdict.summary == "ibv_modify_qp failed with 110, no answer from the peer (2 lines, 2 processes)"
    assert numbers(verdict) == {"code": 110}


def test_cards_that_are_down_are_kept_out_of_the_remedy() -> None:
    verdict = found(
        RULE, refused(), outside=(card("mlx5_0", "Up", 1), card("mlx5_1", "Up", 2), card("mlx5_2", "Down", 3))
    )
    assert verdict.claims[-1].text == "mlx5_2 is down: NVSHMEM may have taken it"
    assert verdict.remedy[0].action.endswith("NVSHMEM_HCA_LIST=mlx5_0,mlx5_1")


def test_ports_tell_it_as_well_as_cards() -> None:
    ports = [
        Fact(where=where(line, source="ibv_devinfo.txt"), name=f"rdma-port {name}", value=value)
        for line, (name, value) in enumerate(
            [("mlx5_0/1", "Active Ethernet"), ("mlx5_1/1", "Down Ethernet"), ("mlx5_2/2", "Active InfiniBand")], 1
        )
    ]
    verdict = found(RULE, refused(), outside=(*ports, card("mlx5_0", "Up", 9)))
    assert verdict.claims[-1].text == "mlx5_1 is down: NVSHMEM may have taken it"
    assert verdict.remedy[0].action.endswith("NVSHMEM_HCA_LIST=mlx5_0,mlx5_2:2")


def test_of_several_cards_that_are_down_any_may_have_been_taken() -> None:
    verdict = found(RULE, refused(), outside=(card("mlx5_1", "Down", 1), card("mlx5_2", "Down", 2)))
    assert verdict.claims[-1].text == "mlx5_1, mlx5_2 are down: NVSHMEM may have taken one of them"
