"""`systemd-cgtop`."""

from __future__ import annotations

import pytest

from analyzer.events import CgroupMemory
from tests.parsers.build_blocks import GIB, claims, facts, of, read, value
from tests.parsers.snapshots import SAMPLES

HEADER = SAMPLES["systemd_cgtop"].strip("\n").split("\n")[0]


@pytest.mark.parametrize("line", ["Control Group of the test", "Control Group  Memory", f"see {HEADER}"])
def test_other_words_on_control_groups_are_not_its(line: str) -> None:
    assert not claims("systemd_cgtop", line)


def test_what_is_named_after_nothing_is_nobody_s_container() -> None:
    """The 398 GiB are those of some container, and the 441 of everything together."""
    block = read("systemd_cgtop", SAMPLES["systemd_cgtop"])
    assert not of(CgroupMemory, block)
    told = facts(block)
    assert told["cgroup /system.slice/docker-3be1c0aabbccdd.scope used"] == str(398 * GIB)
    assert "cgroup / used" in told


def test_a_group_named_after_the_server_is_its_container_and_those_above_are_not() -> None:
    rows = """
system.slice                                                                   1290      -   401.5G        -        -
system.slice/sglang.service                                                     812   99.5   398.0G     1.2M       0B
system.slice/sglang-router.service                                                8      -     1.0G        -        -
"""
    block = read("systemd_cgtop", HEADER + rows)
    assert [(m.group, value(m.used)) for m in of(CgroupMemory, block)] == [("system.slice/sglang.service", 398 * GIB)]
    assert set(facts(block)) == {"cgroup /system.slice used", "cgroup /system.slice/sglang-router.service used"}


def test_a_group_of_which_no_memory_is_counted_says_nothing() -> None:
    row = "system.slice/sglang.service                                                     812   99.5        -        -        -"
    assert read("systemd_cgtop", f"{HEADER}\n{row}").events == []
