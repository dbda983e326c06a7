"""Host pools of all ranks are held against what the host has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.events import (
    CgroupMemory,
    Event,
    HostPoolAnnounced,
    HostPoolRefused,
    MemorySnapshot,
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
    # (405 - 10 - 22.45) GiB / 8 = 46.57 GiB = 50.004 GB
    assert number(verdict, "suggested size per rank") == 50 * GB
    assert all(not r.assumptions for r in verdict.remedy)


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
