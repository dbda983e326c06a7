"""A launch, its hosts and its sources are written out in base units and seconds since its first line."""

from __future__ import annotations

from analyzer.contract import Verdict
from analyzer.diagnose import documents
from analyzer.diagnose.lines import Lines
from analyzer.events import (
    CapacityPrinted,
    CgroupMemory,
    DistributedInitBegun,
    GpuListed,
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
    [made] = documents.hosts(incident(launch(outside=[snapshot])))
    assert made.memory == {"total": 449 * GIB, "available": 9 * GIB}
    assert made.limit == {"host": 449 * GIB}


def test_a_host_shows_what_its_container_counts_and_its_gpus() -> None:
    inside = CgroupMemory(where=where(1, source="c.txt"), limit=size("400 GiB"), used=size("399 GiB"),
                          at_limit=size("17 count"), oom_kills=size("0 count"))  # fmt: skip
    gpus = [
        GpuListed(where=where(2 + n, source="smi.txt"), index=f"{n}", name="H20", total=size("96 GiB")) for n in (0, 1)
    ]
    [made] = documents.hosts(incident(launch(outside=[inside, *gpus])))
    assert made.memory == {"container_used": 399 * GIB}
    assert made.counters == {"at_limit": 17, "oom_kills": 0}
    assert made.gpus == [{"index": f"{n}", "name": "H20", "total": 96 * GIB} for n in (0, 1)]


def test_a_gpu_that_is_listed_again_and_again_is_there_once_as_last_seen() -> None:
    def seen(line: int, used: str) -> GpuListed:
        return GpuListed(where=where(line, source="smi.csv"), index="0", total=size("80 GiB"), used=size(used))

    bus = GpuListed(where=where(1, source="smi-q.txt"), index="00000000:75:00.0", clock=size("435 count"))
    [made] = documents.hosts(incident(launch(outside=[seen(2, "67 GiB"), seen(3, "78 GiB"), bus])))
    assert made.gpus == [{"index": "0", "total": 80 * GIB, "used": 78 * GIB}]


def test_ranks_that_no_log_speaks_for_are_named() -> None:
    begun = [DistributedInitBegun(where=where(2 + r, "10:03:00", tp(r))) for r in range(3)]
    made = documents.topology(incident(launch(*begun, values={"tp_size": 4})))
    assert (made.speaking, made.unheard, made.unheard_count) == (3, [3], 1)


def test_many_ranks_without_a_log_are_cut_and_counted() -> None:
    begun = DistributedInitBegun(where=where(2, "10:03:00", tp(0)))
    made = documents.topology(incident(launch(begun, values={"tp_size": 4096})))
    assert (made.unheard, made.unheard_count) == (list(range(1, 101)), 4095)


def test_a_topology_that_cannot_be_is_not_counted_by() -> None:
    begun = DistributedInitBegun(where=where(2, "10:03:00", tp(0)))
    made = documents.topology(incident(launch(begun, values={"tp_size": 772, "dp_size": 2669})))
    assert (made.ranks, made.tp, made.dp, made.unheard) == (1, None, None, [])


def test_a_quotient_of_rounded_figures_claims_three_digits() -> None:
    # 300 GB over 7.6 GiB / 116,171 tokens = 70,245 bytes a token: 4,270,764 tokens
    made = incident(
        launch(
            KvPoolAllocated(where=where(5, "10:06:04", tp(0)), tokens=size("116171 token"), kv_size=size("7.6 GiB")),
            HostPoolAnnounced(where=where(7, "10:06:42", tp(0)), size=size("300.00 GB")),
        )
    )
    found = documents.capacity(made)
    assert (found.host_kv_tokens, found.host_kv_estimated) == (4_270_000, True)


def test_arguments_carry_their_value_in_base_units_and_their_default() -> None:
    made = documents.launch(incident(launch(argv="x --hicache-size 300 --tp 8")), NOBODY, Lines())
    found = {argument.name: argument for argument in made.arguments}
    assert found["hicache_size"].amount == 300e9
    assert (found["tp_size"].amount, found["tp_size"].default) == (8, "1")


def test_a_source_keeps_its_account() -> None:
    parsed = Parsed("a.log", "sglang-log", "ab", 100, 9, 8, 1, truncated=True, first=stamp("10:00:00"))
    made = documents.source(parsed)
    assert (made.lines, made.recognised, made.undecodable, made.truncated) == (9, 8, 1, True)
    assert (made.first, made.last) == ("10:00:00", None)


def test_an_input_that_was_not_read_is_a_source_with_its_sentence() -> None:
    made = documents.unread("gone.log: no such file or folder")
    assert (made.name, made.kind, made.errors) == ("gone.log", "unreadable", ["gone.log: no such file or folder"])
