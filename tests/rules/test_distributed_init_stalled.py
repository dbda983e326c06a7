"""Ranks that do not find each other."""

from __future__ import annotations

from analyzer.events import DistributedInitBegun, DistributedInitEnded, Fact, ServerReady
from analyzer.vocabulary import Status
from tests.build import size, tp, where
from tests.rules.answers import answers, failure, found, numbers

RULE = "distributed-init-stalled"
BEGUN = DistributedInitBegun(where=where(3, "10:03:00", tp(0)))
JOINED = "DistStoreError: Timed out after 601 seconds waiting for clients. 8/16 clients joined."


def late(time: str = "10:13:01") -> object:
    return failure(RULE, JOINED, 20, time, tp(0), detail="8/16 clients joined", elapsed=size("601 s", 20))


def interface(name: str, line: int) -> Fact:
    return Fact(where=where(line, source="ip.txt"), name=f"interface {name}", value="192.0.2.12/24 UP")


def test_an_error_while_serving_is_no_matter_of_the_beginning() -> None:
    ready = ServerReady(where=where(10, "10:05:00"))
    assert answers(RULE, BEGUN, ready, failure(RULE, "NCCL error: unhandled system error", 20, "11:00:00", tp(0))) == []


def test_two_minutes_of_waiting_are_usual() -> None:
    assert answers(RULE, BEGUN, as_of="10:05:00") == []


def test_a_launch_that_went_on_is_silent() -> None:
    ended = DistributedInitEnded(where=where(4, "10:03:10", tp(0)))
    assert answers(RULE, BEGUN, ended, as_of="10:30:00") == []


def test_a_rendezvous_that_timed_out_is_quoted_with_its_wait() -> None:
    verdict = found(
        RULE, BEGUN, late(), values={"tp_size": 16, "nnodes": 2, "node_rank": 0, "dist_init_addr": "192.0.2.11:20000"}
    )
    assert verdict.status is Status.SUPPORTED
    assert verdict.summary == f"the ranks could not be joined: {JOINED} (1 process); the log of node 1 is not here"
    assert numbers(verdict)["after"] == 601
    assert numbers(verdict)["from its beginning to the error"] == 601  # 10:13:01 less 10:03:00
    assert verdict.confirm[0].command == "nc -vz 192.0.2.11 20000"


def test_a_virtual_interface_beside_the_real_one_is_a_hint_and_no_proof() -> None:
    text = "RuntimeError: Gloo connectFullMesh failed with [pair.cc:144] no error"
    outside = (interface("docker0", 2), interface("eno1", 3), interface("lo", 4))
    verdict = found(RULE, BEGUN, failure(RULE, text, 20, "10:03:06", tp(0)), outside=outside)
    assert verdict.status is Status.SUPPORTED
    assert verdict.claims[-1].status is Status.HYPOTHESIS
    assert any("GLOO_SOCKET_IFNAME=eno1" in r.action for r in verdict.remedy)


def test_where_hccl_waits_the_advice_is_hccl_s() -> None:
    text = "RuntimeError: DIST call hccl api failed. EI0006: Getting socket times out."
    verdict = found(RULE, BEGUN, failure(RULE, text, 20, "10:05:06", tp(0), detail="EI0006"))
    advice = " ".join(r.action for r in verdict.remedy)
    assert "HCCL_SOCKET_IFNAME" in advice
    assert "HCCL_CONNECT_TIMEOUT" in advice
    assert "NCCL_DEBUG" not in advice


def test_silence_in_that_phase_is_the_same_finding() -> None:
    verdict = found(RULE, BEGUN, as_of="10:23:00")
    assert numbers(verdict) == {"time without progress": 1200}


def test_attempts_to_connect_that_are_repeated_are_a_hint_until_the_wait_is_long() -> None:
    text = "[W911 10:03:10.004821 socket.cpp:759] [c10d] The client socket has failed to connect to [gpu-a1]:5000."
    trying = failure(RULE, text, 20, "10:03:10", tp(0), detail="[gpu-a1]:5000")
    assert found(RULE, BEGUN, trying).status is Status.HYPOTHESIS
    assert found(RULE, BEGUN, trying, as_of="10:33:00").status is Status.SUPPORTED
