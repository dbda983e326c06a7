"""Ray's memory monitor."""

from __future__ import annotations

import pytest

from analyzer.events import MemorySnapshot, OrchestratorAct
from tests.parsers.build_blocks import GIB, claims, of, read, value
from tests.parsers.snapshots import SAMPLES

TASK = """
ray.exceptions.OutOfMemoryError: Task was killed due to the node running low on memory.
Memory on the node (IP: 192.0.2.1, ID: 34ce) where the task (task ID: ab, name=f, pid=7, memory used=0.31GB) was running was 30.47GB / 31.99GB (0.952), which exceeds the memory usage threshold of 0.95.
"""


@pytest.mark.parametrize(
    "line", ["workers killed due to memory pressure", "30 GB / 31 GB (0.9) of the disk", "the node is low on memory"]
)
def test_other_sentences_on_memory_are_not_its(line: str) -> None:
    assert not claims("ray_memory", line)


def test_the_kill_has_its_count_and_the_node_its_memory() -> None:
    block = read("ray_memory", SAMPLES["ray_memory"])
    (act,) = of(OrchestratorAct, block)
    assert (act.act, act.count) == ("killed", 9)
    (memory,) = of(MemorySnapshot, block)
    assert value(memory.total) == 2143217684480
    assert value(memory.used) == pytest.approx(1934.01 * GIB)


def test_a_task_s_own_error_tells_the_same() -> None:
    block = read("ray_memory", TASK)
    assert len(of(OrchestratorAct, block)) == 1
    assert value(of(MemorySnapshot, block)[0].total) == pytest.approx(31.99 * GIB)
