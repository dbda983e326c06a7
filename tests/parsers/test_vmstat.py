"""The rows of `vmstat`, their unit and their times."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import pytest

from analyzer.events import MemorySnapshot, VmstatRow
from tests.parsers.build_blocks import KIB, MIB, around, claims, of, read, value
from tests.parsers.snapshots import SAMPLES
from tests.parsers.variants import VARIANTS

if TYPE_CHECKING:
    from analyzer.parsers.block import Around

TIMED = """
procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu----- -----timestamp-----
 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st                 UTC
20  0      0 16597112  50788 5807928    0    0  2560  3739  498 1487 76  9 15  0  0 2026-11-29 15:54:13
"""
WIDE = """
--procs-- -----------------------memory---------------------- ---swap-- -----io---- -system-- ----------cpu----------
   r    b         swpd         free         buff        cache   si   so    bi    bo   in   cs  us  sy  id  wa  st  gu
  25    0            0        16208           49         5671    0    0  2560  3739  498 1487  76   9  15   0   0   0
"""


@pytest.mark.parametrize(
    "line",
    [
        "procs are blocked, memory and swap are full",
        "r b swap free",
        "all procs memory swap",
        "24 K total memory tokens",
        "check total memory",
    ],
)
def test_sentences_with_its_words_are_no_table(line: str) -> None:
    assert not claims("vmstat", line)


def test_sizes_are_kib_and_rates_per_second() -> None:
    rows = of(VmstatRow, read("vmstat", SAMPLES["vmstat"]))
    assert [value(row.free) for row in rows] == [1829688 * KIB, 1764004 * KIB]
    last = rows[1]
    assert [value(a) for a in (last.swapped, last.swap_in, last.swap_out)] == [64 * KIB, 8 * KIB, 16 * KIB]
    assert [value(a) for a in (last.running, last.blocked, last.waiting)] == [24, 1, 0.02]


def test_only_the_first_row_holds_rates_since_boot() -> None:
    assert [row.since_boot for row in of(VmstatRow, read("vmstat", SAMPLES["vmstat"]))] == [True, False]
    assert not of(VmstatRow, read("vmstat", SAMPLES["vmstat"], around("vmstat -y 1 2")))[0].since_boot


def test_rows_of_vmstat_t_have_their_own_time() -> None:
    where = of(VmstatRow, read("vmstat", TIMED))[0].where
    assert where.stamp is not None
    assert (where.stamp.moment, where.direct) == (datetime(2026, 11, 29, 15, 54, 13), True)
    assert where.stamp.zone is not None


@pytest.mark.parametrize("place", [around("vmstat -w -S M 1 3"), around(source="vmstat_wSM_1_3.txt")])
def test_command_or_file_name_tell_the_unit(place: Around) -> None:
    row = of(VmstatRow, read("vmstat", WIDE, place))[0]
    assert value(row.free) == 16208 * MIB


def test_a_row_with_too_few_figures_ends_the_table() -> None:
    assert read("vmstat", SAMPLES["vmstat"] + "24  1     64 1764004").lines == 4


# procps 4.0.2: what is used is what is not available
SUMS = """
     24683652 K total memory
       492320 K used memory
       613232 K active memory
       661184 K inactive memory
     23070856 K free memory
        28732 K buffer memory
      1419260 K swap cache
      2097148 K total swap
         1024 K used swap
      2096124 K free swap
       525787 non-nice user cpu ticks
      1229628 nice user cpu ticks
       118654 system cpu ticks
         1087 IO-wait cpu ticks
            0 non-nice guest cpu ticks
     22024973 K paged in
            0 pages swapped in
     14156529 interrupts
     48530618 CPU context switches
   1796068277 boot time
        89550 forks
"""
# procps 3.3: used + free + buffers + cache are the total
OLDER = """
       466340 K total memory
       101168 K used memory
       122308 K active memory
       232284 K inactive memory
        11324 K free memory
        28784 K buffer memory
       325064 K swap cache
       230999 pages paged in
"""
# procps 3.2: used + free are the total
OLDEST = """
      1026564 K total memory
       567244 K used memory
       459320 K free memory
       184412 K buffer memory
       265188 K swap cache
"""


def sums(text: str) -> MemorySnapshot:
    return of(MemorySnapshot, read("vmstat", text))[0]


def test_the_sums_tell_memory_and_swap() -> None:
    block, found = read("vmstat", SUMS), sums(SUMS)
    assert (block.lines, block.understood) == (21, 21)
    assert [value(a) for a in (found.total, found.used, found.free, found.cache)] == [
        24683652 * KIB,
        492320 * KIB,
        23070856 * KIB,
        (28732 + 1419260) * KIB,
    ]
    assert [value(a) for a in (found.swap_total, found.swap_used)] == [2097148 * KIB, 1024 * KIB]
    assert value(found.available) == (24683652 - 492320) * KIB


def test_older_versions_count_the_cache_apart_or_as_used() -> None:
    assert [value(a) for a in (sums(OLDER).used, sums(OLDER).available)] == [101168 * KIB, None]
    assert [value(a) for a in (sums(OLDEST).used, sums(OLDEST).available)] == [(567244 - 184412 - 265188) * KIB, None]


@pytest.mark.parametrize(("unit", "size"), [("K", KIB), ("M", MIB), ("k", 10**3), ("m", 10**6)])
def test_each_line_names_its_unit(unit: str, size: int) -> None:
    found = sums(f"        24105 {unit} total memory\n          480 {unit} used memory")
    assert [value(a) for a in (found.total, found.used)] == [24105 * size, 480 * size]


def test_a_grep_for_memory_or_a_head_is_read() -> None:
    grepped = [line for line in SUMS.strip("\n").split("\n") if line.endswith("memory")]
    found = sums("\n".join(grepped))
    assert [value(a) for a in (found.total, found.free, found.cache)] == [24683652 * KIB, 23070856 * KIB, None]


def test_a_figure_beyond_every_host_is_none() -> None:
    assert sums("999999999999999 M total memory").total is None


@pytest.mark.parametrize("number", [-1, -2])
def test_the_sums_are_read_in_other_languages(number: int) -> None:
    [sums] = of(MemorySnapshot, read("vmstat", VARIANTS["vmstat"][number]))
    assert (value(sums.total), value(sums.free)) == (470286336 * KIB, 1202336 * KIB)
    assert value(sums.cache) == (9789668 + 18044) * KIB
    assert (value(sums.swap_total), value(sums.swap_used)) == (0, 0)


def test_words_with_a_number_are_no_sum() -> None:
    assert not claims("vmstat", "12 K memoria total de la sesión")
    assert not claims("vmstat", "Gesamtspeicher: 12 GB")
