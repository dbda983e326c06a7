"""The screen of `top` and `htop`."""

from __future__ import annotations

from datetime import datetime

import pytest

from analyzer.events import MemorySnapshot, ProcessListed
from analyzer.evidence import Stamp
from analyzer.ledgers.host_effect import used_up
from tests.parsers.build_blocks import GIB, KIB, MIB, around, claims, of, read, value
from tests.parsers.snapshots import SAMPLES

OLD = """
top - 11:20:11 up 12 days,  2 users,  load average: 4.11, 4.08, 4.02
Cpu(s):  3.3%us,  0.9%sy,  0.0%ni, 95.8%id
Mem:   8192644k total,  8144468k used,    48176k free,   130400k buffers
Swap:  3903784k total,    19388k used,  3884396k free,  7548908k cached
"""
HTOP = """
  Mem[|||||||||||||||||||||||||||||439G/449G]   Tasks: 104, 612 thr; 9 running
  Swp[                               0K/8.00G]   Load average: 5.40 6.54 5.38
"""
BUSYBOX = """
Mem: 128489212K used, 3000000K free, 1002340K shrd, 20480K buff, 2301244K cached
CPU:  84% usr  15% sys   0% nic   0% idle   0% io   0% irq   0% sirq
Load average: 53.40 46.54 35.38 54/2104 23911
  PID  PPID USER     STAT   VSZ %VSZ CPU %CPU COMMAND
 5330  5201 root     R     486g 380%  17  72% sglang::scheduler_TP0
 5201     1 root     S    4821m  31%   3   0% python3 -m sglang.launch_server --model-path /models/m
"""
ASCII_HTOP = """
    PID USER       PRI  NI  VIRT   RES   SHR S  CPU%-MEM%   TIME+  Command
   5330 root        20   0  486G  112G  200M R  98.5 25.0  0:13.62 sglang::scheduler_TP0
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


def test_the_old_layout_counts_buffers_and_cache_as_used() -> None:
    """`used` is told without them, as `free` tells it: a full page cache is no shortage."""
    (found,) = of(MemorySnapshot, read("top", OLD))
    cache = 130400 + 7548908
    assert [value(a) for a in (found.total, found.used, found.free, found.cache)] == [
        8192644 * KIB,
        (8144468 - cache) * KIB,
        48176 * KIB,
        cache * KIB,
    ]
    assert [value(a) for a in (found.swap_total, found.swap_used)] == [3903784 * KIB, 19388 * KIB]
    assert not used_up(found)


NEWER = """
KiB Mem:   2049052 total,  1951460 used,    97592 free,    25364 buffers
KiB Swap:        0 total,        0 used,        0 free.  1363820 cached Mem
"""


def test_so_does_the_layout_between_the_old_and_the_new_one() -> None:
    (found,) = of(MemorySnapshot, read("top", NEWER))
    assert value(found.used) == (1951460 - 25364 - 1363820) * KIB
    assert not used_up(found)


def test_without_the_cache_nothing_is_known_of_what_is_used() -> None:
    (found,) = of(MemorySnapshot, read("top", OLD.split("Swap", maxsplit=1)[0]))
    assert (found.used, found.cache) == (None, None)
    assert not used_up(found)


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


def test_the_screen_of_busybox_is_read() -> None:
    block = read("top", BUSYBOX)
    (found,) = of(MemorySnapshot, block)
    assert [value(a) for a in (found.total, found.free, found.shared, found.cache, found.used)] == [
        (128489212 + 3000000) * KIB,
        3000000 * KIB,
        1002340 * KIB,
        (20480 + 2301244) * KIB,
        (128489212 - 20480 - 2301244) * KIB,
    ]
    first, second = of(ProcessListed, block)
    assert (first.pid, first.parent, first.state, first.command) == (5330, 5201, "R", "sglang::scheduler_TP0")
    assert [value(a) for a in (first.cpu, first.resident, second.cpu)] == [0.72, None, 0]
    assert block.understood == 6


def test_the_mark_of_the_sorted_column_parts_two_names() -> None:
    (process,) = of(ProcessListed, read("top", ASCII_HTOP))
    assert (process.command, value(process.cpu), value(process.resident)) == ("sglang::scheduler_TP0", 0.985, 112 * GIB)


TRANSLATED = """
top - 02:10:01 up 10 days,  1:01,  1 user,  load average: 1.00, 1.00, 1.00
{tasks}
%Cpu(s): 84.2 us, 15.8 sy,  0.0 ni,  0.0 id,  0.0 wa,  0.0 hi,  0.0 si,  0.0 st
MiB Mem : {memory}
MiB Swap:      0.0 total,      0.0 free,      0.0 used.  21594.5 avail Mem

{columns}
   5330 root      20   0 5086552   4.1g 211716 R  72.0   3.0   0:13.62 sglang::schedul
"""


@pytest.mark.parametrize(
    ("tasks", "memory", "columns"),
    [
        (
            "任务: 104 total,   1 running, 103 sleeping,   0 stopped,   0 zombie",
            "24105.6 total,  16207.2 free,   2511.1 used,   5721.5 buff/cache",
            " 进程号 USER      PR  NI    VIRT    RES    SHR 日  %CPU  %MEM     TIME+ COMMAND",
        ),
        (
            "Tâches: 104 total,   1 en cours, 103 en veille,   0 arrêté,   0 zombie",
            "24105,6 total,  16207,2 libr,   2511,1 util,   5721,5 tamp/cache",
            "    PID UTIL.     PR  NI    VIRT    RES    SHR S  %CPU  %MEM    TEMPS+ COM.",
        ),
        (
            "Zadania: razem: 104, działających: 1, śpiących: 103, zatrzymanych: 0, zombie: 0",
            "24105,6 razem,  16207,2 wolne,   2511,1 użyte,   5721,5 buf/cache",
            "    PID UŻYTK.    PR  NI    WIRT    REZ    WSP S  %CPU  %PAM     CZAS+ KOMENDA",
        ),
    ],
)
def test_the_screen_is_read_in_other_languages(tasks: str, memory: str, columns: str) -> None:
    text = TRANSLATED.format(tasks=tasks, memory=memory, columns=columns)
    block = read("top", text)
    assert block.lines == block.understood == text.strip().count("\n") + 1
    (found,) = of(MemorySnapshot, block)
    assert [value(a) for a in (found.total, found.free, found.used, found.cache, found.available)] == [
        pytest.approx(mib * MIB) for mib in (24105.6, 16207.2, 2511.1, 5721.5, 21594.5)
    ]
    (process,) = of(ProcessListed, block)
    assert (process.pid, process.state, process.user, process.command) == (5330, "R", "root", "sglang::schedul")
    assert [value(a) for a in (process.resident, process.shared)] == [pytest.approx(4.1 * GIB), 211716 * KIB]
