"""A host without memory, told from one that holds its pools by design."""

from __future__ import annotations

from dataclasses import replace

from analyzer.events import RankDead, ServerReady
from tests.build import size, where
from tests.rules.answers import answers, cleared, found, numbers
from tests.rules.host_facts import GIB, memory, pools, process

RULE = "host-memory-exhausted"
READY = ServerReady(where=where(40, "10:08:00"))


def test_without_a_snapshot_nothing_is_said() -> None:
    assert answers(RULE, *pools("300.00")) == []


def test_a_host_with_a_tenth_left_is_cleared() -> None:
    assert "45 GiB are available" in cleared(RULE, outside=(memory("449", "45"),))


def test_sixty_five_gib_are_enough_on_any_host() -> None:
    assert "65 GiB are available" in cleared(RULE, outside=(memory("2015", "65"),))


def test_pinned_pools_of_a_server_that_serves_are_by_design() -> None:
    assert "it serves" in cleared(RULE, *pools("50.00"), READY, outside=(memory("449", "9", "10:30:00"),))


def test_a_snapshot_from_before_the_launch_is_of_another_server() -> None:
    assert answers(RULE, *pools("50.00"), outside=(memory("449", "9", "09:30:00"),)) == []


def test_a_snapshot_of_days_later_is_of_another_server() -> None:
    assert answers(RULE, *pools("50.00"), outside=(memory("449", "9", "2026-02-27 09:30:00"),)) == []


def test_almost_nothing_left_before_ready_is_found() -> None:
    verdict = found(RULE, *pools("300.00"), outside=(memory("449", "9"),))
    assert numbers(verdict) == {"memory of the host": 449 * GIB, "available": 9 * GIB}


def test_a_tool_that_does_not_say_what_is_available_is_read_by_what_is_free_and_cached() -> None:
    seen = replace(memory("449", "9"), available=None, free=size("2 GiB", 3), cache=size("5 GiB", 3))
    assert numbers(found(RULE, *pools("300.00"), outside=(seen,)))["available"] == (2 + 5) * GIB
    cached = replace(seen, cache=size("300 GiB", 3))
    assert answers(RULE, *pools("300.00"), outside=(cached,)) == []


def test_a_server_that_was_killed_after_it_served_may_have_run_out() -> None:
    dead = RankDead(where=where(90, "11:00:00"), code=size("-9 count"))
    assert "used up" in found(RULE, *pools("50.00"), READY, dead, outside=(memory("449", "9", "10:59:00"),)).summary


def test_several_listings_of_the_same_processes_count_once() -> None:
    looks = (("10:07:00", 1), ("10:08:00", 9))
    twice = [process(10 + r, f"sglang::scheduler_TP{r}", "60 GiB", time=t, line=n) for t, n in looks for r in range(2)]
    verdict = found(RULE, *pools("64.00", 2), outside=(memory("125", "2", "10:12:00"), *twice))
    assert numbers(verdict)["resident in the listed schedulers"] == 2 * 60 * GIB


def test_the_largest_stranger_is_named() -> None:
    rows = (process(7, "python3 tokenize.py --in /data", "428 GiB"), process(10, "sglang::scheduler_TP0", "9 GiB"))
    assert (
        "python3 tokenize.py (pid 7) holds 428 GiB"
        in found(RULE, *pools("9.00", 1), outside=(memory("503", "3"), *rows)).summary
    )
