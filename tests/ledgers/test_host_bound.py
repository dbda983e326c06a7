"""The limit that a host's pools are held against: the container, the machine, what others or a guard left."""

from __future__ import annotations

from typing import Any

from analyzer.events import CgroupMemory, Event, HostPoolSized
from analyzer.ledgers.host_bound import Bound, bound_on
from analyzer.ledgers.host_memory import host_memory
from tests.build import incident, launch, size, tp, where
from tests.rules.host_facts import GB, GIB, memory, pools, process, refusals

TP8 = {"tp_size": 8, "enable_hierarchical_cache": True, "hicache_size": 48}


def bound(
    *events: Event, outside: tuple[Event, ...], values: dict[str, Any] | None = None, release: str = "0.5.9"
) -> Bound:
    made = incident(launch(*events, outside=outside, values=values or TP8, release=release))
    ledger = host_memory(made, made.hosts[0])
    assert ledger.asked is not None
    found = bound_on(made, made.hosts[0], ledger, ledger.asked)
    assert found is not None
    return found


def test_a_sum_below_everything_is_held_against_the_machine() -> None:
    assert bound(*pools("48.00"), outside=(memory("449", "60"),)).what == "memory of the host"


def test_the_machine_comes_before_what_was_available_on_it() -> None:
    before = memory("449", "400", "10:01:00")
    assert bound(*pools("300.00"), outside=(before,)).what == "memory of the host"


def test_the_container_comes_before_the_machine() -> None:
    limit = CgroupMemory(where=where(1, source="cgroup.txt"), limit=size(f"{100 * GIB} B"))
    assert bound(*pools("15.00"), outside=(memory("2015", "1862"), limit)).what == "memory limit of the container"


def test_what_was_available_before_binds_where_the_machine_would_do() -> None:
    found = bound(*pools("100.00", 4), outside=(memory("755", "341", "10:01:00"),), values=TP8 | {"tp_size": 4})
    assert (found.what, found.amount.number()) == ("available before the launch", 341 * GIB)
    assert found.beside is not None
    assert found.beside.number() == (755 - 341) * GIB


def test_a_snapshot_of_another_time_does_not_bind() -> None:
    # each rank's guard passed with 48 GB + 10 GiB = 54.7 GiB, so 40 GiB are those of the server that was stopped before
    assert bound(*pools("48.00"), outside=(memory("449", "40", "10:01:00"),)).what == "memory of the host"


def test_sglang_s_own_look_binds_where_nobody_else_has_looked() -> None:
    # a kernel without a limit prints billions of GiB for the cgroup
    headroom = HostPoolSized(
        where=where(19, "10:06:41", tp(0)), host=size("300.0 GiB"), cgroup=size("8589934587.8 GiB")
    )
    found = bound(headroom, *pools("48.00"), outside=(), release="0.5.23")
    assert found.amount.number() == 300 * GIB


def test_a_refused_share_times_the_ranks_is_what_the_guard_had() -> None:
    found = bound(*refusals("9.00", "5.82", (0,)), outside=(), values=TP8 | {"tp_size": 2}, release="0.5.23")
    assert found.amount.number() == 2 * 5.82 * GB


def test_a_share_is_of_one_replica_s_ranks() -> None:
    # plain data parallelism: the guard divides by the two ranks of a replica, eight ranks ask
    values = TP8 | {"tp_size": 2, "dp_size": 4}
    found = bound(*refusals("60.00", "40.00", (0,)), outside=(), values=values, release="0.5.20")
    assert found.amount.number() == 2 * 40 * GB


def test_a_late_refusal_shows_what_there_was_for_all_at_most() -> None:
    # seven ranks passed, and if all of their pools are touched, 12 GB are left: 7 × 50 + 12 GB is the most there was
    found = bound(
        *pools("50.00", 7), *refusals("50.00", "12.00", (7,)), outside=(memory("384", "20"),), release="0.5.9"
    )
    assert found.amount.number() == (7 * 50 + 12) * GB


def test_a_refusal_that_unused_huge_pages_explain_does_not_bind() -> None:
    huge = memory("125", "11", huge_free="98 GiB")
    found = bound(*refusals("7.05", "2.04", (0, 1)), outside=(huge,), values=TP8 | {"tp_size": 2})
    assert found.what == "memory of the host"


def test_what_other_processes_hold_is_taken_off() -> None:
    mine = [process(20 + r, f"sglang::scheduler_TP{r}", "45 GiB", parent=10) for r in range(4)]
    rows = (process(10, "python3 -m sglang.launch_server --tp 4", "2 GiB"), *mine, process(5, "java -jar x", "600 GiB"))
    found = bound(*pools("60.00", 4), outside=(memory("755", "20"), *rows), values=TP8 | {"tp_size": 4})
    assert (found.what, found.amount.number()) == ("memory that other processes leave", 155 * GIB)


def test_shared_pages_that_several_processes_count_take_nothing_off() -> None:
    # 600 GiB by the listing, yet 400 of 755 GiB are available: the same pages stand in many rows
    rows = [process(5 + n, "postgres: worker", "100 GiB") for n in range(6)]
    found = bound(*pools("60.00", 4), outside=(memory("755", "400"), *rows), values=TP8 | {"tp_size": 4})
    assert found.what == "memory of the host"


def test_a_full_host_binds_by_what_it_needs_beside_the_pools() -> None:
    # 8 × 57 GB = 424.7 GiB; 449 GiB less 10 GiB reserve and 8 × 4 GiB for the ranks are 407 GiB
    found = bound(*pools("57.00"), outside=(memory("449", "1", "10:12:00"),))
    assert (found.amount.number(), found.firm) == (407 * GIB, False)


def test_a_host_with_memory_to_spare_does_not_bind_by_assumption() -> None:
    assert bound(*pools("57.00"), outside=(memory("449", "40", "10:12:00"),)).what == "memory of the host"
