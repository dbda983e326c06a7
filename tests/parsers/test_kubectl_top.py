"""`kubectl top`."""

from __future__ import annotations

import pytest

from analyzer.events import CgroupMemory, Fact
from tests.parsers.build_blocks import GIB, MIB, claims, facts, of, read, value
from tests.parsers.snapshots import SAMPLES

CONTAINERS = """
POD     NAME     CPU(cores)   MEMORY(bytes)
sgl-0   main     7912m        431289Mi
sgl-0   proxy    3m           88Mi
                 ________     ________
                 7915m        431377Mi
"""
NODES = """
NAME     CPU(cores)   CPU(%)      MEMORY(bytes)   MEMORY(%)
gpu-1    12001m       9%          1900Gi          97%
gpu-2    <unknown>    <unknown>   <unknown>       <unknown>
"""


@pytest.mark.parametrize(
    "line",
    [
        "takes 7912 431289Mi",
        "Limits 100m to 431289Mi of memory",
        "memory 64Gi",
        "sgl-0 main 7912m",
        "Requests: cpu 100m, memory 64Gi",
    ],
)
def test_other_lines_with_sizes_are_no_rows(line: str) -> None:
    assert not claims("kubectl_top", line)


def test_a_pods_use_is_read() -> None:
    (pod,) = of(CgroupMemory, read("kubectl_top", SAMPLES["kubectl_top"]))
    assert (pod.group, value(pod.used), pod.limit) == ("serving/sgl-0", 431289 * MIB, None)


def test_containers_of_a_pod_stay_apart_and_their_sum_is_passed_over() -> None:
    block = read("kubectl_top", CONTAINERS)
    assert block.understood == 5
    assert [(c.group, value(c.used)) for c in of(CgroupMemory, block)] == [
        ("sgl-0/main", 431289 * MIB),
        ("sgl-0/proxy", 88 * MIB),
    ]


def test_rows_without_a_header_are_told_by_their_units() -> None:
    block = read("kubectl_top", "sgl-0   7912m   421Gi\nsgl-1   12m   1Gi")
    assert [value(c.used) for c in of(CgroupMemory, block)] == [421 * GIB, GIB]


def test_nodes_are_facts() -> None:
    block = read("kubectl_top", NODES)
    assert list(facts(block)) == ["node gpu-1.memory-used", "node gpu-2.memory-used"]
    assert [value(fact.amount) for fact in of(Fact, block)] == [1900 * GIB, None]
