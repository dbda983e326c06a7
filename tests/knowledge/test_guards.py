"""What SGLang checks around a HiCache host pool, at both sides of every change."""

from __future__ import annotations

import pytest
from packaging.version import Version

from analyzer.knowledge.guards import HostPoolGuard, host_pool_guard
from analyzer.knowledge.release import UNKNOWN, Release

FACTS = tuple(set(HostPoolGuard.__slots__) - {"reserve", "sentences", "always"})


def guard(release: str) -> HostPoolGuard:
    found = host_pool_guard(Release.of(release))
    assert found is not None
    return found


@pytest.mark.parametrize("release", ["0.3.0", "0.4.0.post2", "0.4.1.post7"])
def test_there_is_no_guard_before_hicache(release: str) -> None:
    assert host_pool_guard(Release.of(release)) is None


def test_there_is_no_guard_that_is_known_of_a_fork() -> None:
    assert host_pool_guard(Release.of("0.5.20-mycompany")) is None


def test_of_an_unknown_release_only_what_never_changed_is_told() -> None:
    found = host_pool_guard(UNKNOWN)
    assert found is not None
    assert found.reserve.value == 10 * 1024**3
    assert {fact: getattr(found, fact) for fact in FACTS} == dict.fromkeys(FACTS)
    assert found.sentences == {}
    assert "after that rank's own check has passed" in found.always["announced-after-guard"]


def test_a_range_tells_what_holds_in_all_of_it() -> None:
    found = host_pool_guard(Release(low=Version("0.5.19"), high=Version("0.5.21")))
    assert found is not None
    assert found.divides_by_ranks is True
    assert found.free_means == "rank-share"
    assert found.knows_cgroup is None
    assert set(found.sentences) == {fact for fact in FACTS if getattr(found, fact) is not None}


CHANGES = [
    # the reference: "Before 0.5.19 each rank compared its request to the whole machine's free memory"
    ("divides_by_ranks", "0.5.18", False, "0.5.19", True),
    # the reference: "cgroup aware" from 0.5.21
    ("knows_cgroup", "0.5.20", False, "0.5.21", True),
    # the reference: "0.4.8 and before report psutil available without subtracting it"; per rank with 0.5.19's division
    ("free_means", "0.4.8", "available", "0.4.9.post6", "after-reserve"),
    ("free_means", "0.5.18", "after-reserve", "0.5.19", "rank-share"),
    # the reference: "page_num = size//page_size + 1 (always one page extra); before: floor"
    ("extra_page", "0.5.4.post3", False, "0.5.5.post3", True),
    # the reference: "0.4.3 pin_memory=False; 0.4.4-0.5.3 torch pin_memory=True", "cudaHostRegister first appears 0.5.4.post3"
    ("rounds_to_power_of_two", "0.4.3.post4", False, "0.4.4.post4", True),
    ("rounds_to_power_of_two", "0.5.3.post3", True, "0.5.4.post3", False),
    # the reference: "<=0.5.14 assert self.size > device_pool.size", "0.5.15.post1+ assert -> warning"
    ("refuses_smaller_pool", "0.5.14", True, "0.5.15.post1", False),
    # the reference: "Before (0.5.12-0.5.16) every pool got the full hicache_size"; "_split_hicache_size" from 0.5.17
    ("hybrid_pools", "0.5.9", "one", "0.5.12.post1", "each-full"),
    ("hybrid_pools", "0.5.16", "each-full", "0.5.17", "split"),
    # the reference: "SGLANG_AUTO_NUMA_BIND default False 0.5.10-0.5.17 and True from 0.5.18"
    ("binds_to_numa_node", "0.5.17", False, "0.5.18", True),
    # the reference: "return code ignored 0.5.4-0.5.12; checked with raise from 0.5.14"
    ("checks_registration", "0.5.12.post1", False, "0.5.14", True),
    # the reference: "Rank N scheduler died during initialization" first sampled in 0.5.10.post1
    ("sees_dead_rank", "0.5.9", False, "0.5.10.post1", True),
    # the reference: "auto-sizing when neither ratio nor size is given" from 0.5.21
    ("sizes_itself", "0.5.20", False, "0.5.21", True),
]


@pytest.mark.parametrize(("fact", "old", "before", "new", "after"), CHANGES)
def test_a_fact_changes_between_two_releases(fact: str, old: str, before: object, new: str, after: object) -> None:
    assert getattr(guard(old), fact) == before
    assert getattr(guard(new), fact) == after
    both = host_pool_guard(Release(low=Version(old), high=Version(new)))
    assert both is not None
    assert getattr(both, fact) is None


def test_every_change_is_tested() -> None:
    assert {change[0] for change in CHANGES} == set(FACTS)


@pytest.mark.parametrize(
    ("fact", "release"),
    [("extra_page", "0.5.5.post1"), ("free_means", "0.4.9.post3"), ("rounds_to_power_of_two", "0.4.4.post1")],
)
def test_between_two_releases_that_were_read_nothing_is_said(fact: str, release: str) -> None:
    assert getattr(guard(release), fact) is None


def test_the_founding_release_checks_each_rank_against_the_whole_host() -> None:
    found = guard("0.5.9")
    assert found.divides_by_ranks is False
    assert "all ranks can pass at once" in found.sentences["divides_by_ranks"]
    assert found.sees_dead_rank is False
