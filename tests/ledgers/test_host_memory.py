"""What all ranks of a host ask for together, from announcements, refusals and arguments."""

from __future__ import annotations

from typing import Any

from analyzer.events import Event, KvPoolAllocated
from analyzer.ledgers.host_memory import HostLedger, host_memory
from tests.build import incident, launch, size, tp, where
from tests.rules.host_facts import GB, GIB, pools, refusals

HICACHE = {"tp_size": 8, "enable_hierarchical_cache": True}


def ledger(*events: Event, values: dict[str, Any] | None = None, release: str = "0.5.9") -> HostLedger:
    made = incident(launch(*events, values=values or HICACHE, release=release))
    return host_memory(made, made.hosts[0])


def asked(made: HostLedger) -> float:
    assert made.asked is not None
    return made.asked.number()


def test_without_hicache_nothing_is_asked() -> None:
    assert ledger(values={"tp_size": 8}).asked is None


def test_every_rank_counts_once() -> None:
    assert asked(ledger(*pools("300.00"))) == 8 * 300 * GB


def test_the_pools_of_a_rank_add_up() -> None:
    made = ledger(*pools("48.00"), *pools("12.50", pool="mamba", line=30), *pools("7.33", pool="indexer", line=40))
    assert asked(made) == 8 * (48 + 12.5 + 7.33) * GB
    assert [name for name, _ in made.pools] == ["kv", "mamba", "indexer"]


def test_target_and_draft_of_one_size_are_two_pools_of_a_rank() -> None:
    assert asked(ledger(*pools("10.00", 2), *pools("10.00", 2, line=30), values={"tp_size": 2})) == 4 * 10 * GB


def test_lines_that_lost_their_ranks_are_one_rank_s_each() -> None:
    made = ledger(*pools("300.00", labelled=False), *pools("12.50", pool="mamba", line=40, labelled=False))
    assert (asked(made), made.announcing) == (8 * 312.5 * GB, 8)


def test_a_server_of_one_rank_prints_no_rank_and_may_have_two_pools_of_one_size() -> None:
    made = ledger(*pools("10.00", 2, labelled=False), values={"tp_size": 1})
    assert (asked(made), made.announcing) == (20 * GB, 1)


def test_a_refusal_that_two_handlers_print_counts_once() -> None:
    made = ledger(*refusals("9.00", "5.82", (0,)), *refusals("9.00", "5.82", (0,), line=50), values={"tp_size": 2})
    assert asked(made) == 2 * 9 * GB
    assert made.figure == "refused"


def test_a_pool_refused_after_the_first_passed_is_asked_for_too() -> None:
    made = ledger(*pools("100.00", 1), *refusals("20.00", "5.00", (0,)), values={"tp_size": 1})
    assert asked(made) == 120 * GB


def test_ranks_that_have_not_spoken_are_counted_by_the_arguments() -> None:
    made = ledger(*pools("300.00", 5))
    assert asked(made) == 8 * 300 * GB
    assert made.heard is not None
    assert made.heard.number() == 5 * 300 * GB


def test_only_what_is_pinned_is_rounded_up() -> None:
    # 40 GB = 37.25 GiB, and the next power of two is 64 GiB
    announced = ledger(*pools("40.00", 4), values={"tp_size": 4}, release="0.5.3.post3")
    assert announced.pinned is not None
    assert announced.pinned.number() == 4 * 64 * GIB
    refused = ledger(*refusals("40.00", "34.00", (0, 1)), values={"tp_size": 2}, release="0.5.3.post3")
    assert refused.rounded is None


def test_a_declared_size_is_for_every_rank_of_every_replica() -> None:
    # two nodes, 2 replicas of TP 8: eight ranks on each
    values = HICACHE | {"hicache_size": 60, "dp_size": 2, "nnodes": 2}
    assert asked(ledger(values=values)) == 8 * 60 * GB


def test_a_ratio_multiplies_the_pool_of_one_rank() -> None:
    pool = KvPoolAllocated(where=where(9, "10:05:00", tp(0)), tokens=size("1000 token"), kv_size=size("15 GiB"))
    made = ledger(pool, values=HICACHE | {"hicache_ratio": 2.0})
    assert asked(made) == 8 * 2 * 15 * GIB
    assert made.figure == "declared"
