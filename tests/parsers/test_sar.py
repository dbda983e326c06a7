"""`sar -r`, `sar -S` and `sadf -d`."""

from __future__ import annotations

from datetime import datetime

import pytest

from analyzer.events import MemorySnapshot
from tests.build import stamp
from tests.parsers.build_blocks import GIB, KIB, around, claims, of, read, value
from tests.parsers.snapshots import SAMPLES

EL7 = """
Linux 3.10.0-1160.25.1.el7.x86_64 (server.example.com) \t25/05/21 \t_x86_64_\t(1 CPU)

16:00:01    kbmemfree kbmemused  %memused kbbuffers  kbcached  kbcommit   %commit  kbactive   kbinact   kbdirty
16:10:01       212980    801800     79.01         0    293512   1247884    122.97    530056    109360         0

16:10:01    kbmemfree kbmemused  %memused kbbuffers  kbcached  kbcommit   %commit  kbactive   kbinact   kbdirty
16:20:01       214984    799796     78.81         0    293556   1248208    123.00    528032    109352         4
Average:       213982    800798     78.91         0    293534   1248046    122.98    529044    109356         2
"""
SWAP = """
16:00:01    kbswpfree kbswpused  %swpused  kbswpcad   %swpcad
16:10:01      1048576   1048576     50.00         0      0.00
"""
HUMAN = """
16:00:01    kbmemfree   kbavail kbmemused  %memused kbbuffers  kbcached  kbcommit   %commit  kbactive   kbinact   kbdirty
16:10:01         8.0G     12.0G    400.0G     95.5%     20.0M      6.0G    420.0G     98.2%    290.0G     10.0G      0.0k
"""
SADF = """
# hostname;interval;timestamp;kbmemfree;kbavail;kbmemused;%memused;kbbuffers;kbcached
host-1;600;2025-12-19 16:10:01 UTC;8388608;12582912;360710144;95.56;20480;6291456
"""


def moments(text: str) -> list[datetime | None]:
    found = [snapshot.where.stamp for snapshot in of(MemorySnapshot, read("sar", text))]
    return [stamp.moment if stamp else None for stamp in found]


@pytest.mark.parametrize(
    "line",
    [
        "Linux host-1 5.15.0-86-generic #96 SMP x86_64 GNU/Linux",
        "kbmemfree is what sar calls it",
        "16:00:01 CPU %user %nice %system %iowait %steal %idle",
    ],
)
def test_other_lines_begin_no_report_of_memory(line: str) -> None:
    assert not claims("sar", line)


def test_of_another_report_of_sar_the_title_alone_is_understood() -> None:
    title = EL7.strip().split("\n")[0]
    block = read("sar", f"{title}\n\n16:00:01 CPU %user\n16:10:01 all 12.00")
    assert (block.lines, block.understood, block.events) == (1, 1, [])


def test_what_is_used_without_the_cache_gives_the_total_by_its_share() -> None:
    first, last = of(MemorySnapshot, read("sar", SAMPLES["sar"]))
    assert [value(a) for a in (first.free, first.available)] == [88081408 * KIB, 230686720 * KIB]
    assert [value(a) for a in (last.used, last.available, last.cache)] == [360710144 * KIB, 12 * GIB, 6 * GIB]
    assert last.total is not None
    assert value(last.total) == pytest.approx(360710144 * KIB / 0.9556)
    assert last.total.slack / last.total.value == pytest.approx(0.005 / 95.56), "half the last digit of the share"


def test_what_is_used_with_the_cache_and_what_is_free_make_the_total() -> None:
    first, second = of(MemorySnapshot, read("sar", EL7))
    assert [value(s.total) for s in (first, second)] == [(212980 + 801800) * KIB, (214984 + 799796) * KIB]
    assert [s.used for s in (first, second)] == [None, None], "the cache is in it"


def test_swap_has_a_table_of_its_own() -> None:
    (swap,) = of(MemorySnapshot, read("sar", SWAP))
    assert [value(a) for a in (swap.swap_total, swap.swap_used, swap.total)] == [2 * GIB, GIB, None]


def test_sizes_for_people_have_their_suffix() -> None:
    (snapshot,) = of(MemorySnapshot, read("sar", HUMAN))
    assert [value(a) for a in (snapshot.free, snapshot.available, snapshot.used)] == [8 * GIB, 12 * GIB, 400 * GIB]


def test_rows_for_programs_have_their_whole_time() -> None:
    assert moments(SADF) == [datetime(2025, 12, 19, 16, 10, 1)]
    (snapshot,) = of(MemorySnapshot, read("sar", SADF))
    assert value(snapshot.available) == 12 * GIB


@pytest.mark.parametrize(
    ("day", "moment"),
    [
        ("2025-12-19", datetime(2025, 12, 19, 16, 10, 1)),
        ("19.12.2025", datetime(2025, 12, 19, 16, 10, 1)),
        ("25/05/21", datetime(2021, 5, 25, 16, 10, 1)),
        ("05/25/2021", datetime(2021, 5, 25, 16, 10, 1)),
        ("04/03/21", datetime(1900, 1, 1, 16, 10, 1)),
        ("31/02/21", datetime(1900, 1, 1, 16, 10, 1)),
    ],
)
def test_the_titles_day_counts_where_its_order_is_certain(day: str, moment: datetime) -> None:
    assert moments(EL7.replace("25/05/21", day))[0] == moment


def test_half_days_tell_that_the_month_comes_first() -> None:
    text = SAMPLES["sar"].replace("12/19/2025", "12/09/2025")
    assert moments(text) == [datetime(2025, 12, 9, 0, 10, 1), datetime(2025, 12, 9, 23, 50, 1)]


def test_past_midnight_it_is_the_next_day() -> None:
    text = EL7.replace("16:10:01       212980", "23:59:01       212980").replace(
        "16:20:01       21", "00:09:01       21"
    )
    assert moments(text) == [datetime(2021, 5, 25, 23, 59, 1), datetime(2021, 5, 26, 0, 9, 1)]


def test_a_report_without_its_title_takes_the_day_of_its_surroundings() -> None:
    block = read("sar", SWAP, around(stamp=stamp("2026-02-17 12:00:00")))
    (snapshot,) = of(MemorySnapshot, block)
    assert snapshot.where.stamp is not None
    assert snapshot.where.stamp.moment == datetime(2026, 2, 17, 16, 10, 1)
