"""Stacks of the ranks, joined."""

from __future__ import annotations

from analyzer.ledgers.stacks import different, elsewhere, stacks
from tests.build import incident, launch
from tests.rules.test_rank_straggler import WAITS, stack
from tests.rules.test_ranks_out_of_step import IN_CHECK, IN_REQUESTS


def test_the_last_dump_of_a_process_counts() -> None:
    made = incident(launch(outside=(stack(0, *IN_REQUESTS), stack(0, *IN_CHECK))))
    [one] = stacks(made)
    assert one.place == "all_reduce of writing_check"


def test_the_caller_is_found_behind_the_plumbing() -> None:
    frames = (
        "all_reduce (torch/distributed/distributed_c10d.py:3252)",
        "_exception_logger.<locals>.wrapper (torch/distributed/c10d_logger.py:83)",
        "GroupCoordinator.all_reduce (distributed/parallel_state.py:567)",
        "RowParallelLinear.forward (sglang/srt/layers/linear.py:1383)",
    )
    [one] = stacks(incident(launch(outside=(stack(0, *frames),))))
    assert one.waits_in == "all_reduce of forward"


def test_a_thread_s_own_wait_is_no_collective() -> None:
    [one] = stacks(incident(launch(outside=(stack(0, "wait (threading.py:331)", "recv (queue.py:1)"),))))
    assert one.waits_in is None


def test_only_what_differs_is_different() -> None:
    assert different(incident(launch(outside=(stack(0, *WAITS), stack(1, *WAITS))))) == {}
    both = different(incident(launch(outside=(stack(0, *IN_REQUESTS), stack(1, *IN_CHECK)))))
    assert set(both) == {"broadcast of recv_requests", "all_reduce of writing_check"}


def test_one_that_works_elsewhere_is_told_from_the_others() -> None:
    busy = ("load (sglang/srt/model_loader/loader.py:1)",)
    odd = elsewhere(incident(launch(outside=(stack(0, *WAITS), stack(1, *busy), stack(2, *WAITS)))))
    assert odd is not None
    assert odd[0].process == "scheduler_TP1"
    assert len(odd[1]) == 2
