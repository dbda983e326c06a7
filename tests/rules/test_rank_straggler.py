"""One rank holds the others."""

from __future__ import annotations

from analyzer.events import (
    ChildFailed,
    Event,
    Fact,
    GraphCaptureBegun,
    MemoryPoolEnded,
    ProcessListed,
    ServerReady,
    WatchdogFired,
    WeightLoadBegun,
    WeightsLoaded,
)
from analyzer.verdict import Unknown
from analyzer.vocabulary import Status
from tests.build import size, tp, where
from tests.ledgers.test_flights import recorder
from tests.rules.answers import answers, cleared, failure, found, raised
from tests.rules.test_collective_timeout import waited

RULE = "rank-straggler"
READY = ServerReady(where=where(5, "10:05:00"))
BARRIER = "ValueError: TP rank 0 could finish the model loading, but there are other ranks that didn't finish loading."
DOG = WatchdogFired(where=where(40, "10:15:00", tp(0)), text="Watchdog timeout", timeout=size("300 s", 40))


def loads(ranks: int) -> list[Event]:
    begun = [WeightLoadBegun(where=where(2 + r, "10:03:00", tp(r))) for r in range(ranks)]
    return [*begun, *(WeightsLoaded(where=where(12 + r, "10:33:00", tp(r))) for r in range(ranks))]


def listed(state: str, pid: int, rank: int) -> ProcessListed:
    return ProcessListed(
        where=where(pid, source="ps.txt"), pid=pid, state=state, command=f"sglang::scheduler_TP{rank}", text=state
    )


def stack(rank: int, *frames: str) -> Fact:
    return Fact(where=where(50 + rank, "10:15:00"), name=f"stack sglang::scheduler_TP{rank}", value="\n".join(frames))


WAITS = ("all_reduce (torch/distributed/distributed_c10d.py:2810)", "forward (sglang/srt/models/x.py:1)")


def test_ranks_that_all_report_a_time_out_accuse_nobody() -> None:
    assert answers(RULE, READY, *(waited(r) for r in range(8)), values={"tp_size": 8}) == []


def test_half_of_the_ranks_silent_accuses_nobody() -> None:
    assert answers(RULE, READY, *(waited(r) for r in range(4)), values={"tp_size": 8}) == []


def test_a_rank_that_had_crashed_before_held_nobody() -> None:
    crash = raised("KeyError", "42", 20, "10:09:00", tp(3))
    waits = [waited(r) for r in range(8) if r != 3]
    assert "error of its own" in cleared(RULE, READY, crash, *waits, values={"tp_size": 8})


def test_a_missing_node_is_asked_for() -> None:
    values = {"tp_size": 16, "nnodes": 2, "node_rank": 0}
    [verdict] = answers(RULE, READY, *(waited(r) for r in range(8)), values=values)
    assert isinstance(verdict, Unknown)
    assert verdict.needs == "the logs of ranks 8 to 15 (node 1)"


def test_a_stopped_process_on_a_server_that_works_is_nothing() -> None:
    assert answers(RULE, READY, outside=(listed("Rl", 10, 0), listed("Tl", 11, 1))) == []


def test_ranks_in_one_collective_accuse_nobody() -> None:
    assert answers(RULE, READY, DOG, outside=(stack(0, *WAITS), stack(1, *WAITS), stack(2, *WAITS))) == []


def test_a_rank_that_waits_for_requests_holds_nobody() -> None:
    idle = ("poll (zmq/sugar/poll.py:106)", "recv_requests (sglang/srt/managers/scheduler.py:1200)")
    assert answers(RULE, READY, DOG, outside=(stack(0, *idle), stack(1, *WAITS), stack(2, *WAITS))) == []


def test_the_barrier_after_loading_accuses_the_ranks_that_did_not_finish() -> None:
    values = {"tp_size": 16, "nnodes": 2, "node_rank": 0}
    verdict = found(RULE, *loads(8), failure(RULE, BARRIER, 40, "10:38:00", tp(0)), values=values)
    assert verdict.status is Status.SUPPORTED
    assert verdict.summary.startswith(
        "ranks 8 to 15 (node 1) did not finish loading while ranks 0 to 7 (node 0) waited"
    )


def test_the_only_rank_without_a_time_out_is_the_one() -> None:
    said = [waited(r) for r in range(8) if r != 3]
    after = ChildFailed(where=where(99, "10:40:05"))
    verdict = found(RULE, READY, *said, after, values={"tp_size": 8})
    assert verdict.summary.startswith("rank 3 is the only one that reports nothing")
    assert verdict.status is Status.SUPPORTED
    # where the log ends with the others' lines, the cut may have taken rank 3's
    assert found(RULE, READY, *said, values={"tp_size": 8}).status is Status.HYPOTHESIS


def test_a_stopped_rank_explains_a_watchdog() -> None:
    verdict = found(RULE, READY, DOG, outside=(listed("Sl", 10, 0), listed("Tl", 11, 1)))
    assert verdict.summary == "sglang::scheduler_TP1 is stopped (state Tl); the other ranks wait for it"


def test_the_one_stack_that_is_elsewhere_is_named() -> None:
    busy = ("compile (triton/compiler/compiler.py:280)", "forward (sglang/srt/models/x.py:1)")
    verdict = found(RULE, READY, DOG, outside=(stack(0, *WAITS), stack(1, *busy), stack(2, *WAITS)))
    assert verdict.summary.startswith("scheduler_TP1 stands in compile")


def test_a_rank_that_never_began_the_phase_of_the_others_is_a_hypothesis() -> None:
    begun = [GraphCaptureBegun(where=where(20 + r, "10:05:00", tp(r))) for r in (0, 1, 3)]
    behind = MemoryPoolEnded(where=where(19, "10:04:59", tp(2)))
    verdict = found(RULE, behind, *begun, as_of="10:25:00")
    assert verdict.status is Status.HYPOTHESIS
    assert verdict.summary == "n0/TP2 never began graph-capture; 3 other ranks did"


def test_recorders_of_a_server_that_works_accuse_nobody() -> None:
    assert answers(RULE, READY, outside=(recorder(0, "0 9 8 all_reduce"), recorder(1, "0 8 8 -"))) == []


def test_the_rank_whose_recorder_never_saw_the_collective_is_the_one() -> None:
    verdict = found(RULE, READY, DOG, outside=(recorder(0, "0 9 8 all_reduce"), recorder(1, "0 8 8 -")))
    assert verdict.summary.startswith("rank 1 never queued collective 9 (all_reduce) of its group; rank 0 waited")
    assert verdict.status is Status.ESTABLISHED
