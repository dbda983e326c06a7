"""`/proc/meminfo` and the same of NUMA nodes."""

from __future__ import annotations

import pytest

from analyzer.events import Fact, MemorySnapshot
from tests.parsers.build_blocks import KIB, MIB, claims, of, read, value
from tests.parsers.snapshots import SAMPLES


@pytest.mark.parametrize(
    "line", ["MemTotal: 449 GiB", "Active: 12", "Buffers: full", "Cached:  5 kB of 9", "Shmem 12 kB"]
)
def test_lines_that_only_look_alike_are_no_meminfo(line: str) -> None:
    assert not claims("meminfo", line)


def test_kb_are_kib() -> None:
    (found,) = of(MemorySnapshot, read("meminfo", SAMPLES["meminfo"]))
    assert [value(a) for a in (found.total, found.available, found.shared)] == [
        131072000 * KIB,
        12477947 * KIB,
        88120 * KIB,
    ]


def test_swap_in_use_is_total_less_free() -> None:
    (found,) = of(MemorySnapshot, read("meminfo", SAMPLES["meminfo"]))
    assert value(found.swap_used) == (2097152 - 1048576) * KIB


def test_huge_pages_are_counted_in_their_size() -> None:
    (found,) = of(MemorySnapshot, read("meminfo", SAMPLES["meminfo"]))
    assert [value(a) for a in (found.huge_total, found.huge_free)] == [50176 * 2 * MIB, 50170 * 2 * MIB]


def test_a_grep_for_huge_pages_is_enough_for_them() -> None:
    (found,) = of(
        MemorySnapshot, read("meminfo", "HugePages_Total:   50176\nHugePages_Free:    50176\nHugepagesize:  2048 kB")
    )
    assert (value(found.huge_total), found.total) == (50176 * 2 * MIB, None)


def test_the_next_host_begins_where_a_key_comes_again() -> None:
    assert read("meminfo", "MemTotal: 1000 kB\nMemFree: 10 kB\nMemTotal: 2000 kB").lines == 2


def test_nodes_give_a_fact_each_for_size_and_free_memory() -> None:
    text = "Node 0 MemTotal:       1000 kB\nNode 0 MemFree:        10 kB\nNode 1 MemTotal:       2000 kB"
    told = {fact.name: value(fact.amount) for fact in of(Fact, read("meminfo", text))}
    assert told == {"numa.node0.total": 1000 * KIB, "numa.node0.free": 10 * KIB, "numa.node1.total": 2000 * KIB}
