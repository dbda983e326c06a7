"""Collectives that timed out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer.events import ServerReady, StopRequested, WatchdogFired
from analyzer.verdict import Found
from analyzer.vocabulary import Part, Status
from tests.build import size, tp, where
from tests.rules.answers import answers, cleared, failure, found, numbers, raised
from tests.rules.several import judged, over_nodes, printed

if TYPE_CHECKING:
    from analyzer.events import Failure

RULE = "collective-timeout"
READY = ServerReady(where=where(5, "10:05:00"))
TP8 = {"tp_size": 8}


def waited(rank: int, **fields: Any) -> Failure:
    """What the watchdog of one rank says of the collective 90,411."""
    line = 30 + rank
    fields = {
        "detail": "ALLREDUCE",
        "elapsed": size("600071 ms", line),
        "sequence": size("90411 count", line),
        **fields,
    }
    text = f"[Rank {rank}] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=90411, OpType=ALLREDUCE"
    return failure(RULE, text, line, "10:20:00", rank_text=str(rank), **fields)


def test_a_watchdog_that_carries_another_error_is_that_error() -> None:
    text = "watchdog thread terminated with exception: CUDA error: an illegal memory access was encountered"
    other = failure("illegal-memory-access", text, 30, "10:20:00")
    assert answers(RULE, READY, other, failure(RULE, text, 30, "10:20:00", rank_text="4")) == []


def test_peers_that_lose_each_other_after_a_stop_are_cleared() -> None:
    stop = StopRequested(where=where(20, "10:19:50"), signal="SIGTERM")
    lost = failure(RULE, "recvValue failed", 30, "10:20:00", victim=True)
    assert "after it was asked to stop" in cleared(RULE, READY, stop, lost)


def test_a_time_out_after_which_the_server_worked_on_is_none() -> None:
    assert answers(RULE, waited(0), ServerReady(where=where(60, "10:25:00"))) == []


def test_a_time_out_after_a_crash_explains_no_crash() -> None:
    crash = raised("KeyError", "42", 20, "10:09:00", tp(3))
    late = found(RULE, READY, crash, waited(0), values=TP8)
    alone = found(RULE, READY, waited(0), values=TP8)
    assert late.explains == ()
    assert "scheduler-crashed" in alone.explains


def test_a_step_that_failed_with_a_time_out_in_it_failed_of_the_time_out() -> None:
    text = "Capture cuda graph failed: Timed out waiting 1800000ms for send operation to complete"
    step = failure("graph-capture-failed", text, 30, "10:20:00")
    waits = failure(RULE, text, 30, "10:20:00", elapsed=size("1800000 ms", 30))
    verdict = found(RULE, step, waits)
    assert numbers(verdict)["time waited"] == 1800
    assert "graph-capture-failed" in verdict.explains


def test_the_ranks_that_complain_are_the_ones_that_waited() -> None:
    verdict = found(RULE, READY, *(waited(r) for r in range(8) if r != 3), values=TP8)
    assert verdict.status is Status.ESTABLISHED
    assert "only rank 3 reports nothing" in verdict.summary
    assert numbers(verdict) == {"number of the collective": 90411, "time waited": 600.071, "ranks that waited": 7}


def test_a_rank_that_never_queued_it_is_the_one_that_did_not_come() -> None:
    behind = waited(5, enqueued=size("90410 count", 35), completed=size("90410 count", 35))
    assert "rank 5 never queued it" in found(RULE, READY, waited(0), behind, values=TP8).summary


def test_a_node_whose_log_is_missing_makes_the_culprit_a_hypothesis() -> None:
    values = {"tp_size": 16, "nnodes": 2, "node_rank": 0}
    verdict = found(RULE, READY, *(waited(r) for r in range(8)), values=values)
    assert verdict.status is Status.HYPOTHESIS
    assert "ranks 8 to 15 (node 1), whose log is not here" in verdict.summary


def test_lost_connections_alone_point_at_the_node_that_is_missing() -> None:
    values = {"tp_size": 16, "nnodes": 2, "node_rank": 1, "dist_init_addr": "192.0.2.1:5000"}
    lost = failure(RULE, "recvValue failed on SocketImpl", 30, "10:20:00", victim=True)
    [verdict] = judged(RULE, over_nodes((printed("node1.log", **values), lost)))
    assert isinstance(verdict, Found)
    assert verdict.status is Status.HYPOTHESIS
    assert next(c for c in verdict.claims if c.part is Part.LINK).text.startswith("the other side ended first: node 0")


def test_a_watchdog_that_fires_after_the_collective_was_given_up_waited_for_it() -> None:
    def dog(time: str) -> WatchdogFired:
        return WatchdogFired(where=where(60, time, tp(0)), text="Watchdog timeout", timeout=size("300 s", 60))

    assert "scheduler-stalled" in found(RULE, READY, waited(0), dog("10:25:00")).explains
    assert "scheduler-stalled" not in found(RULE, READY, waited(0), dog("10:15:00")).explains
