"""The screen of `top` and `htop`."""

from __future__ import annotations

from datetime import datetime

import pytest

from analyzer.events import MemorySnapshot, ProcessListed
from analyzer.evidence import Stamp
from tests.parsers.build_blocks import GIB, KIB, MIB, around, claims, of, read, value
from tests.parsers.snapshots import SAMPLES

OLD = """
top - 11:20:11 up 12 days,  2 users,  load average: 4.11, 4.08, 4.02
Cpu(s):  3.3%us,  0.9%sy,  0.0%ni, 95.8%id
Mem:  24684096k total,  2570436k used, 22113660k free,    50788k buffers
Swap:  2097152k total,  1048576k used,  1048576k free,  5282236k cached
"""
HTOP = """
  Mem[|||||||||||||||||||||||||||||439G/449G]   Tasks: 104, 612 thr; 9 running
  Swp[                               0K/8.00G]   Load average: 5.40 6.54 5.38
"""


@pytest.mark.parametrize(
    "line",
    [
        " 15:54:13 up 39 min,  0 user,  load average: 5.40, 6.54, 5.38",
        "Mem:             449         439           8           0           0           9",
        "Mem: 449 GiB",
        "top - the scheduler uses 100 %",
    ],
)
def test_other_lines_with_its_words_are_no_screen(line: str) -> None:
    assert not claims("top", line)


def test_memory_is_in_the_unit_before_it() -> None:
    (found,) = of(MemorySnapshot, read("top", SAMPLES["top"]))
    assert value(found.total) == pytest.approx(24105.6 * MIB)
    assert value(found.available) == pytest.approx(21594.5 * MIB)


def test_processes_have_kib_or_their_suffix() -> None:
    (process,) = of(ProcessListed, read("top", SAMPLES["top"]))
    assert (value(process.shared), value(process.cpu)) == (211716 * KIB, 0.72)
    assert value(process.resident) == pytest.approx(4.1 * GIB)


def test_the_title_is_a_time_of_day_on_the_day_around_it() -> None:
    day = Stamp("2026-11-29 15:00:00", datetime(2026, 11, 29, 15))
    (found,) = of(MemorySnapshot, read("top", SAMPLES["top"], around(stamp=day)))
    assert found.where.stamp is not None
    assert found.where.stamp.moment == datetime(2026, 11, 29, 15, 54, 13)


def test_the_old_layout_has_kib_after_its_numbers() -> None:
    (found,) = of(MemorySnapshot, read("top", OLD))
    assert [value(a) for a in (found.total, found.used, found.cache, found.swap_used)] == [
        24684096 * KIB,
        2570436 * KIB,
        5282236 * KIB,
        1048576 * KIB,
    ]


def test_a_figure_cut_at_the_screen_s_edge_is_not_taken() -> None:
    (found,) = of(
        MemorySnapshot, read("top", "MiB Mem : 2063812.+total, 1571002.1 free, 121880.0 used, 370930.3 buff/cache")
    )
    assert found.total is None
    assert value(found.used) == 121880 * MIB


def test_the_bars_of_htop_tell_used_and_total() -> None:
    (found,) = of(MemorySnapshot, read("top", HTOP))
    assert [value(a) for a in (found.used, found.total, found.swap_total)] == [439 * GIB, 449 * GIB, 8 * GIB]


def test_a_table_alone_is_read() -> None:
    table = SAMPLES["top"].split("\n\n")[1]
    assert of(ProcessListed, read("top", table))[0].pid == 5330


SORTED = """
    0[||||||||||||||||||100.0%] Tasks: 39, 55 thr, 56 kthr; 2 running
    1[||||||||||||||||||100.0%] Load average: 7.41 4.07 3.04
  Mem[|||||||||||||  431M/23.6G] Uptime: 03:13:52
  Swp[                    0K/0K]

  [Main] [I/O]
  PID USER       PRI  NI  VIRT   RES   SHR S  CPU%▽MEM%   TIME+  Command
11882 root        25   5  866M  100M 41352 R  51.0  0.4  0:29.38 python run.py
F1Help  F2Setup F3SearchF4FilterF5Tree  F6SortByF7Nice -F8Nice +F9Kill  F10Quit
"""


def test_the_column_that_htop_sorts_by_is_a_column() -> None:
    block = read("top", SORTED)
    (process,) = of(ProcessListed, block)
    assert (process.command, value(process.resident), value(process.cpu)) == ("python run.py", 100 * MIB, 0.51)
    assert (block.lines, block.understood) == (9, 9)
