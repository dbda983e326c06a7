"""Listings and kernel records show which processes of the server live."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from analyzer.events import CommandLine, OomKill, ProcessListed
from analyzer.ledgers.processes import listing, own_oom_kills
from tests.build import incident, launch, where

if TYPE_CHECKING:
    from analyzer.events import Event

PARENT = "python3 -m sglang.launch_server --model-path /m --tp 2"


def row(pid: int, state: str, command: str, snapshot: int = 0) -> ProcessListed:
    return ProcessListed(where=where(pid, source="ps.txt"), pid=pid, state=state, command=command, snapshot=snapshot)


def test_a_listing_of_other_programs_shows_no_server() -> None:
    assert listing(incident(launch(outside=[row(9, "S", "nginx: worker")]))) is None


def test_workers_are_told_by_their_state() -> None:
    rows = [
        row(1, "Ssl", PARENT),
        row(2, "Dl", "sglang::scheduler_TP0"),
        row(3, "Zl", "[sglang::schedul] <defunct>"),
        row(4, "Sl", "sglang::detokenizer"),
    ]
    seen = listing(incident(launch(outside=rows)))
    assert seen is not None
    assert seen.parent_alive
    assert [t.event.pid for t in seen.alive] == [t.event.pid for t in seen.stuck] == [2]
    assert [t.event.pid for t in seen.dead] == [3]


def test_the_last_listing_counts() -> None:
    rows = [row(2, "Rl", "sglang::scheduler", 0), row(2, "Zl", "sglang::scheduler", 1)]
    seen = listing(incident(launch(outside=rows)))
    assert seen is not None
    assert len(seen.dead) == 1
    assert not seen.alive


def test_the_last_listing_is_the_latest_and_not_the_one_lowest_in_its_file() -> None:
    def seen_at(time: str, state: str, snapshot: int, source: str) -> ProcessListed:
        place = where(snapshot, time, source=source)
        return ProcessListed(where=place, pid=2, state=state, command="sglang::scheduler_TP0", snapshot=snapshot)

    early, late = seen_at("10:07:00", "Rl", 90, "early.txt"), seen_at("10:12:00", "Zl", 3, "late.txt")
    seen = listing(incident(launch(outside=[early, late])))
    assert seen is not None
    assert [t.event.state for t in seen.dead] == ["Zl"]
    assert not seen.alive


def kill(pid: int, command: str) -> OomKill:
    return OomKill(where=where(pid, source="dmesg.txt"), pid=pid, command=command)


def test_a_killed_neighbour_is_not_ours() -> None:
    rows = [row(1, "Ssl", PARENT), row(2, "Rl", "sglang::scheduler")]
    assert own_oom_kills(incident(launch(outside=[*rows, kill(77, "python3"), kill(78, "postgres")]))) == []


def test_a_listed_pid_is_ours_whatever_its_name() -> None:
    rows = [row(1, "Ssl", PARENT)]
    assert [t.event.pid for t in own_oom_kills(incident(launch(outside=[*rows, kill(1, "python3")])))] == [1]


def test_the_kernels_short_name_of_a_scheduler_is_ours() -> None:
    assert len(own_oom_kills(incident(launch(outside=[kill(88214, "sglang::schedul")])))) == 1


def server(pid: int, port: int, *workers: int) -> list[Event]:
    """A launcher on a port, with its workers below it."""
    argv = (*PARENT.split(), "--port", str(port))
    below = [replace(row(worker, "S", "sglang::scheduler_TP0"), parent=pid) for worker in workers]
    return [
        row(pid, "S", " ".join(argv)),
        CommandLine(where=where(pid, source="ps.txt"), argv=argv, pid=pid),
        *below,
    ]


@pytest.mark.parametrize(("pid", "own"), [(12, True), (22, False), (32, True)])
def test_of_two_listed_servers_only_a_kill_of_this_one_is_ours(pid: int, *, own: bool) -> None:
    rows = [*server(11, 30000, 12), *server(21, 30001, 22), *server(31, 30000, 32)]  # the third: after a restart
    made = launch(argv=f"{PARENT} --port 30000", outside=[*rows, kill(pid, "sglang::schedul")])
    assert bool(own_oom_kills(incident(made))) is own
