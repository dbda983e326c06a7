"""Whose the processes of a listing are."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from analyzer.events import CommandLine, ProcessListed, StopRequested, WeightLoadBegun
from analyzer.ledgers.host_others import last_listing, neighbours_asked, others
from tests.build import incident, launch, where
from tests.rules.host_facts import GB, pools, process

if TYPE_CHECKING:
    from analyzer.events import Event

OWN = "python3 -m sglang.launch_server --tp 2 --port 30001"
OTHER = "python3 -m sglang.launch_server --tp 2 --port 30000"


def strangers(*rows: ProcessListed, argv: str = OWN) -> list[int]:
    typed = [
        CommandLine(where=row.where, argv=tuple(row.command.split()), pid=row.pid)
        for row in rows
        if "launch" in row.command
    ]
    made = incident(launch(argv=argv, outside=(*rows, *typed)))
    return [item.event.pid for item in others(made, made.hosts[0])]


def test_a_listing_of_this_server_alone_has_no_others() -> None:
    assert strangers(process(10, OWN, "2 GiB"), process(11, "sglang::scheduler_TP0", "90 GiB", parent=10)) == []


def test_workers_without_their_parent_in_the_listing_are_this_server_s() -> None:
    assert strangers(process(11, "sglang::scheduler_TP0", "90 GiB"), process(12, "sglang::detokenizer", "2 GiB")) == []


def test_small_processes_are_the_system_s() -> None:
    assert strangers(process(10, OWN, "2 GiB"), process(2, "systemd", "0.01 GiB")) == []


def test_the_largest_comes_first() -> None:
    assert strangers(
        process(10, OWN, "2 GiB"), process(5, "java", "3 GiB"), process(6, "python3 job.py", "40 GiB")
    ) == [6, 5]


def test_another_server_s_workers_are_told_by_their_parent() -> None:
    rows = (
        process(10, OTHER, "2 GiB"),
        process(20, OWN, "2 GiB"),
        process(31, "sglang::scheduler_TP0", "90 GiB", parent=10),
        process(30, "sglang::scheduler_TP0", "80 GiB", parent=20),
    )
    assert strangers(*rows) == [31, 10]


def test_without_parents_in_the_listing_the_nearest_pid_before_tells() -> None:
    rows = (
        process(10, OTHER, "2 GiB"),
        process(11, "sglang::scheduler_TP0", "90 GiB"),
        process(20, OWN, "2 GiB"),
        process(21, "sglang::scheduler_TP0", "80 GiB"),
    )
    assert strangers(*rows) == [11, 10]


def test_of_several_listings_the_last_counts() -> None:
    early = process(5, "java", "300 GiB", time="09:00:00", line=1)
    late = process(5, "java", "3 GiB", time="10:30:00", line=9)
    made = incident(launch(outside=(late, early)))
    assert [item.event for item in last_listing(made, made.hosts[0])] == [late]


def test_a_listing_without_sizes_does_not_count() -> None:
    bare = ProcessListed(where=where(1, source="ps-ef.txt"), pid=5, command="java", snapshot=1)
    made = incident(launch(outside=(process(5, "java", "3 GiB"), bare)))
    assert [item.ref.source for item in last_listing(made, made.hosts[0])] == ["ps.txt"]


def lent(first: str, *more: Event, source: str = "server-a.log", host: str = "") -> float | None:
    """What a neighbour's two pools of 100 GB count for, where its launch begins at `first`."""
    begun = WeightLoadBegun(where=where(1, first, source=source))
    other = replace(
        launch(begun, *pools("100.00", 2), *more), sources=(source,), host_names={"n0": host} if host else {}
    )
    made = incident(launch(WeightLoadBegun(where=where(1, "10:03:00")), *pools("48.00", 2)))
    made.launch.host_names["n0"] = "gpu-1"
    found = neighbours_asked(replace(made, neighbours=(other,)))
    return found.number() if found is not None else None


def test_a_server_that_runs_beside_holds_its_pools() -> None:
    assert lent("08:00:00") == 200 * GB


def test_an_earlier_launch_in_the_same_log_is_over() -> None:
    assert lent("08:00:00", source="server.log") is None


def test_a_server_that_began_later_held_nothing_yet() -> None:
    assert lent("10:30:00") is None


def test_a_server_that_was_stopped_holds_nothing() -> None:
    assert lent("08:00:00", StopRequested(where=where(90, "09:00:00"), signal="SIGTERM")) is None


def test_a_server_on_another_host_holds_nothing_here() -> None:
    assert lent("08:00:00", host="gpu-2") is None
    assert lent("08:00:00", host="gpu-1") == 200 * GB
