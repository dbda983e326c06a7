"""The files of a cgroup, in the ways they are printed."""

from __future__ import annotations

import pytest

from analyzer.events import CgroupMemory, Fact
from tests.parsers.build_blocks import GIB, around, claims, facts, of, read, value
from tests.parsers.snapshots import SAMPLES

TITLED = """
==> /sys/fs/cgroup/memory.max <==
107374182400

==> /sys/fs/cgroup/memory.events <==
low 0
high 0
max 39214
oom_kill 2
"""
V1 = """
/sys/fs/cgroup/memory/memory.limit_in_bytes:9223372036854771712
/sys/fs/cgroup/memory/memory.usage_in_bytes:107374182400
/sys/fs/cgroup/memory/memory.failcnt:12
"""


@pytest.mark.parametrize(
    "line", ["memory.max is not set", "max 12", "memory.used [MiB]", "low on memory", "107374182400"]
)
def test_words_and_numbers_alone_are_no_cgroup(line: str) -> None:
    assert not claims("cgroup", line)


def test_limit_use_and_counters_make_one_event() -> None:
    (found,) = of(CgroupMemory, read("cgroup", SAMPLES["cgroup"]))
    assert [value(a) for a in (found.limit, found.used, found.swap_limit)] == [100 * GIB, 97104826880, 0]
    assert [value(a) for a in (found.oom_kills, found.at_limit)] == [2, 39214]
    assert found.said_by == "cgroup v2"


def test_parts_under_titles_are_joined() -> None:
    (found,) = of(CgroupMemory, read("cgroup", TITLED))
    assert [value(a) for a in (found.limit, found.oom_kills, found.at_limit)] == [100 * GIB, 2, 39214]


def test_the_largest_number_of_v1_is_no_limit() -> None:
    block = read("cgroup", V1)
    (found,) = of(CgroupMemory, block)
    assert (found.limit, value(found.used), value(found.at_limit)) == (None, 100 * GIB, 12)
    assert found.said_by == "cgroup v1"
    assert facts(block)["cgroup.limit"] == "unlimited"


def test_bare_values_belong_to_the_files_of_the_echoed_cat() -> None:
    place = around("cat /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory.current")
    block = read("cgroup", "max\n97104826880", place)
    assert value(of(CgroupMemory, block)[0].used) == 97104826880
    assert facts(block)["cgroup.limit"] == "unlimited"


def test_several_cgroups_stay_apart() -> None:
    text = "/sys/fs/cgroup/a/memory.current:10\n/sys/fs/cgroup/b/memory.current:20"
    assert [value(found.used) for found in of(CgroupMemory, read("cgroup", text))] == [10, 20]


def test_statistics_and_process_limits_are_facts() -> None:
    block = read("cgroup", "memory.stat:anon 1234\nmemory.stat:shmem 5678\npids.max:4096\npids.current:max")
    told = {fact.name: value(fact.amount) for fact in of(Fact, block)}
    assert told == {"cgroup.anon": 1234, "cgroup.shmem": 5678, "cgroup.pids-max": 4096, "cgroup.pids-current": None}


def test_the_same_file_again_is_the_next_snapshot() -> None:
    assert read("cgroup", "memory.current:10\nmemory.current:20").lines == 1
