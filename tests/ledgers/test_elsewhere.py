"""Whose kill a record is: of the server's host or of another, of one of its ranks or of something beside them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from analyzer.events import Fact, OomKill, ProcessListed, RankDead, ServerReady
from analyzer.ledgers.elsewhere import beside_living_ranks, of_several_hosts, on_another_host
from tests.build import incident, launch, where


def record(host: str, *, node: str = "", source: str = "kernel.txt") -> OomKill:
    placed = replace(where(3, "10:08:38", source=source), node=host)
    return OomKill(where=placed, pid=903, command="sglang::schedul", node=node)


def another(kill: OomKill, *, origin: str = "", source: str = "server.log", pod: str = "") -> bool:
    ready = ServerReady(where=replace(where(20, "10:06:00"), node=origin))
    outside = [kill, *([Fact(where=where(1, source="pod.txt"), name="pod.node", value=pod)] if pod else [])]
    made = replace(launch(ready, outside=outside), sources=(source,))
    found = incident(made)
    return on_another_host(found, next(t for t in found.of(OomKill)))


@pytest.mark.parametrize(
    ("kill", "told", "expected"),
    [
        (record(""), {"origin": "gpu-12"}, False),  # no host is named
        (record("gpu-13"), {}, False),  # nothing tells the server's
        (record("gpu-13"), {"origin": "gpu-12"}, True),  # another of the same fleet
        (record("gpu-12.example.org"), {"origin": "gpu-12"}, False),
        (record("gpu-13"), {"origin": "sglang-1"}, False),  # the name of a container is no host's
        (record("gpu-13"), {"source": "logs/sglang-gpu-11.log"}, True),
        (record("gpu-11"), {"source": "logs/sglang-gpu-11.log"}, False),
        (record("gpu-1"), {"source": "logs/sglang-gpu-11.log"}, True),
        (record("head"), {"origin": "worker"}, False),  # names without a number are nobody's fleet
        (record("head", source="server.log"), {"origin": "worker"}, True),  # both in one file
        (record("", node="ip-10-0-0-9"), {"pod": "gpu-12"}, True),  # the cluster tells where the pod ran
        (record("", node="gpu-12"), {"pod": "gpu-12"}, False),
    ],
)
def test_a_record_is_another_host_s_only_where_the_server_s_is_told(
    kill: OomKill, told: dict[str, str], *, expected: bool
) -> None:
    assert another(kill, **told) is expected


@pytest.mark.parametrize(
    ("hosts", "origin", "expected"),
    [(("gpu-12", "gpu-11"), "", True), (("gpu-12",), "", False), (("gpu-12", "gpu-11"), "gpu-12", False)],
)
def test_of_several_hosts_whose_outputs_are_here_any_may_be_the_server_s(
    hosts: tuple[str, ...], origin: str, *, expected: bool
) -> None:
    ready = ServerReady(where=replace(where(20, "10:06:00"), node=origin))
    found = incident(launch(ready, outside=[record(host) for host in hosts]))
    assert of_several_hosts(found, next(t for t in found.of(OomKill))) is expected


def listed(*pids: int, state: str = "S") -> list[ProcessListed]:
    return [
        ProcessListed(where=where(n, source="ps.txt"), pid=pid, command=f"sglang::scheduler_TP{n}", state=state)
        for n, pid in enumerate(pids)
    ]


@pytest.mark.parametrize(
    ("rows", "pid", "expected"),
    [
        (listed(1, 2, 3, 4), 903, True),
        (listed(1, 2, 3, 903), 903, False),
        (listed(1, 2, 3), 903, False),  # the fourth is the one that was killed
        ([*listed(1, 2, 3), *listed(4, state="Z")], 903, False),
        (listed(1, 2, 3, 4), 0, False),  # a record without a pid
        ([], 903, False),
    ],
)
def test_a_process_beside_ranks_that_all_live_is_none_of_them(
    rows: list[ProcessListed], pid: int, *, expected: bool
) -> None:
    assert beside_living_ranks(incident(launch(values={"tp_size": 4}, outside=rows)), pid) is expected


def test_a_rank_that_is_told_dead_may_be_of_the_server_before_the_listed_one() -> None:
    dead = RankDead(where=where(30, "10:08:40"), text="Rank 3 scheduler is dead.")
    assert not beside_living_ranks(incident(launch(dead, values={"tp_size": 4}, outside=listed(1, 2, 3, 4))), 903)


def test_every_replica_of_plain_data_parallelism_counts() -> None:
    values = {"tp_size": 2, "dp_size": 2}
    assert not beside_living_ranks(incident(launch(values=values, outside=listed(1, 2))), 903)
    assert beside_living_ranks(
        incident(launch(values=values | {"enable_dp_attention": True}, outside=listed(1, 2))), 903
    )
