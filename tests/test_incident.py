"""Hosts are seen through their snapshots, and ranks are counted."""

from __future__ import annotations

from analyzer.events import CgroupMemory, DistributedInitBegun, Event, HostNote, MemorySnapshot
from analyzer.incident import Given, Host, Incident
from analyzer.units import given
from analyzer.units.amount import Given as Fact
from tests.build import incident, instant, launch, size, tp, where

GIB = 2**30


def snapshot(total: str, time: str | None = None, label: str = "", source: str = "free.txt") -> MemorySnapshot:
    return MemorySnapshot(where=where(3, time, source=source), total=size(f"{total} GiB"), label=label)


def host(*outside: Event, facts: Given | None = None) -> Host:
    return incident(launch(outside=outside), given=facts).hosts[0]


def ranked(*ranks: int, **values: object) -> Incident:
    begun = [DistributedInitBegun(where=where(5 + r, "10:03:00", tp(r))) for r in ranks]
    return incident(launch(*begun, values=values or None))


def test_nothing_known_is_no_limit() -> None:
    assert host().limit is None


def test_a_snapshot_tells_more_than_a_note() -> None:
    note = HostNote(where=where(1, source="notes.txt"), memory=size("512 GB"))
    total = host(note, snapshot("449")).total
    assert total is not None
    assert total.value == 449 * GIB


def ram(gibibytes: str, name: str | None = None) -> Given:
    return Given(ram={name: given(gibibytes, "GiB", Fact("user", "given"))})


def test_what_the_user_gives_stands_in_for_what_the_input_lacks() -> None:
    seen = host(facts=ram("400"))
    assert seen.total is not None
    assert seen.total.value == 400 * GIB
    assert seen.given == ("RAM of n0: 400 GiB",)


def test_a_total_that_a_tool_printed_is_not_overruled_and_that_is_said() -> None:
    seen = host(snapshot("3022"), facts=ram("449"))
    assert seen.total is not None
    assert seen.total.value == 3022 * GIB
    assert seen.given == ()
    assert seen.notes == ("RAM of n0 given as 449 GiB was not used: the input says 3,022 GiB",)


def test_installed_memory_does_not_contradict_what_the_kernel_left_of_it() -> None:
    seen = host(snapshot("503"), facts=ram("512"))
    assert seen.given == ("RAM of n0: 512 GiB",)


def test_a_node_is_called_by_its_id_or_by_its_files() -> None:
    for name in ("n0", "N0"):
        assert host(facts=ram("400", name)).total is not None
    assert host(facts=ram("400", "n7")).total is None


def test_the_smaller_of_host_and_container_binds() -> None:
    cgroup = CgroupMemory(where=where(1, source="cgroup.txt"), limit=size("100 GiB"))
    limit = host(snapshot("2015"), cgroup).limit
    assert limit is not None
    assert limit.value == 100 * GIB


def test_a_number_larger_than_the_host_is_no_limit_of_a_container() -> None:
    huge = CgroupMemory(where=where(1, source="cgroup.txt"), limit=size("8589934589 GiB"))
    assert host(snapshot("449"), huge).cgroup_limit is None


def test_a_snapshot_is_before_by_its_time_or_by_its_words() -> None:
    moment = instant("10:06:42")
    assert host(snapshot("449", "10:00:00")).before(moment) is not None
    assert host(snapshot("449", label="08:58 before starting")).before(moment) is not None
    assert host(snapshot("449", source="before/free.txt")).before(moment) is not None
    assert host(snapshot("449", "10:07:00")).before(moment) is None
    assert host(snapshot("449")).before(moment) is None


def test_an_undated_snapshot_shows_what_is_left() -> None:
    assert host(snapshot("449")).after(instant("10:06:42")) is not None
    assert host(snapshot("449", "10:00:00")).after(instant("10:06:42")) is None


def test_ranks_that_speak_are_counted() -> None:
    made = ranked(0, 1, 2, 3, tp_size=4)
    ranks = made.ranks(made.hosts[0])
    assert ranks is not None
    assert ranks.value == 4


def test_ranks_that_should_be_there_count_where_fewer_speak() -> None:
    made = ranked(0, tp_size=8)
    ranks = made.ranks(made.hosts[0])
    assert ranks is not None
    assert ranks.value == 8


def test_plain_data_parallelism_multiplies_and_attention_does_not() -> None:
    plain = ranked(tp_size=2, dp_size=4).ranks_declared()
    attention = ranked(tp_size=8, dp_size=4, enable_dp_attention=True).ranks_declared()
    assert plain is not None
    assert attention is not None
    assert (plain.value, attention.value) == (8, 8)


def test_ranks_are_shared_by_the_nodes() -> None:
    ranks = ranked(tp_size=16, nnodes=2).ranks_declared()
    assert ranks is not None
    assert ranks.value == 8


def test_without_arguments_nobody_declares_ranks() -> None:
    assert ranked(0, 1).ranks_declared() is None
