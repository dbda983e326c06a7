"""A launch, its hosts and its sources are written out in base units and seconds since its first line."""

from __future__ import annotations

from analyzer.contract import Verdict
from analyzer.diagnose import documents
from analyzer.diagnose.lines import Lines
from analyzer.events import (
    CapacityPrinted,
    DistributedInitBegun,
    HostPoolAnnounced,
    KvPoolAllocated,
    MemorySnapshot,
    ProbeFailed,
)
from analyzer.parsers.parsed import Parsed
from tests.build import incident, launch, size, stamp, tp, where

NOBODY = Verdict("launch-1", "unknown", None, None, None, "", None, None)
GIB = 2**30


def test_what_nobody_says_is_none() -> None:
    bare = incident(launch())
    assert documents.topology(bare).ranks is None
    assert documents.capacity(bare).kv_tokens is None


def test_ranks_are_those_declared_or_those_that_speak() -> None:
    begun = [DistributedInitBegun(where=where(2 + r, "10:03:00", tp(r))) for r in range(3)]
    assert documents.topology(incident(launch(*begun))).ranks == 3
    assert documents.topology(incident(launch(*begun, values={"tp_size": 8, "pp_size": 2}))).ranks == 16


def test_capacity_is_per_rank_with_the_hosts_tokens_from_the_price_of_a_token() -> None:
    made = incident(
        launch(
            KvPoolAllocated(where=where(5, "10:06:04", tp(0)), tokens=size("1000 token"), kv_size=size("1.00 GiB")),
            CapacityPrinted(
                where=where(6, "10:06:41", tp(0)), max_running=size("256 count"), context=size("4096 token")
            ),
            HostPoolAnnounced(where=where(7, "10:06:42", tp(0)), size=size("4.00 GiB")),
        )
    )
    found = documents.capacity(made)
    assert (found.kv_tokens, found.kv_bytes, found.kv_bytes_per_token) == (1000, GIB, GIB / 1000)
    assert (found.max_running_requests, found.context_length, found.host_kv_tokens) == (256, 4096, 4000)
    assert (found.host_pool_bytes, found.host_pools_bytes) == (4 * GIB, 4 * GIB)


def test_times_count_from_the_first_line() -> None:
    made = incident(
        launch(
            DistributedInitBegun(where=where(2, "10:02:51", tp(0))),
            outside=[ProbeFailed(where=where(1, "10:12:41", source="n.txt"), gave_up=True, waited=size("600 s"))],
            values={"tp_size": 1},
        )
    )
    written = documents.launch(made, NOBODY, Lines())
    assert written.began == "2026-02-17 10:02:37"  # the server_args line of the builder
    assert written.processes[0].phases[0].start == 14  # 10:02:51 less 10:02:37
    assert [(s.name, s.start, s.end) for s in written.spans] == [("health-wait", 4, 604), ("silence", 14, 604)]


def test_a_host_shows_its_last_snapshot_and_its_limit() -> None:
    snapshot = MemorySnapshot(where=where(3, source="free.txt"), total=size("449 GiB"), available=size("9 GiB"))
    made = documents.host(incident(launch(outside=[snapshot])).hosts[0])
    assert made.memory == {"total": 449 * GIB, "available": 9 * GIB}
    assert made.limit == {"host": 449 * GIB}


def test_a_source_keeps_its_account() -> None:
    parsed = Parsed("a.log", "sglang-log", "ab", 100, 9, 8, 1, truncated=True, first=stamp("10:00:00"))
    made = documents.source(parsed)
    assert (made.lines, made.recognised, made.undecodable, made.truncated) == (9, 8, 1, True)
    assert (made.first, made.last) == ("10:00:00", None)


def test_an_input_that_was_not_read_is_a_source_with_its_sentence() -> None:
    made = documents.unread("gone.log: no such file or folder")
    assert (made.name, made.kind, made.errors) == ("gone.log", "unreadable", ["gone.log: no such file or folder"])
