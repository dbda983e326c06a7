"""Files tell which node and which leg they speak for."""

from __future__ import annotations

import tracemalloc

import pytest

from analyzer.events import ArgumentsPrinted
from analyzer.launches.nodes import another_node, nearest_node, role_of, spelled_out, tokens
from analyzer.launches.segments import Segment
from tests.build import where


def segment(source: str, **values: object) -> Segment:
    made = Segment(source, "", 0)
    if values:
        made.arguments.append(ArgumentsPrinted(where=where(1), values=values))
    return made


def test_what_a_file_is_says_nothing_of_where_it_is_from() -> None:
    assert tokens("server.log") == tokens("free.txt") == frozenset()


def test_a_snapshot_goes_to_the_node_whose_name_it_shares() -> None:
    nodes = {"n0": ("node0.log",), "n1": ("node1.log",)}
    assert nearest_node("node1.free.txt", nodes) == "n1"


def test_a_name_that_both_nodes_share_decides_nothing() -> None:
    nodes = {"n0": ("cluster-a-host1.log",), "n1": ("cluster-a-host2.log",)}
    assert nearest_node("cluster-a.txt", nodes) is None


def test_a_single_node_owns_every_snapshot() -> None:
    assert nearest_node("anything.txt", {"n0": ("server.log",)}) == "n0"


@pytest.mark.parametrize("name", ["free.txt", "node0.free.txt", "snap1/free.txt", "host2.txt", "gpu1-smi.txt"])
def test_a_name_that_tells_no_other_node_is_of_this_one(name: str) -> None:
    assert another_node(name, ["node0.log"]) is None


@pytest.mark.parametrize("name", ["node1.free.txt", "node1/free.txt", "logs.tar.gz!node1/free.txt"])
def test_a_name_that_tells_another_node_than_the_logs_is_of_that_one(name: str) -> None:
    assert another_node(name, ["node0/server.log"]) == "node1"
    assert another_node(name, ["node0.log", "node1.log"]) is None


def test_the_mode_in_the_arguments_is_the_role() -> None:
    assert role_of(segment("a.log", disaggregation_mode="decode")) == "decode"
    assert role_of(segment("prefill.log", disaggregation_mode="null")) == "standalone"


def test_without_arguments_the_name_of_the_file_is_the_role() -> None:
    assert role_of(segment("prefill-0.log")) == "prefill"
    assert role_of(segment("server.log")) == "standalone"


@pytest.mark.parametrize(
    ("hosts", "names"),
    [
        ("node1", ["node1"]),
        ("node[1-3,7],login", ["node1", "node2", "node3", "node7", "login"]),
        ("gpu-[08-10].example.org", ["gpu-08.example.org", "gpu-09.example.org", "gpu-10.example.org"]),
        ("192.0.2.[1,4]", ["192.0.2.1", "192.0.2.4"]),
        ("node[9-1]", []),
        ("node[1-99999999]", []),
        (f"node[1-{'9' * 5000}]", []),
        ("", []),
    ],
)
def test_a_shortened_list_of_hosts_is_spelled_out(hosts: str, names: list[str]) -> None:
    assert spelled_out(hosts) == names


def test_a_list_of_hosts_is_spelled_out_no_further_than_it_is_kept() -> None:
    """4096 names of some 60 bytes are a quarter of a megabyte; the 5,000 ranges give twenty million."""
    tracemalloc.start()
    names = spelled_out("n[" + ",".join(["0-4000"] * 5000) + "]")
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(names) == 4096
    assert most < 4_000_000
