"""Host pools of all ranks are held against what the host has."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from analyzer.events import (
    CgroupMemory,
    Event,
    ExceptionRaised,
    ExitCode,
    Failure,
    HostPoolAnnounced,
    HostPoolRefused,
    HostPoolRegistered,
    KvPoolAllocated,
    MemorySnapshot,
    OomKill,
    ProbeFailed,
    RankDead,
    ServerReady,
    WeightLoadBegun,
)
from analyzer.incident import Given
from analyzer.rules.per_rank_host_memory_oversubscription import oversubscribed
from analyzer.units import given
from analyzer.units.amount import Given as Fact
from analyzer.verdict import Cleared, Found, Unknown
from analyzer.vocabulary import Part, Status
from tests.build import incident, launch, size, tp, where

if TYPE_CHECKING:
    from analyzer.verdict import Verdict

GIB, GB = 2**30, 10**9
ARGUMENTS = {"tp_size": 8, "enable_hierarchical_cache": True, "hicache_size": 300}


def pools(gigabytes: str, ranks: int = 8) -> list[Event]:
    return [
        HostPoolAnnounced(where=where(20 + r, "10:06:42", tp(r)), size=size(f"{gigabytes} GB", 20 + r))
        for r in range(ranks)
    ]


def free(total: str, available: str, time: str | None = None, label: str = "") -> MemorySnapshot:
    return MemorySnapshot(
        where=where(3, time, source="free.txt"),
        total=size(f"{total} GiB", 3, "free.txt", truncated=True),
        available=size(f"{available} GiB", 3, "free.txt", truncated=True),
        label=label,
    )


def judged(*events: Event, outside: tuple[Event, ...] = (), **how: object) -> Verdict | None:
    made = launch(*events, outside=outside, values=how.get("values", ARGUMENTS), release=how.get("release", "0.5.9"))  # type: ignore[arg-type]
    return next(oversubscribed(incident(made, given=how.get("given"))), None)  # type: ignore[arg-type]


def found(verdict: Verdict | None) -> Found:
    assert isinstance(verdict, Found)
    return verdict


def number(verdict: Found, name: str) -> float:
    from analyzer.units import steps

    amounts = (*verdict.numbers, *(n for r in verdict.remedy for n in r.numbers))
    return next(s.amount.number() for s in steps(amounts) if s.name == name)


def status(verdict: Found, part: Part) -> Status:
    return next(c.status for c in verdict.claims if c.part is part)


def test_a_server_without_hicache_is_not_asked() -> None:
    assert judged(values={"tp_size": 8}) is None


def test_the_same_flags_on_three_terabytes_are_cleared() -> None:
    assert isinstance(judged(*pools("300.00"), outside=(free("3023", "2900"),)), Cleared)


def test_a_sum_that_just_fits_is_cleared() -> None:
    # 8 x 60 GB = 480 GB = 447.03 GiB, and 449 GiB may be up to 450
    assert isinstance(judged(*pools("60.00"), outside=(free("449", "40"),)), Cleared)


def test_a_server_that_came_up_is_cleared() -> None:
    ready = ServerReady(where=where(40, "10:09:00"))
    assert isinstance(judged(*pools("300.00"), ready, outside=(free("449", "9"),)), Cleared)


def test_an_argument_that_the_launch_never_came_to_accuses_nobody() -> None:
    begun = WeightLoadBegun(where=where(9, "10:03:00", tp(0)))
    assert isinstance(judged(begun, outside=(free("449", "400"),)), Unknown)


def test_pools_of_ordinary_size_without_a_figure_for_the_host_are_unknown() -> None:
    assert isinstance(judged(*pools("48.00")), Unknown)


def test_huge_pools_without_a_figure_for_the_host_are_a_hypothesis() -> None:
    assert found(judged(*pools("300.00"))).status is Status.HYPOTHESIS


def test_eight_pools_of_300_gb_do_not_fit_449_gib() -> None:
    verdict = found(judged(*pools("300.00"), outside=(free("449", "9"),)))
    assert verdict.status is Status.ESTABLISHED
    assert number(verdict, "asked by all ranks on the host") == 8 * 300 * GB
    assert number(verdict, "short by") == 8 * 300 * GB - 449 * GIB
    assert verdict.sum is not None
    assert "about 5 times" in verdict.sum  # 2,400 GB is 2,235 GiB; 2,235 / 449 = 4.98, and 449 is cut, not rounded


def test_a_guard_that_passed_proves_the_memory_it_saw() -> None:
    verdict = found(judged(*pools("300.00"), outside=(free("449", "9"),)))
    assert number(verdict, "available when a rank's guard passed") == 300 * GB + 10 * GIB
    assert status(verdict, Part.LINK) is Status.ESTABLISHED


def test_ceiling_and_suggestion_are_two_numbers() -> None:
    verdict = found(judged(*pools("300.00"), outside=(free("449", "9"),)))
    # (449 - 10) GiB / 8 = 58.9 GB; (449 - 8*4 - 8 - 10 - 0.05*449) GiB / 8 = 47.07 GiB = 50.5 GB
    assert number(verdict, "ceiling per rank") == 58 * GB
    assert number(verdict, "suggested size per rank") == 50 * GB
    assert [r.after for r in verdict.remedy if r.argument == "hicache_size"] == ["50"]


def test_what_was_available_before_sizes_the_pool_and_what_was_left_does_not() -> None:
    before = free("449", "405", "10:01:00")
    verdict = found(judged(*pools("300.00"), outside=(before, free("449", "9", "10:12:00"))))
    # before the launch, at 10:01: (405 - 8 × 4 for the ranks to come - 10 - 22.45) GiB / 8 = 42.57 GiB = 45.7 GB
    assert number(verdict, "suggested size per rank") == 45 * GB
    between = found(judged(*pools("300.00"), outside=(free("449", "405", "10:05:00"), free("449", "9", "10:12:00"))))
    # beside the ranks that already stand: (405 - 10 - 22.45) GiB / 8 = 46.57 GiB = 50.004 GB
    assert number(between, "suggested size per rank") == 50 * GB
    assert all(not r.assumptions for r in between.remedy)


def test_without_a_look_at_the_host_the_effect_stays_open() -> None:
    ram = Given(ram={None: given("449", "GiB", Fact("user", "given"))})
    probe = ProbeFailed(where=where(1, "10:12:41", source="notes.txt"), gave_up=True, waited=size("600 s"))
    verdict = found(judged(*pools("300.00"), outside=(probe,), given=ram))
    assert status(verdict, Part.EFFECT) is Status.SUPPORTED  # 359 s of silence, and no look at the host
    assert verdict.status is Status.SUPPORTED


def test_a_dead_rank_alone_is_supported_at_most() -> None:
    dead = RankDead(where=where(40, "10:08:00"), code=size("-9 count"))
    ram = Given(ram={None: given("449", "GiB", Fact("user", "given"))})
    assert found(judged(*pools("300.00"), dead, given=ram)).status is Status.SUPPORTED


def test_the_limit_of_a_container_binds_before_the_host() -> None:
    cgroup = CgroupMemory(where=where(1, source="cgroup.txt"), limit=size(f"{100 * GIB} B"), oom_kills=size("2 count"))
    verdict = found(judged(*pools("15.00"), outside=(free("2015", "1862"), cgroup)))
    assert number(verdict, "short by") == 8 * 15 * GB - 100 * GIB
    assert status(verdict, Part.EFFECT) is Status.ESTABLISHED


def test_what_another_server_holds_counts_against_the_rest() -> None:
    before = free("755", "341", "10:01:00")
    verdict = found(
        judged(*pools("100.00", 4), outside=(before, free("755", "2", "10:12:00")), values=ARGUMENTS | {"tp_size": 4})
    )
    assert number(verdict, "already in use") == (755 - 341) * GIB
    assert number(verdict, "short by") == 4 * 100 * GB - 341 * GIB


def test_pinned_blocks_are_rounded_up_in_the_releases_that_do_so() -> None:
    # 40 GB = 37.25 GiB, the next power of two is 64 GiB; 4 x 64 = 256 GiB against 251
    after = free("251", "7", "10:12:00")
    verdict = found(
        judged(*pools("40.00", 4), outside=(after,), values=ARGUMENTS | {"tp_size": 4}, release="0.5.3.post3")
    )
    assert number(verdict, "pinned by all ranks on the host") == 4 * 64 * GIB
    assert verdict.status is Status.SUPPORTED
    assert isinstance(judged(*pools("40.00", 4), outside=(after,), values=ARGUMENTS | {"tp_size": 4}), Cleared)


def test_a_refusal_of_one_rank_alone_is_not_a_matter_of_ranks() -> None:
    refused = HostPoolRefused(where=where(20, "10:06:42"), wanted=size("7.05 GB"), free=size("2.04 GB"))
    verdict = judged(refused, outside=(free("125", "11"),), values=ARGUMENTS | {"tp_size": 1})
    assert isinstance(verdict, Cleared)


def test_a_refused_share_counts_for_every_rank() -> None:
    refused = [
        HostPoolRefused(where=where(20 + r, "10:06:42", tp(r)), wanted=size("300.00 GB"), free=size("57.66 GB"))
        for r in range(8)
    ]
    verdict = found(judged(*refused, outside=(free("449", "439"),), release="0.5.20"))
    assert number(verdict, "asked by all ranks on the host") == 2400 * GB
    assert verdict.status is Status.ESTABLISHED
    # (439 - 8 x 4 for the processes - 10 - 5% of 449) / 8 = 46.8 GiB = 50.3 GB
    assert "--hicache-size 50" in verdict.remedy[1].action
    # the share printed as free is less than (449 GiB - 10 GiB) / 8 = 58.9 GB
    assert "more than 57 SGLang refuses as the host stands" in verdict.remedy[1].action


def test_ranks_that_went_on_behind_their_pools_have_them() -> None:
    # 4 x 100 GB = 372.5 GiB of 341 available before, yet every rank attached its storage behind its pool
    behind = [HostPoolRegistered(where=where(40 + r, "10:07:30", tp(r))) for r in range(4)]
    before = free("755", "341", "10:01:00")
    values = ARGUMENTS | {"tp_size": 4, "hicache_size": 100}
    assert isinstance(judged(*pools("100.00", 4), *behind, outside=(before,), values=values), Cleared)


def test_a_store_that_does_not_answer_is_asked_behind_the_pool() -> None:
    retry = Failure(where=where(40, "10:07:30"), topic="dependency-unreachable", text="Failed to connect to master")
    assert isinstance(judged(*pools("300.00"), retry), Unknown)


def test_a_rank_that_asks_its_storage_leaves_it_open_whether_all_pools_stand() -> None:
    # 4 x 100 GB = 372.5 GiB of 341 available before, then retries of a storage: no look at the host since
    retry = Failure(where=where(40, "10:07:30"), topic="dependency-unreachable", text="Failed to connect to master")
    looks = (free("755", "341", "10:01:00"), ProbeFailed(where=where(1, "10:12:41", source="notes.txt"), gave_up=True))
    values = ARGUMENTS | {"tp_size": 4, "hicache_size": 100}
    assert isinstance(judged(*pools("100.00", 4), retry, outside=looks, values=values), Unknown)


def test_memory_to_spare_after_the_pools_makes_silence_no_effect() -> None:
    # 8 x 48 GB are 357.6 GiB of 350 available before; ten minutes later 100 are left: something else is quiet
    looks = (free("449", "350", "10:01:00"), free("449", "100", "10:16:00"))
    values = ARGUMENTS | {"hicache_size": 48}
    verdict = found(judged(*pools("48.00"), outside=looks, values=values))
    assert verdict.status is Status.HYPOTHESIS
    assert [r.source for r in verdict.contradicting] == ["free.txt"]


def test_pools_beside_a_full_host_leave_nothing_for_the_ranks() -> None:
    # 8 x 57 GB = 424.7 GiB; 449 - 10 - 8*4 = 407 GiB
    verdict = found(
        judged(*pools("57.00"), outside=(free("449", "1", "10:12:00"),), values=ARGUMENTS | {"hicache_size": 57})
    )
    assert verdict.status is Status.SUPPORTED
    assert number(verdict, "short by") == 8 * 57 * GB - 407 * GIB


def test_announced_pools_larger_than_the_host_are_supported_before_anybody_looks() -> None:
    ram = Given(ram={None: given("449", "GiB", Fact("user", "given"))})
    assert found(judged(*pools("300.00"), given=ram)).status is Status.SUPPORTED


def test_ranks_that_have_not_spoken_lower_the_demand_where_they_matter() -> None:
    # 5 x 60 GB = 279 GiB of 350 GiB; all eight would ask for 447
    verdict = found(judged(*pools("60.00", 5), outside=(free("350", "3"),), values=ARGUMENTS | {"hicache_size": 60}))
    assert status(verdict, Part.DEMAND) is Status.SUPPORTED
    # five of eight ask for 500 GB = 465.7 GiB of 350: too much already, and yet three are not heard of
    fewer = found(judged(*pools("100.00", 5), outside=(free("350", "3"),)))
    assert status(fewer, Part.DEMAND) is Status.SUPPORTED
    assert "465.7 GiB, is too much already" in fewer.claims[0].text


def test_offloaded_weights_count_with_the_pools() -> None:
    # 8 x 40 GB = 298 GiB fit 449 GiB; 8 x 30 GiB of weights beside them do not
    values = ARGUMENTS | {"hicache_size": 40, "cpu_offload_gb": 30}
    verdict = found(judged(*pools("40.00"), outside=(free("449", "4"),), values=values))
    assert number(verdict, "short by") == 8 * 40 * GB + 8 * 30 * GIB - 449 * GIB
    assert "offloaded weights" in verdict.summary
    assert verdict.status is Status.HYPOTHESIS  # the argument is an upper bound


def test_offloaded_weights_alone_are_a_demand() -> None:
    values = {"tp_size": 8, "cpu_offload_gb": 80}
    verdict = found(judged(outside=(free("449", "4"),), values=values))
    assert number(verdict, "weights offloaded by all ranks, at most") == 8 * 80 * GIB
    assert str(verdict.sum).startswith("8 ranks × 80 GiB per rank = 640 GiB against 449 GiB")
    assert verdict.explanation == ""  # no pool, and no guard that could have refused it
    assert [r.argument for r in verdict.remedy if r.argument] == ["cpu_offload_gb"]


@pytest.mark.parametrize(
    ("anon", "hicache", "expected"),
    [("59.1", False, Status.SUPPORTED), ("30", False, Status.HYPOTHESIS), ("59.1", True, Status.HYPOTHESIS)],
)
def test_a_killed_rank_that_held_most_of_its_share_supports_the_bound(
    anon: str, *, hicache: bool, expected: Status
) -> None:
    # 8 x 64 GiB of 449 GiB; three quarters of 64 are 48; beside pools, what a rank holds may be theirs
    values = {"tp_size": 8, "cpu_offload_gb": 64, "enable_hierarchical_cache": hicache}
    kill = OomKill(
        where=where(3, "10:08:38", source="dmesg.txt"), pid=903, command="sglang::schedul", anon=size(f"{anon} GiB", 3)
    )
    verdict = found(judged(outside=(free("449", "400"), kill), values=values))
    assert status(verdict, Part.DEMAND) is expected


@pytest.mark.parametrize(("hicache", "use"), [(False, "retracted requests"), (True, "prefix cache")])
def test_a_decode_server_s_pool_for_retracted_requests_is_no_prefix_cache(use: str, *, hicache: bool) -> None:
    values = {"tp_size": 8, "disaggregation_mode": "decode", "enable_hierarchical_cache": hicache}
    pool = KvPoolAllocated(where=where(12, "10:06:30", tp(0)), tokens=size("200000 token"), kv_size=size("20 GiB"))
    made = replace(launch(pool, *pools("100.00"), outside=(free("449", "440"),), values=values), role="decode")
    verdict = found(next(oversubscribed(incident(made)), None))
    without = "enable_hierarchical_cache" if hicache else "disaggregation_decode_retraction_backup"
    assert verdict.remedy[1].argument == without
    assert f"tokens of {use} per rank" in verdict.remedy[2].action


@pytest.mark.parametrize(
    "told",
    [
        OomKill(where=where(3, "10:08:38", source="dmesg.txt"), pid=903, command="sglang::schedul"),
        ExitCode(where=where(3, source="pod.txt"), code=size("137 count", 3), reason="OOMKilled", oom=True),
    ],
)
def test_whether_the_kernel_killed_a_rank_is_not_asked_where_it_is_told(told: Event) -> None:
    commands = [c.command for c in found(judged(*pools("300.00"), outside=(free("449", "9"), told))).confirm]
    assert commands == ["ps -eo pid,rss,args --sort=-rss | head -20"]


def test_segments_of_a_store_count_with_the_pools() -> None:
    # 8 x 40 GB = 298 GiB, and 200 GiB lent to the store, of 449 GiB
    config = {
        "hicache_storage_backend": "mooncake",
        "hicache_storage_backend_extra_config": '{"global_segment_size": "200gb"}',
    }
    verdict = found(
        judged(*pools("40.00"), outside=(free("449", "4"),), values=ARGUMENTS | {"hicache_size": 40} | config)
    )
    assert number(verdict, "short by") == 8 * 40 * GB + 200 * GIB - 449 * GIB


def test_the_size_offered_is_a_power_of_two_where_blocks_are_rounded() -> None:
    # 251 - 4*4 - 8 - 10 - 5% = 204 GiB, 51 for each rank: the largest block is 32 GiB = 34.36 GB
    after = free("251", "7", "10:12:00")
    values = ARGUMENTS | {"tp_size": 4, "hicache_size": 40}
    verdict = found(judged(*pools("40.00", 4), outside=(after,), values=values, release="0.5.3.post3"))
    assert [r.after for r in verdict.remedy if r.argument == "hicache_size"] == ["34"]


def test_no_size_is_offered_below_the_gpu_s_pool_where_the_release_refuses_it() -> None:
    # 50 GB per rank would leave room, but a host pool must be larger than the 60 GiB on the GPU
    pool = KvPoolAllocated(where=where(9, "10:05:00", tp(0)), tokens=size("900000 token"), kv_size=size("60 GiB"))
    verdict = found(judged(pool, *pools("300.00"), outside=(free("449", "9"),)))
    assert [r.after for r in verdict.remedy if r.argument == "hicache_size"] == []


def test_a_server_that_ended_needs_no_stopping() -> None:
    dead = RankDead(where=where(40, "10:08:00"), code=size("-9 count"))
    verdict = found(judged(*pools("300.00"), dead, outside=(free("449", "9"),)))
    assert verdict.lose is None
    assert verdict.not_known == ()
    assert not [r for r in verdict.remedy if "stop the server" in r.action]


def test_of_several_nodes_the_small_one_is_named() -> None:
    made = launch(*pools("140.00"), outside=(free("1007", "40"),), values=ARGUMENTS | {"hicache_size": 140})
    case = incident(made)
    large = replace(case.hosts[0], node="n1", name="big", total=size("2015 GiB"), snapshots=())
    verdicts = list(oversubscribed(replace(case, hosts=(case.hosts[0], large))))
    assert "node n0" in found(verdicts[0]).summary
    assert "memory of big" in [a.name for a in found(verdicts[0]).numbers]
    assert isinstance(verdicts[1], Cleared)


@pytest.mark.parametrize(("file", "firm"), [("free.txt", Status.SUPPORTED), ("node0.free.txt", Status.ESTABLISHED)])
def test_of_several_nodes_a_listing_that_names_none_is_no_proof_of_the_limit(file: str, firm: Status) -> None:
    sizes = {"total": size("1007 GiB", 3, file), "available": size("4 GiB", 3, file)}
    shown = MemorySnapshot(where=where(3, source=file), **sizes)
    made = launch(*pools("140.00"), outside=(shown,), values=ARGUMENTS | {"hicache_size": 140})
    made.nodes = {"n0": ("node0.log",), "n1": ("node1.log",)}
    case = incident(made)
    verdict = found(next(oversubscribed(replace(case, hosts=case.hosts[:1]))))
    assert status(verdict, Part.LIMIT) is firm


def test_the_sentence_names_the_argument_and_whose_it_is() -> None:
    verdict = found(judged(*pools("300.00"), outside=(free("449", "9"),)))
    assert verdict.summary.startswith("--hicache-size 300 counts per rank: each of 8 ranks takes a host pool of 300 GB")


def test_an_error_of_its_own_ends_a_launch_whatever_the_memory_did() -> None:
    raised = ExceptionRaised(
        where=where(40, "10:07:00", tp(0)), process="scheduler", type="KeyError", text="KeyError: 'x'"
    )
    verdict = found(judged(*pools("300.00"), raised, outside=(free("449", "9"),)))
    assert status(verdict, Part.LINK) is Status.HYPOTHESIS
    assert verdict.status is Status.HYPOTHESIS
