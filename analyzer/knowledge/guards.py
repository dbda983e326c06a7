"""What SGLang checks before it allocates a HiCache host pool, and what it leaves to chance, by release."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from packaging.version import Version

from analyzer.immutable import immutable
from analyzer.knowledge.eras import Era, at
from analyzer.knowledge.facts import table
from analyzer.units import Amount, Byte, of_release

if TYPE_CHECKING:
    from collections.abc import Mapping

    from analyzer.knowledge.release import Release

FreeMeans = Literal["available", "after-reserve", "rank-share"]
HybridPools = Literal["one", "each-full", "split"]


@immutable
class HostPoolGuard:
    """The facts that hold in every release that the asked one can be; `None` where they differ among those.

    `reserve` is what stays untouched, in bytes. `free_means` is what the figure behind `but only have` is.
    `extra_page` is the page that rounding adds. `rounds_to_power_of_two`: torch's pinned allocator may take that much
    more. `hybrid_pools`: whether a hybrid model's pools each take the full size. `sees_dead_rank` is the launcher's.
    `sentences` explains each known fact by its name, and `always` what holds in all releases.
    """

    reserve: Amount[Byte]
    divides_by_ranks: bool | None
    knows_cgroup: bool | None
    free_means: FreeMeans | None
    extra_page: bool | None
    rounds_to_power_of_two: bool | None
    refuses_smaller_pool: bool | None
    hybrid_pools: HybridPools | None
    binds_to_numa_node: bool | None
    checks_registration: bool | None
    sees_dead_rank: bool | None
    sizes_itself: bool | None
    sentences: Mapping[str, str]
    always: Mapping[str, str]


def host_pool_guard(release: Release) -> HostPoolGuard | None:
    """The guard of a release; `None` for a fork and for releases from before HiCache.

    Of an unknown release only the facts that never changed are told.
    """
    known = table("guards")
    if release.fork or (release.high is not None and release.high <= Version(known["exists"]["after"])):
        return None
    eras = {name: at(history, release) for name, history in _facts().items()}
    facts: dict[str, Any] = {name: era["value"] if era is not None else None for name, era in eras.items()}
    return HostPoolGuard(
        reserve=_reserve(),
        **facts,
        sentences={name: era["sentence"] for name, era in eras.items() if era is not None},
        always=known["always"],
    )


def _reserve() -> Amount[Byte]:
    fact = table("guards")["reserve"]
    return of_release(fact["number"], fact["unit"], fact["sentence"])


@cache
def _facts() -> Mapping[str, tuple[Era[dict[str, Any]], ...]]:
    return {fact["id"]: tuple(map(_era, fact["era"])) for fact in table("guards")["fact"]}


def _era(row: dict[str, Any]) -> Era[dict[str, Any]]:
    return Era(Version(row["since"]), row, Version(row["after"]) if "after" in row else None)
