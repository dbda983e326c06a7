"""`/proc/PID/smaps_rollup`."""

from __future__ import annotations

import pytest

from analyzer.events import Fact
from tests.parsers.build_blocks import KIB, around, claims, facts, of, read, value
from tests.parsers.snapshots import SAMPLES


@pytest.mark.parametrize("line", ["[rollup]", "55d0c0000000-7fffc0000000 r-xp 00000000 fe:01 12 /usr/bin/python3"])
def test_other_lines_of_addresses_are_no_sums(line: str) -> None:
    assert not claims("smaps_rollup", line)


def test_what_is_the_processs_own_is_told() -> None:
    told = {fact.name: value(fact.amount) for fact in of(Fact, read("smaps_rollup", SAMPLES["smaps_rollup"]))}
    assert told == {"smaps.Rss": 112640000 * KIB, "smaps.Anonymous": 110000000 * KIB, "smaps.Swap": 0}


def test_the_command_names_the_process() -> None:
    place = around("cat /proc/4172/smaps_rollup")
    assert "smaps.Rss of 4172" in facts(read("smaps_rollup", SAMPLES["smaps_rollup"], place))
