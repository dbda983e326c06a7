"""`numastat`, with and without `-m` and `-p`."""

from __future__ import annotations

import pytest

from analyzer.events import Fact
from tests.parsers.build_blocks import MIB, claims, facts, of, read, value
from tests.parsers.snapshots import SAMPLES

PLAIN = """
                           node0           node1
numa_hit               125906467        23000000
numa_miss                      0         4321000
numa_foreign             4321000               0
"""
PROCESS = """
Per-node process memory usage (in MBs) for PID 4170 (sglang::schedul)
                           Node 0          Node 1           Total
                  --------------- --------------- ---------------
Huge                         0.00            0.00            0.00
Private                 101000.50         2000.00       103000.50
----------------  --------------- --------------- ---------------
Total                   101000.50         2000.00       103000.50
"""
SEVERAL = """
Per-node process memory usage (in MBs)
PID                        Node 0          Node 1           Total
------------------------  --------------- --------------- ---------------
4170 (sglang::schedul)        100.00          200.00          300.00
"""


@pytest.mark.parametrize(
    "line", ["Node 0 is down", "node0 and node1 differ", "Per-node memory", "node 0 size: 257562 MB"]
)
def test_sentences_on_nodes_are_no_table(line: str) -> None:
    assert not claims("numastat", line)


def test_memory_of_each_node_is_told_as_numactl_tells_it() -> None:
    told = {fact.name: value(fact.amount) for fact in of(Fact, read("numastat", SAMPLES["numastat"]))}
    assert told["numa.node0.total"] == pytest.approx(257562.21 * MIB)
    assert told["numa.node0.free"] == pytest.approx(1243.81 * MIB)
    assert told["numa.node1.free"] == pytest.approx(120034.50 * MIB)
    assert "numa.node2.free" not in told, "the last column is the total"


def test_what_the_kernel_does_not_know_stands_above_the_table() -> None:
    title, table = SAMPLES["numastat"].strip().split("\n", 1)
    block = read("numastat", f"{title}\nToken SwapCached not in hash table.\n{table}")
    assert facts(block)["numa.node0.total"] == "257562.21"


def test_misses_are_pages_and_stand_apart_from_sizes() -> None:
    told = facts(read("numastat", PLAIN))
    assert told["numastat.node1.numa_miss"] == "4321000"
    assert not [name for name in told if name.startswith("numa.")]


def test_where_a_process_has_its_memory_is_told_by_its_number() -> None:
    told = {fact.name: value(fact.amount) for fact in of(Fact, read("numastat", PROCESS))}
    assert told == {"numastat.node0.of 4170": 101000.50 * MIB, "numastat.node1.of 4170": 2000 * MIB}
    assert set(facts(read("numastat", SEVERAL))) == {"numastat.node0.of 4170", "numastat.node1.of 4170"}
