"""`numactl -H`."""

from __future__ import annotations

import pytest

from analyzer.events import Fact
from tests.parsers.build_blocks import MIB, claims, of, read, value
from tests.parsers.snapshots import SAMPLES


@pytest.mark.parametrize("line", ["node 0 is full", "available: 2 nodes", "node 0 size: unknown", "node 1 free: 5 GB"])
def test_sentences_on_nodes_are_not_its(line: str) -> None:
    assert not claims("numactl", line)


def test_nodes_have_size_and_free_memory_in_mib() -> None:
    told = {fact.name: value(fact.amount) for fact in of(Fact, read("numactl", SAMPLES["numactl"]))}
    assert told == {"numa.nodes": None, "numa.node0.total": 257562 * MIB, "numa.node0.free": 1243 * MIB}
