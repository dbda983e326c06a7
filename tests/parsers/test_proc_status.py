"""`/proc/PID/status`."""

from __future__ import annotations

import pytest

from analyzer.events import ProcessListed
from tests.parsers.build_blocks import KIB, claims, of, read, value
from tests.parsers.snapshots import SAMPLES


@pytest.mark.parametrize(
    "line", ["Name:             sgl-qwen-0", "Name: sglang", "VmRSS: 15 GiB", "VmSize is large: 12 kB"]
)
def test_pods_packages_and_sentences_are_no_status(line: str) -> None:
    assert not claims("proc_status", line)


def test_it_gives_one_process() -> None:
    (found,) = of(ProcessListed, read("proc_status", SAMPLES["proc_status"]))
    assert (found.pid, found.parent, found.state, found.command) == (4170, 4100, "D", "python3")
    assert [value(a) for a in (found.resident, found.shared)] == [15010000 * KIB, 212380 * KIB]


def test_a_grep_for_its_memory_is_enough() -> None:
    (found,) = of(ProcessListed, read("proc_status", "VmPeak:\t 5349256 kB\nVmRSS:\t  735432 kB"))
    assert (found.pid, value(found.resident)) == (0, 735432 * KIB)


def test_the_next_process_is_a_block_of_its_own() -> None:
    assert read("proc_status", "Name:\ta\nPid:\t1\nName:\tb\nPid:\t2").lines == 2
