"""A full NUMA node on a host that has memory, told from a host without, and from a node that is only full of cache."""

from __future__ import annotations

from analyzer.events import Event, Fact, Notice, RankDead, ServerReady
from analyzer.vocabulary import Status
from tests.build import size, where
from tests.rules.answers import answers, cleared, found, numbers
from tests.rules.host_facts import GB, GIB, memory, numa, oom_kill, pools

RULE = "numa-memory-exhausted"
DEAD = RankDead(where=where(40, "10:08:00"), code=size("-9 count"))
TP4 = {"tp_size": 4, "enable_hierarchical_cache": True, "hicache_size": 80}
NODES = (*numa(0, "251 GiB", "1 GiB"), *numa(1, "251 GiB", "243 GiB"))


def gpus(*nodes: int) -> list[Event]:
    return [
        Fact(where=where(2 + g, source="topo.txt"), name=f"gpu.numa.GPU{g}", value=str(n)) for g, n in enumerate(nodes)
    ]


def test_a_node_with_little_left_accuses_nobody() -> None:
    assert answers(RULE, DEAD, outside=NODES, values={"tp_size": 4}, release="0.5.20") == []


def test_a_kill_for_the_whole_host_is_not_about_nodes() -> None:
    assert "not about single nodes" in cleared(RULE, DEAD, outside=(oom_kill(), *NODES), values=TP4, release="0.5.20")


def test_a_server_that_serves_fits_its_nodes() -> None:
    ready = ServerReady(where=where(40, "10:09:00"))
    assert (
        answers(RULE, *pools("80.00", 4), ready, outside=(*NODES, *gpus(0, 0, 0, 0)), values=TP4, release="0.5.20")
        == []
    )


def test_a_release_that_does_not_bind_is_cleared() -> None:
    outside = (*NODES, *gpus(0, 0, 0, 0))
    assert "nothing binds" in cleared(RULE, *pools("80.00", 4), DEAD, outside=outside, values=TP4, release="0.5.9")


def test_binding_that_was_refused_does_not_bind() -> None:
    refused = Notice(where=where(5, "10:02:40"), topic="numa-binding-refused")
    outside = (*NODES, *gpus(0, 0, 0, 0))
    assert "nothing binds" in cleared(
        RULE, refused, *pools("80.00", 4), DEAD, outside=outside, values=TP4, release="0.5.20"
    )


def test_binding_that_was_switched_off_does_not_bind() -> None:
    off = Fact(where=where(1, source="env.txt"), name="env.SGLANG_AUTO_NUMA_BIND", value="0")
    outside = (*NODES, *gpus(0, 0, 0, 0), off)
    assert "nothing binds" in cleared(RULE, *pools("80.00", 4), DEAD, outside=outside, values=TP4, release="0.5.20")


def test_ranks_spread_over_the_nodes_fit_them() -> None:
    # 2 × 80 GB = 149 GiB on each node of 251 GiB
    outside = (*NODES, *gpus(0, 0, 1, 1))
    assert "fit it" in cleared(RULE, *pools("80.00", 4), DEAD, outside=outside, values=TP4, release="0.5.20")


def test_pools_that_do_not_fit_the_node_are_supported() -> None:
    # 4 × 80 GB = 320 GB = 298 GiB on a node of 251 GiB
    outside = (*NODES, *gpus(0, 0, 0, 0), memory("503", "244", "10:12:00"))
    verdict = found(RULE, *pools("80.00", 4), DEAD, outside=outside, values=TP4, release="0.5.20")
    assert verdict.status is Status.SUPPORTED
    assert numbers(verdict)["asked by the ranks of the NUMA node"] == 4 * 80 * GB


def test_the_argument_tells_the_nodes_of_the_ranks() -> None:
    values = TP4 | {"numa_node": [1, 1, 1, 1]}
    assert (
        "NUMA node 1" in found(RULE, *pools("80.00", 4), DEAD, outside=NODES, values=values, release="0.5.12").summary
    )


def test_the_kernel_s_word_is_established_beside_a_host_with_memory() -> None:
    kill = oom_kill(scope="numa", nodes="0", anon="53 GiB")
    verdict = found(
        RULE, *pools("80.00", 4), outside=(kill, memory("503", "247", "10:12:00"), *NODES), values=TP4, release="0.5.20"
    )
    assert verdict.status is Status.ESTABLISHED
    assert "NUMA node 0" in verdict.summary
    assert numbers(verdict)["available on the host"] == 247 * GIB


def test_the_size_offered_fits_all_ranks_of_the_node() -> None:
    # (251 − 10 − 4×4 − 5% of 251) GiB / 4 = 53.11 GiB = 57.03 GB
    kill = oom_kill(scope="numa", nodes="0")
    outside = (kill, *NODES, *gpus(0, 0, 0, 0))
    verdict = found(RULE, *pools("80.00", 4), outside=outside, values=TP4, release="0.5.20")
    assert [r.after for r in verdict.remedy if r.argument == "hicache_size"] == ["57"]
