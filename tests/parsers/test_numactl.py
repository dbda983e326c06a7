"""`numactl -H` and `--show`."""

from __future__ import annotations

import pytest

from analyzer.events import Fact
from tests.parsers.build_blocks import MIB, claims, facts, of, read, value
from tests.parsers.snapshots import SAMPLES


@pytest.mark.parametrize(
    "line",
    [
        "node 0 is full",
        "available: 2 nodes",
        "node 0 size: unknown",
        "node 1 free: 5 GB",
        "policy: strict",
        "membind: all",
    ],
)
def test_sentences_on_nodes_are_not_its(line: str) -> None:
    assert not claims("numactl", line)


def test_nodes_have_size_and_free_memory_in_mib() -> None:
    told = {fact.name: value(fact.amount) for fact in of(Fact, read("numactl", SAMPLES["numactl"]))}
    assert told == {"numa.nodes": None, "numa.node0.total": 257562 * MIB, "numa.node0.free": 1243 * MIB}


SHOW = """
policy: bind
preferred node: 1
physcpubind: 32 33 34 35 96 97 98 99
cpubind: 1
nodebind: 1
membind: 0 1
preferred: 1
"""


def test_the_policy_of_a_shell_is_shown() -> None:
    block = read("numactl", SHOW.replace("\n", " \n").removeprefix(" "))  # a blank stands behind each number
    assert facts(block) == {
        "numa.policy": "bind",
        "numa.physcpubind": "32-35 96-99",
        "numa.cpubind": "1",
        "numa.membind": "0-1",
    }
    assert (block.lines, block.understood) == (7, 7)


def test_a_policy_adds_no_node_to_those_of_the_host() -> None:
    """The names of nodes' figures have three parts, which a ledger tells them by."""
    assert not [name for name in facts(read("numactl", SHOW)) if ".node" in name]
