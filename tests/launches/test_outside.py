"""What snapshots, probes and people say goes to the launches that it concerns, at the node that its name tells."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from analyzer.events import DistributedInitBegun, ExitCode, MemorySnapshot, ServerReady
from analyzer.launches.outside import mark_last, place_outside, placeless
from tests.build import launch, timed, tp, turned, where

if TYPE_CHECKING:
    from analyzer.launches import Launch


def begun(name: str, time: str, line: int, source: str = "server.log") -> Launch:
    made = launch(DistributedInitBegun(where=where(line, time, tp(0), source)))
    return replace(made, id=name, sources=(source,), nodes={"n0": (source,)})


def placed(made: list[Launch], line: int, time: str | None, source: str) -> list[str]:
    """The launches that get a snapshot of this time in this source."""
    mark_last(made)
    place_outside(made, [timed(MemorySnapshot(where=where(line, time, source=source)))])
    return [one.id for one in made if one.outside]


def three() -> list[Launch]:
    """Two launches in one log, and one of another server beside them."""
    return [begun("a", "10:00:00", 5), begun("b", "11:00:00", 50), begun("c", "10:30:00", 5, "other.log")]


def test_the_last_launch_in_a_log_is_the_server_s_last() -> None:
    made = three()
    mark_last(made)
    assert [one.last_of_server for one in made] == [False, True, True]


@pytest.mark.parametrize(
    ("time", "expected"),
    [
        ("10:45:00", ["a", "b", "c"]),
        ("11:00:00", ["b", "c"]),  # b has begun: a is over
        ("12:00:00", ["b", "c"]),
        (None, ["b", "c"]),  # what is left is what people look at
    ],
)
def test_a_snapshot_concerns_every_launch_that_none_had_followed_by_then(time: str | None, expected: list[str]) -> None:
    assert placed(three(), 1, time, "free.txt") == expected


def test_what_stands_in_a_log_concerns_its_launches_alone() -> None:
    assert placed(three(), 5, "10:00:00", "server.log") == ["a", "b"]
    assert placed(three(), 60, "12:00:00", "server.log") == ["b"]
    assert placed(three(), 60, None, "other.log") == ["c"]


HOSTS = {"hosts.txt": frozenset({"alpha", "beta"})}


def node_of(made: Launch, host: str, hosts: dict[str, frozenset[str]]) -> str:
    """The node at which a snapshot of this host counts."""
    mark_last([made])
    seen = replace(where(1, None, source="hosts.txt"), node=host)
    place_outside([made], [timed(MemorySnapshot(where=seen))], hosts)
    return made.outside[-1].node


def test_of_several_hosts_one_is_the_node_that_the_log_s_name_tells() -> None:
    made = begun("a", "10:00:00", 5, "alpha.server.log")
    assert [node_of(made, host, HOSTS) for host in ("alpha", "beta")] == ["n0", "beta"]
    assert node_of(made, "alpha.example.org", {"hosts.txt": frozenset({"alpha.example.org", "beta"})}) == "n0"
    assert placeless([made], HOSTS) == []


def test_of_several_hosts_one_is_the_node_that_the_log_s_lines_tell() -> None:
    made = replace(begun("a", "10:00:00", 5), name="beta")
    assert [node_of(made, host, HOSTS) for host in ("alpha", "beta")] == ["alpha", "n0"]


def test_several_hosts_that_no_log_names_are_none_of_its_node() -> None:
    made = begun("a", "10:00:00", 5)
    assert node_of(made, "alpha", HOSTS) == "alpha"
    [note] = placeless([made], HOSTS)
    assert note.startswith("hosts.txt holds outputs of 2 hosts (alpha, beta), and no log says")


def test_one_host_alone_is_the_server_s() -> None:
    made = begun("a", "10:00:00", 5)
    assert node_of(made, "alpha", {"hosts.txt": frozenset({"alpha"})}) == "n0"
    assert placeless([made], {"hosts.txt": frozenset({"alpha"})}) == []


def test_hosts_that_said_the_same_are_one_name() -> None:
    made = begun("a", "10:00:00", 5, "node2.log")
    hosts = {"hosts.txt": frozenset({"node[1-3]", "node4"})}
    assert [node_of(made, host, hosts) for host in ("node[1-3]", "node4")] == ["n0", "node4"]


def restarted(*, newest_first: bool = False) -> list[Launch]:
    """Two launches of one log, of the lines 5 to 20 and 50 to 70, or as many lines from its other end."""
    found = []
    for name, time, lines in (("a", "10:00", (5, 20)), ("b", "11:00", (50, 70))):
        first, last = (100 - line if newest_first else line for line in lines)
        started = DistributedInitBegun(where=where(first, f"{time}:00", tp(0)))
        made = replace(launch(started, ServerReady(where=where(last, f"{time}:30"))), id=name)
        found.append(turned(made) if newest_first else made)
    return found


def ended(made: list[Launch], line: int, time: str | None = None, source: str = "server.log") -> list[str]:
    """The launches that get an exit code."""
    mark_last(made)
    item = replace(timed(ExitCode(where=where(line, time, source=source))), newest_first=bool(made[0].newest_first))
    place_outside(made, [item])
    return [one.id for one in made if one.outside]


@pytest.mark.parametrize(
    ("line", "time", "expected"),
    [
        (30, None, ["a"]),  # `sglang-1 exited with code 137`, and then the container's next launch
        (30, "10:30:00", ["a"]),
        (30, "11:30:00", ["b"]),  # a listing of a later time that was pasted between
        (80, None, ["b"]),
        (2, None, ["b"]),  # the state of things, above the log
        (10, None, ["a", "b"]),  # within the first: of another container, or of a child
    ],
)
def test_an_end_between_two_launches_of_one_log_is_the_former_s(
    line: int, time: str | None, expected: list[str]
) -> None:
    assert ended(restarted(), line, time) == expected


def test_an_end_in_another_file_is_of_the_last_launch() -> None:
    assert ended(restarted(), 30, source="compose.txt") == ["b"]


def test_in_an_export_with_the_newest_line_first_the_former_launch_stands_below() -> None:
    assert ended(restarted(newest_first=True), 70) == ["a"]
    assert ended(restarted(newest_first=True), 20) == ["b"]


def test_a_snapshot_between_two_launches_is_of_the_one_that_comes() -> None:
    assert placed(restarted(), 30, None, "server.log") == ["b"]
