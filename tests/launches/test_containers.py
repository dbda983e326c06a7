"""Limits and counters concern the server where they are its container's; of several containers one has to be told."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from analyzer.events import CgroupMemory, Fact, Workload
from analyzer.launches.containers import of_the_server
from tests.build import size, timed, where

if TYPE_CHECKING:
    from analyzer.launches import Timed


def listed(*groups: str) -> list[Timed[CgroupMemory]]:
    return [timed(CgroupMemory(where=where(n), limit=size(f"{n} GiB"), group=g)) for n, g in enumerate(groups, 1)]


def kept(*groups: str) -> list[str]:
    told = of_the_server(listed(*groups))
    return [t.event.group for t in told if isinstance(t.event, CgroupMemory)]


@pytest.mark.parametrize(
    "groups", [("redis", "worker"), ("sgl-prefill", "sgl-decode"), ("kubepods/pod1", "kubepods/pod12")]
)
def test_where_nothing_tells_which_is_the_servers_none_is(groups: tuple[str, ...]) -> None:
    assert kept(*groups) == []


def test_figures_of_the_others_are_facts_by_name() -> None:
    told = [t.event for t in of_the_server(listed("redis", "worker"))]
    facts = [(event.name, event.value) for event in told if isinstance(event, Fact)]
    assert facts == [("cgroup redis limit", str(2**30)), ("cgroup worker limit", str(2 * 2**30))]


@pytest.mark.parametrize("groups", [("redis",), ("", ""), ("kubepods", "kubepods/pod1", "kubepods/pod1/main")])
def test_one_container_and_what_it_lies_in_are_the_servers(groups: tuple[str, ...]) -> None:
    assert kept(*groups) == list(groups)


def test_the_container_that_is_named_after_sglang_is_the_servers() -> None:
    assert kept("redis", "prod", "prod/sglang-0", "prod/sglang-0/main", "prod/cache") == [
        "prod",
        "prod/sglang-0",
        "prod/sglang-0/main",
    ]


def test_the_servers_own_name_counts_before_its_pods() -> None:
    names = ("k8s_POD_sgl-0_serving_1", "k8s_proxy_sgl-0_serving_1", "k8s_sglang_sgl-0_serving_1")
    assert kept(*names) == ["k8s_sglang_sgl-0_serving_1"]


def test_a_container_without_a_name_is_judged_as_before() -> None:
    assert kept("", "redis", "worker") == [""]


def test_every_tool_names_containers_in_its_own_way() -> None:
    first, second = listed("sgl-0/main", "k8s_main_sgl-0")
    told = of_the_server([first, replace(second, event=replace(second.event, said_by="docker stats"))])
    assert [type(t.event) for t in told] == [CgroupMemory, CgroupMemory]


def test_every_node_has_its_own() -> None:
    first, second = listed("redis", "worker")
    told = of_the_server([first, replace(second, node="n1")])
    assert [t.event for t in told] == [first.event, second.event]


def test_the_container_that_runs_sglang_by_its_image_is_the_servers_whatever_its_name() -> None:
    shown = timed(Workload(where=where(9), owner="pod llm-0/main", server=True))
    told = of_the_server([*listed("llm-0/main", "etl-7/etl"), shown])
    assert [t.event.group for t in told if isinstance(t.event, CgroupMemory)] == ["llm-0/main"]


@pytest.mark.parametrize(("kind", "kept_of_both"), [("pod", True), ("container", False)])
def test_replicas_are_one_set_of_a_pod_and_two_servers_of_docker_s(kind: str, *, kept_of_both: bool) -> None:
    names = ["sglang-1", "sglang-2"]
    shown = [timed(Workload(where=where(9), owner=f"{kind} {name}", server=True)) for name in names]
    told = of_the_server([*listed(*names), *shown])
    assert [t.event.group for t in told if isinstance(t.event, CgroupMemory)] == (names if kept_of_both else [])
