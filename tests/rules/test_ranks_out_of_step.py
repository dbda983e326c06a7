"""Ranks that wait in different collectives."""

from __future__ import annotations

from analyzer.events import ServerReady, WatchdogFired
from analyzer.vocabulary import Status
from tests.build import size, tp, where
from tests.ledgers.test_flights import recorder
from tests.rules.answers import answers, cleared, found
from tests.rules.test_collective_timeout import waited
from tests.rules.test_rank_straggler import stack

RULE = "ranks-out-of-step"
READY = ServerReady(where=where(5, "10:05:00"))
DOG = WatchdogFired(where=where(40, "10:15:00", tp(0)), text="Watchdog timeout", timeout=size("300 s", 40))
IN_CHECK = (
    "all_reduce (torch/distributed/distributed_c10d.py:2810)",
    "writing_check (sglang/srt/mem_cache/hiradix_cache.py:304)",
    "event_loop_overlap (sglang/srt/managers/scheduler.py:1102)",
)
IN_REQUESTS = (
    "broadcast (torch/distributed/distributed_c10d.py:2730)",
    "broadcast_pyobj (sglang/srt/utils/common.py:1240)",
    "recv_requests (sglang/srt/managers/scheduler.py:1225)",
)


def test_stacks_of_a_server_that_works_say_nothing() -> None:
    stacks = (stack(0, *IN_REQUESTS), stack(1, *IN_CHECK))
    assert "work goes on" in cleared(RULE, READY, outside=stacks)


def test_one_collective_on_all_ranks_is_in_step() -> None:
    stacks = (stack(0, *IN_REQUESTS), stack(1, *IN_REQUESTS))
    assert "same collective" in cleared(RULE, READY, DOG, outside=stacks)


def test_pipeline_stages_wait_in_different_places_by_design() -> None:
    first, second = stack(0, *IN_REQUESTS), stack(1, *IN_CHECK)
    object.__setattr__(first, "name", "stack sglang::scheduler_PP0_TP0")
    object.__setattr__(second, "name", "stack sglang::scheduler_PP1_TP0")
    assert answers(RULE, READY, DOG, outside=(first, second)) == []


def test_two_collectives_at_once_cannot_complete() -> None:
    verdict = found(RULE, READY, DOG, outside=(stack(0, *IN_REQUESTS), stack(1, *IN_CHECK), stack(2, *IN_REQUESTS)))
    assert verdict.status is Status.ESTABLISHED
    assert verdict.summary.startswith(
        "TP1 waits in all_reduce of writing_check, 2 ranks (TP0, TP2) in broadcast of recv_requests"
    )
    assert "writing_check in sglang/srt/mem_cache/hiradix_cache.py" in verdict.remedy[0].action


def test_one_number_with_two_operations_is_a_split() -> None:
    other = waited(1, detail="_ALLGATHER_BASE")
    verdict = found(RULE, READY, waited(0), other, values={"tp_size": 8})
    assert verdict.status is Status.SUPPORTED
    assert "ALLREDUCE on 1 rank; _ALLGATHER_BASE on 1 rank" in verdict.summary


def test_recorders_that_show_two_operations_under_one_number_are_a_split_where_nothing_moves() -> None:
    both = (recorder(0, "0 9 8 all_reduce"), recorder(1, "0 9 8 _all_gather_base"))
    assert answers(RULE, READY, outside=both) == []
    verdict = found(RULE, READY, DOG, outside=both)
    assert "under number 9 of one group" in verdict.summary
    assert "rank 0 in all_reduce; rank 1 in _all_gather_base" in verdict.summary
