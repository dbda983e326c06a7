"""Who waited in a collective, and who did not come."""

from __future__ import annotations

from analyzer.events import ServerReady
from analyzer.ledgers.collectives import out_of_step, timed_out
from tests.build import incident, launch, size, where
from tests.rules.test_collective_timeout import waited

READY = ServerReady(where=where(5, "10:05:00"))


def test_without_arguments_nobody_is_missed() -> None:
    wait = timed_out(incident(launch(READY, waited(3), waited(5))))
    assert wait is not None
    assert (wait.waiting, wait.guilty) == ((3, 5), ())


def test_groups_of_several_stages_are_not_numbered_like_the_world() -> None:
    wait = timed_out(incident(launch(READY, waited(0), waited(1), waited(2), values={"tp_size": 4, "pp_size": 2})))
    assert wait is not None
    assert wait.guilty == ()


def test_one_silent_rank_of_eight_is_the_one() -> None:
    wait = timed_out(incident(launch(READY, *(waited(r) for r in range(7)), values={"tp_size": 8})))
    assert wait is not None
    assert wait.guilty == (7,)
    assert wait.operation == "ALLREDUCE"


def test_a_rank_that_queued_less_is_guilty_whatever_others_say() -> None:
    behind = waited(5, enqueued=size("90400 count", 35), completed=size("90400 count", 35))
    wait = timed_out(incident(launch(READY, waited(0), waited(1), behind, values={"tp_size": 8})))
    assert wait is not None
    assert (wait.behind, wait.guilty) == ((5,), (5,))


def test_the_same_operation_everywhere_is_in_step() -> None:
    wait = timed_out(incident(launch(READY, waited(0), waited(1))))
    assert wait is not None
    assert out_of_step(wait) == {}
