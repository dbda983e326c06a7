"""The rows of `vmstat`, their unit and their times."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import pytest

from analyzer.events import VmstatRow
from tests.parsers.build_blocks import KIB, MIB, around, claims, of, read, value
from tests.parsers.snapshots import SAMPLES

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
    "line", ["procs are blocked, memory and swap are full", "r b swap free", "all procs memory swap"]
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
