"""The limit of a container that only the kernel's record of a kill prints."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from analyzer.events import CgroupMemory, DistributedInitBegun, MemorySnapshot, OomKill
from tests.build import incident, launch, size, timed, tp, where

if TYPE_CHECKING:
    from analyzer.events import Event
    from analyzer.incident import Host

BEGUN = DistributedInitBegun(where=where(2, "10:00:10", tp(0)))
FREE = MemorySnapshot(where=where(1, source="free.txt"), tool="free", total=size("2015 GiB", 1, "free.txt"))
# memory: usage 104857600kB, limit 104857600kB, failcnt 1201
KILL = OomKill(
    where=where(4, "10:01:22", source="dmesg.txt"),
    pid=903,
    command="sglang::schedul",
    scope="cgroup",
    limit=size("104857600 KiB", 2, "dmesg.txt"),
)


def host(*outside: Event) -> Host:
    (found,) = incident(launch(BEGUN, outside=outside)).hosts
    return found


@pytest.mark.parametrize(
    "other",
    [
        replace(KILL, command="postgres"),
        replace(KILL, scope="host"),
        replace(KILL, limit=None),
        replace(KILL, where=where(4, "2026-02-20 10:01:22", source="dmesg.txt")),  # three days later
    ],
)
def test_a_record_that_is_not_of_the_server_s_own_limit_says_nothing_of_it(other: OomKill) -> None:
    assert host(FREE, other).cgroup_limit is None
    assert host(FREE, other).limit == FREE.total


def test_the_limit_in_the_record_of_the_server_s_kill_is_its_container_s() -> None:
    limit: Any = host(FREE, KILL).limit
    assert limit.value == 100 * 2**30, "104857600 kB are 100 GiB"
    assert limit.origin.line.source == "dmesg.txt"


def test_of_two_limits_the_lesser_binds() -> None:
    told = CgroupMemory(where=where(1, source="cgroup.txt"), limit=size("80 GiB", 1, "cgroup.txt"))
    assert host(told, KILL).limit == told.limit
    assert host(replace(told, limit=size("200 GiB", 1, "cgroup.txt")), KILL).limit == KILL.limit


def test_a_record_of_one_node_limits_no_other() -> None:
    made = launch(BEGUN)
    made.nodes = {"n0": ("server.log",), "n1": ("node1.log",)}
    made.outside = [timed(KILL, "n1")]
    assert [found.cgroup_limit for found in incident(made).hosts] == [None, KILL.limit]
