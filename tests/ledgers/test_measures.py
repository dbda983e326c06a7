"""What a launch prints of itself comes out figure by figure."""

from __future__ import annotations

from analyzer.events import CgroupMemory, Event, HostPoolAnnounced, MemorySnapshot, RankDead, ShardsProgress
from analyzer.ledgers.measures import Measure, measures
from tests.build import incident, launch, size, tp, where
from tests.rules.answers import failure
from tests.rules.launched import loaded

GIB = 2**30


def named(*events: Event, outside: tuple[Event, ...] = ()) -> dict[str, Measure]:
    return {m.name: m for m in measures(incident(launch(*events, outside=outside)))}


def test_what_is_not_printed_is_no_measure() -> None:
    assert named() == {}


def test_ranks_that_differ_give_a_span_of_one_figure() -> None:
    found = named(loaded("40.00 GiB", "53.00 GiB", 5, tp(0)), loaded("38.00 GiB", "55.00 GiB", 6, tp(1)))[
        "weights on the GPU"
    ]
    assert (found.first.number(), found.least.number(), found.most.number()) == (53 * GIB, 53 * GIB, 55 * GIB)
    assert found.processes == 2


def test_a_draft_models_later_figure_does_not_replace_the_models_own() -> None:
    found = named(loaded("40.00 GiB", "53.00 GiB", 5, tp(0)), loaded("38.00 GiB", "2.00 GiB", 9, tp(0), "10:04:30"))
    assert found["weights on the GPU"].most.number() == 53 * GIB


def test_a_bar_tells_shards_and_their_pace() -> None:
    bar = ShardsProgress(
        where=where(5, "10:03:30", tp(0)), done=size("10 count"), total=size("40 count"), elapsed=size("25 s")
    )
    found = named(bar)
    values = {name: found[name].first.number() for name in ("shards", "shards loaded", "seconds per shard")}
    assert values == {"shards": 40, "shards loaded": 10, "seconds per shard": 2.5}  # 25 s / 10


def test_the_pools_of_a_rank_are_told_apart_by_name() -> None:
    pools = [
        HostPoolAnnounced(where=where(20 + n, "10:06:42", tp(0)), size=size(f"{gb} GB"), pool=name)
        for n, (name, gb) in enumerate((("kv", "32.00"), ("indexer", "7.33")))
    ]
    found = named(*pools)
    assert found["host pool, kv"].first.number() == 32e9
    assert found["host pool, indexer"].first.number() == 7.33e9


def test_exit_codes_and_the_figures_of_error_lines_are_there() -> None:
    dead = RankDead(where=where(30, "10:20:00"), code=size("-9 count", 30))
    late = failure("collective-timeout", "timed out", 29, "10:19:00", tp(0), elapsed=size("600 s", 29))
    found = named(dead, late)
    assert found["exit code of a rank"].first.number() == -9
    assert found["collective-timeout: after"].first.number() == 600


def test_the_hosts_memory_and_its_container_are_there() -> None:
    looks = (
        MemorySnapshot(where=where(3, source="free.txt"), total=size("449 GiB"), available=size("9 GiB")),
        CgroupMemory(where=where(1, source="cgroup.txt"), limit=size("400 GiB")),
    )
    found = named(outside=looks)
    values = {name: found[name].first.number() for name in ("host memory", "container limit", "host memory available")}
    assert values == {"host memory": 449 * GIB, "container limit": 400 * GIB, "host memory available": 9 * GIB}
