"""What shows that a host's memory was reached, and how firmly."""

from __future__ import annotations

from analyzer.events import CgroupMemory, Event, ExceptionRaised, MemorySnapshot, OomKill, RankDead
from analyzer.ledgers.host_effect import Effect, effect_on, used_up
from analyzer.vocabulary import Status
from tests.build import incident, instant, launch, size, where


def snapshot(available: str, time: str | None = None, label: str = "") -> MemorySnapshot:
    return MemorySnapshot(
        where=where(3, time, source="free.txt"), total=size("100 GiB"), available=size(f"{available} GiB"), label=label
    )


def effect(*events: Event, outside: tuple[Event, ...] = ()) -> Effect | None:
    made = incident(launch(*events, outside=outside))
    return effect_on(made, made.hosts[0], None)


def test_a_host_with_a_tenth_left_is_not_used_up() -> None:
    assert not used_up(snapshot("10"))


def test_a_host_with_a_twentieth_left_is_used_up() -> None:
    assert used_up(snapshot("5"))


def test_a_snapshot_without_a_total_says_nothing() -> None:
    assert not used_up(MemorySnapshot(where=where(1), available=size("1 GiB")))


def test_nothing_seen_is_no_effect() -> None:
    assert effect(outside=(snapshot("60"),)) is None


def test_a_snapshot_from_before_is_no_effect() -> None:
    assert effect(outside=(snapshot("5", label="before starting"),)) is None


def test_a_used_up_host_is_established() -> None:
    seen = effect(outside=(snapshot("5"),))
    assert seen is not None
    assert seen.status is Status.ESTABLISHED


def test_a_dead_rank_is_supported_only() -> None:
    seen = effect(RankDead(where=where(9), code=size("-9 count")))
    assert seen is not None
    assert seen.status is Status.SUPPORTED


def test_a_dead_rank_after_an_exception_is_none_of_the_hosts_memory() -> None:
    raised = ExceptionRaised(where=where(8), process="scheduler", type="ValueError")
    assert effect(raised, RankDead(where=where(9), code=size("-9 count"))) is None


def test_kernel_and_container_records_are_established() -> None:
    kernel = OomKill(where=where(1, source="dmesg.txt"), pid=4, command="sglang::schedul")
    counter = CgroupMemory(where=where(1, source="cgroup.txt"), oom_kills=size("2 count"))
    for record in (kernel, counter):
        seen = effect(outside=(record,))
        assert seen is not None
        assert seen.status is Status.ESTABLISHED


def test_a_counter_at_zero_is_no_effect() -> None:
    assert effect(outside=(CgroupMemory(where=where(1, source="cgroup.txt"), oom_kills=size("0 count")),)) is None


def inside(limit: str, used: str | None = None, at_limit: str | None = None, time: str | None = None) -> CgroupMemory:
    place = where(1, time, source="cgroup.txt")
    hits = size(f"{at_limit} count") if at_limit is not None else None
    return CgroupMemory(where=place, limit=size(limit), used=size(used) if used else None, at_limit=hits)


def test_a_container_with_room_shows_no_effect() -> None:
    assert effect(outside=(inside("400 GiB", used="380 GiB", at_limit="0"),)) is None


def test_a_container_at_its_limit_is_supported_since_its_cache_counts_too() -> None:
    # memory.current within one percent of memory.max: 396 of 400 GiB; or memory.events with `max` above zero
    for record in (inside("400 GiB", used="399 GiB"), inside("400 GiB", at_limit="17")):
        seen = effect(outside=(record,))
        assert seen is not None
        assert seen.status is Status.SUPPORTED


def test_a_container_that_was_full_before_the_pools_is_no_effect_of_theirs() -> None:
    made = incident(launch(outside=(inside("400 GiB", used="399 GiB", time="10:00:00"),)))
    assert effect_on(made, made.hosts[0], instant("10:06:42")) is None


def seen(**sizes: str) -> MemorySnapshot:
    told = {name: size(f"{number} GiB") for name, number in sizes.items()}
    return MemorySnapshot(where=where(1), total=size("504 GiB"), **told)


def test_what_is_free_beside_a_cache_is_not_all_that_can_be_had() -> None:
    assert not used_up(seen(free="2", cache="470")), "472 of 504 GiB"
    assert used_up(seen(free="2", cache="470", shared="460")), "12 of them: what is shared is no cache that can go"
    assert not used_up(seen(free="2")), "the cache is not known"


def test_a_daemon_acts_before_memory_is_used_up_and_is_not_called_the_kernel() -> None:
    early = OomKill(
        where=where(1, source="journal.txt"), pid=4, command="sglang::schedul", killer="earlyoom", scope="free"
    )
    seen = effect(outside=(early,))
    assert seen is not None
    assert (seen.text, seen.status) == ("earlyoom ended sglang::schedul (pid 4)", Status.SUPPORTED)
