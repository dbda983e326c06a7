"""The files of a cgroup, in the ways they are printed."""

from __future__ import annotations

import pytest

from analyzer.bundle import InMemory, Source
from analyzer.catalog import Catalog
from analyzer.events import CgroupMemory, Fact
from analyzer.parsers import Parsed, parse
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


CATALOG = Catalog.load()


def copied(name: str, text: str) -> Parsed:
    """A file of its own."""
    data = text.encode()
    return parse(Source(name, len(data), InMemory(data)), CATALOG)


def memory(parsed: Parsed) -> CgroupMemory:
    (found,) = (event for event in parsed.events if isinstance(event, CgroupMemory))
    return found


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


@pytest.mark.parametrize(
    "name", ["memory.log", "memory.txt", "memory.dump.max.txt", "cgroup-memory.txt", "pod.memory.max"]
)
def test_a_number_in_a_file_of_another_name_is_nobodys(name: str) -> None:
    parsed = copied(name, "107374182400\n")
    assert (parsed.kind, parsed.recognised, parsed.events) == ("text", 0, [])


@pytest.mark.parametrize(
    "name",
    [
        "memory.max",
        "memory.max.txt",
        "node.tar.gz!sys/fs/cgroup/memory.max",
        "sys/fs/cgroup/memory/memory.limit_in_bytes",
    ],
)
def test_a_number_in_a_copied_file_is_what_the_files_name_says(name: str) -> None:
    parsed = copied(name, "107374182400\n")
    assert (parsed.kind, parsed.recognised, value(memory(parsed).limit)) == ("cgroup", 1, 100 * GIB)
    assert memory(parsed).group == ""


def test_no_limit_in_a_copied_file_is_a_fact() -> None:
    (fact,) = copied("sys/fs/cgroup/memory.max", "max\n").events
    assert isinstance(fact, Fact)
    assert (fact.name, fact.value) == ("cgroup.limit", "unlimited")


@pytest.mark.parametrize(("name", "key"), [("memory.events", "low 0\n"), ("memory.events.local", "low 0\nhigh 3\n")])
def test_counters_in_a_copied_file_are_read(name: str, key: str) -> None:
    parsed = copied(name, f"{key}max 39214\noom 2\noom_kill 2\n")
    assert parsed.recognised == parsed.lines
    if name == "memory.events":
        assert [value(a) for a in (memory(parsed).oom_kills, memory(parsed).at_limit)] == [2, 39214]


def test_statistics_of_v1_hold_the_limit_that_counts() -> None:
    parsed = copied("memory.stat", "cache 5678\nrss 1234\nhierarchical_memory_limit 107374182400\n")
    assert (parsed.recognised, value(memory(parsed).limit), memory(parsed).said_by) == (3, 100 * GIB, "cgroup v1")


def test_the_banner_over_a_number_names_its_file() -> None:
    parsed = copied("cgroup-memory.txt", "=== memory.max ===\n107374182400\n=== memory.current ===\n97104826880\n")
    found = [event for event in parsed.events if isinstance(event, CgroupMemory)]
    assert [(value(f.limit), value(f.used)) for f in found] == [(100 * GIB, None), (None, 97104826880)]


@pytest.mark.parametrize(
    "text",
    ["memory.max 107374182400", "memory.max=107374182400", "memory.max:\n107374182400", "memory.max\n107374182400"],
)
def test_a_script_names_the_file_in_its_own_way(text: str) -> None:
    (found,) = of(CgroupMemory, read("cgroup", text))
    assert value(found.limit) == 100 * GIB


def test_counters_after_the_limit_of_one_cat_are_told_apart() -> None:
    place = around("cat memory.max memory.events")
    (found,) = of(CgroupMemory, read("cgroup", "max\nlow 0\nhigh 0\nmax 7\noom_kill 1", place))
    assert [value(a) for a in (found.limit, found.at_limit, found.oom_kills)] == [None, 7, 1]


def test_files_of_which_nothing_is_kept_belong_to_the_listing() -> None:
    text = "/sys/fs/cgroup/cpu.max:max 100000\n/sys/fs/cgroup/memory.current:10\n/sys/fs/cgroup/cgroup.procs:1"
    block = read("cgroup", text)
    assert (block.understood, [value(found.used) for found in of(CgroupMemory, block)]) == (3, [10])


def test_a_group_is_called_by_its_path_below_the_root() -> None:
    text = "/sys/fs/cgroup/memory/docker/34ce/memory.limit_in_bytes:10\n/sys/fs/cgroup/a.slice/memory.current:20"
    assert [found.group for found in of(CgroupMemory, read("cgroup", text))] == ["docker/34ce", "a.slice"]
