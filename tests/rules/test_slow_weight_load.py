"""Loads that take long at their own rate."""

from __future__ import annotations

import pytest

from analyzer.events import (
    DiskLoad,
    KilledPrinted,
    ProbeFailed,
    ServerReady,
    ShardsProgress,
    VmstatRow,
    WeightLoadBegun,
)
from analyzer.evidence import Where
from analyzer.vocabulary import Status
from tests.build import ref, size, stamp, tp, where
from tests.rules.answers import answers, cleared, found, numbers, raised

RULE = "slow-weight-load"
LOAD = WeightLoadBegun(where=where(3, "10:03:00", tp(0)))


def frame(done: int, total: int, elapsed: int, line: int = 4) -> ShardsProgress:
    amounts = {"done": size(f"{done} count", line), "total": size(f"{total} count", line)}
    return ShardsProgress(
        where=Where(ref(line), stamp("10:03:00"), direct=False), elapsed=size(f"{elapsed} s", line), **amounts
    )


SLOW = frame(98, 163, 2165)  # 22.09 s each


def test_a_bar_that_has_not_moved_says_no_rate() -> None:
    assert answers(RULE, LOAD, frame(0, 163, 0)) == []


def test_seven_minutes_for_64_shards_are_usual() -> None:
    assert "per shard" in cleared(RULE, LOAD, frame(64, 64, 402))


def test_a_server_that_came_up_is_not_late() -> None:
    assert answers(RULE, LOAD, SLOW, ServerReady(where=where(30, "11:30:00"))) == []


def test_a_load_that_an_error_ended_was_not_too_slow() -> None:
    assert answers(RULE, LOAD, SLOW, raised("AssertionError", "shape", 30, "10:40:00", tp(0))) == []


def test_a_load_that_somebody_killed_was_not_too_slow() -> None:
    assert answers(RULE, LOAD, SLOW, KilledPrinted(where=where(30, "10:40:00"), text="Killed")) == []


def test_the_bar_tells_how_long_the_rest_takes() -> None:
    verdict = found(RULE, LOAD, SLOW)
    assert verdict.status is Status.SUPPORTED
    shown = numbers(verdict)
    assert shown["seconds per shard"] == pytest.approx(2165 / 98)
    assert shown["the whole load at this rate"] == pytest.approx(163 * 2165 / 98)
    assert shown["time left"] == pytest.approx(65 * 2165 / 98)


def test_a_probe_that_waits_less_than_the_load_takes_is_the_yardstick() -> None:
    # 60 of 100 shards in 540 s: 900 s in all, which is usual, but the script waited 540 s only
    gave_up = ProbeFailed(where=where(1, source="notes.txt"), gave_up=True, waited=size("540 s", 1, "notes.txt"))
    assert "per shard" in cleared(RULE, LOAD, frame(60, 100, 540))
    verdict = found(RULE, LOAD, frame(60, 100, 540), outside=(gave_up,))
    assert verdict.claims[1].text == "it should take less than 540 s"


def test_processes_that_wait_for_reads_make_storage_the_bound() -> None:
    rows = [
        VmstatRow(
            where=where(n, source="vmstat.txt"),
            blocked=size("9 count", n, "vmstat.txt"),
            read_in=size("182000 count", n),
        )
        for n in (3, 4)
    ]
    verdict = found(RULE, LOAD, SLOW, outside=tuple(rows))
    assert verdict.claims[-1].text == "9 processes wait for storage, which reads 182,000 blocks a second"


def disk(line: int, device: str, busy: str, *, read: str = "203 MiB", since_boot: bool = False) -> DiskLoad:
    return DiskLoad(
        where=where(line, source="iostat.txt"),
        device=device,
        busy=size(f"{busy} percent", line, "iostat.txt"),
        read=size(read, line, "iostat.txt"),
        written=size("1 MiB", line, "iostat.txt"),
        read_wait=size("18.20 ms", line, "iostat.txt"),
        since_boot=since_boot,
    )


@pytest.mark.parametrize(
    "rows",
    [
        (disk(3, "sda", "99.80", since_boot=True),),
        (disk(3, "sda", "99.80"), disk(4, "sda", "12.00")),
        (disk(3, "sda", "99.80", read="0 MiB"),),
    ],
)
def test_a_disk_that_is_not_read_all_the_time_is_no_part_of_it(rows: tuple[DiskLoad, ...]) -> None:
    assert all("sda" not in claim.text for claim in found(RULE, LOAD, SLOW, outside=rows).claims)


def test_a_disk_that_is_read_all_the_time_supports_that_storage_is_the_bound() -> None:
    rows = (disk(3, "sda", "99.80"), disk(4, "nvme0n1", "99.00", read="250 MiB"), disk(5, "sda", "100.00"))
    claim = found(RULE, LOAD, SLOW, outside=rows).claims[-1]
    assert claim.status is Status.SUPPORTED
    assert claim.text == "nvme0n1 has requests 99% of the time and gives 250 MiB a second; a read waits 18.2 ms"
