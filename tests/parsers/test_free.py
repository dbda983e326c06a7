"""The table of `free` and how the unit of its numbers is told."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from analyzer.events import MemorySnapshot
from tests.parsers.build_blocks import GIB, KIB, MIB, TIB, around, claims, of, read, value
from tests.parsers.snapshots import SAMPLES

if TYPE_CHECKING:
    from analyzer.parsers.block import Around

PLAIN = """
               total        used        free      shared  buff/cache   available
Mem:        24684096     2570436    16597376        8868     5858452    22113660
Swap:              0           0           0
"""
OLD = """
             total       used       free     shared    buffers     cached
Mem:           125        120          5          0          1         90
-/+ buffers/cache:         29         96
Swap:            7          1          6
"""
CHINESE = """
               total        used        free      shared  buff/cache   available
内存：         121Gi       118Gi       3.3Gi       279Mi       2.0Gi       3.5Gi
交换：          15Gi       6.3Gi       9.7Gi
"""
GERMAN = """
               gesamt       benutzt     frei      gemns.  Puffer/Cache verfügbar
Speicher:      125Gi        29Gi       5,5Gi       1,0Mi        91Gi        95Gi
Swap:             0B          0B          0B
"""
# The words of procps-ng's own catalogues of translations.
TRANSLATED = (
    ("              gesamt       benutzt     frei      gemns.  Puffer/Cache verfügbar", "Speicher:", "Hoch:", "Swap:"),
    ("               total       utilisé      libre     partagé tamp/cache   disponible", "Mem:", "Basse:", "Échange:"),
    ("               총계         사용        여분      공유    버퍼/캐시    가용", "메모리:", "하  위:", "스  왑:"),
    (
        "               razem       użyte       wolne    dzielone   buf/cache    dostępne",
        "Pamięć:",
        "Niska:",
        "Wymiana:",
    ),
    ("              totalt      använt       fritt       delat  buff/cache  tillgängl.", "Minne:", "Lågt: ", "Växl.: "),
    ("               загалом      використ.   вільна    спільна буфери/кеш   дост.", "Пам.:", "Нижня:", "Своп.:"),
)
POLISH_WIDE = """
               razem       użyte       wolne    dzielone      bufory     w cache    dostępne
Pamięć:         23Gi       2,5Gi        15Gi       8,7Mi        49Mi       5,5Gi        21Gi
"""
WIDE = """
               total        used        free      shared     buffers       cache   available
Mem:            23Gi       2.5Gi        15Gi       8.7Mi        49Mi       5.5Gi        21Gi
"""


def memory(text: str, place: Around | None = None) -> MemorySnapshot:
    return of(MemorySnapshot, read("free", text, place))[0]


@pytest.mark.parametrize(
    "line",
    [
        "MiB Mem :  24105.6 total,  16207.2 free,   2511.1 used,   5721.5 buff/cache",
        "Mem: 449 GiB",
        "Mem:  24684096k total, 2570436k used, 16597376k free, 49000k buffers",
        "total used and free memory of the host",
        "MemTotal:       131072000 kB",
        "total 48",
    ],
)
def test_other_words_on_memory_are_no_table(line: str) -> None:
    assert not claims("free", line)


def test_numbers_under_free_g_are_gib_cut_to_whole_ones() -> None:
    total = memory(SAMPLES["free"], around("free -g")).total
    assert total is not None
    assert (total.number(), total.slack) == (449 * GIB, Fraction(GIB))


@pytest.mark.parametrize(
    ("command", "unit"), [("free", KIB), ("free -wk", KIB), ("free -m", MIB), ("free -b", 1), ("free --giga", 10**9)]
)
def test_the_echoed_command_tells_the_unit(command: str, unit: int) -> None:
    assert value(memory(SAMPLES["free"], around(command)).used) == 439 * unit


@pytest.mark.parametrize("source", ["free_b.txt", "free_s.txt", "free-pre.txt", "free_mid.txt", "free-gpu.txt"])
def test_other_letters_in_a_name_are_no_unit(source: str) -> None:
    assert value(memory(SAMPLES["free"], around(source=source)).total) == 449 * GIB


@pytest.mark.parametrize(("source", "unit"), [("free_g.txt", GIB), ("snap/free_m.txt", MIB), ("free_plain.txt", KIB)])
def test_the_file_s_name_tells_the_unit(source: str, unit: int) -> None:
    assert value(memory(SAMPLES["free"], around(source=source)).used) == 439 * unit


def test_the_banner_tells_the_unit_only_with_its_flags() -> None:
    assert value(memory(SAMPLES["free"], around(label="free -m")).used) == 439 * MIB
    assert value(memory(SAMPLES["free"], around(label="free memory before the start")).used) == 439 * GIB


@pytest.mark.parametrize(("total", "unit"), [("449", GIB), ("460000", MIB), ("470810624", KIB), ("482110078976", 1)])
def test_without_any_of_these_the_largest_total_tells_the_unit(total: str, unit: int) -> None:
    text = f"total used free shared buff/cache available\nMem: {total} 400 8 0 0 9"
    assert value(memory(text).total) == int(total) * unit


def test_kib_are_exact() -> None:
    found = memory(PLAIN)
    assert value(found.available) == 22113660 * KIB
    assert found.available is not None
    assert found.available.slack == 0


def test_mixed_suffixes_speak_for_themselves() -> None:
    text = """
               total        used        free      shared  buff/cache   available
Mem:           2.7Ti       812Gi       1.4Ti       748Gi       1.2Ti       1.9Ti
Swap:             0B          0B          0B
"""
    found = memory(text)
    assert [round(value(a) or 0) for a in (found.total, found.used, found.shared)] == [
        round(2.7 * TIB),
        812 * GIB,
        748 * GIB,
    ]
    assert found.swap_total is not None
    assert (found.swap_total.number(), found.swap_total.slack) == (0, Fraction(0))


def test_the_old_layout_counts_the_cache_as_used_but_its_second_row_does_not() -> None:
    found = memory(OLD, around("free -g"))
    assert [value(a) for a in (found.used, found.cache, found.swap_used)] == [29 * GIB, (1 + 90) * GIB, 1 * GIB]
    assert found.available is None


def test_the_wide_layout_has_its_cache_in_the_sixth_column() -> None:
    assert value(memory(WIDE).cache) == 5.5 * GIB


def test_labels_are_read_in_other_languages() -> None:
    assert [value(memory(CHINESE).total), value(memory(CHINESE).swap_total)] == [121 * GIB, 15 * GIB]
    assert value(memory(GERMAN).free) == 5.5 * GIB


def test_a_memory_row_without_its_header_is_read() -> None:
    assert (
        value(memory("Mem:             449         439           8           0           0           9").used)
        == 439 * GIB
    )


def test_the_next_snapshot_is_a_block_of_its_own() -> None:
    text = SAMPLES["free"].strip("\n")
    assert read("free", f"{text}\n{text}").lines == 3


@pytest.mark.parametrize(("header", "label", "low", "swap"), TRANSLATED)
def test_rows_are_told_apart_in_every_language(header: str, label: str, low: str, swap: str) -> None:
    text = f"{header}\n{label} 131489212 7431092 100318084 1002340 23740036 121789888\n{low} 7 7 0\n{swap} 2097148 1024 2096124"
    block = read("free", text)
    (found,) = of(MemorySnapshot, block)
    assert block.understood == 4
    assert [value(a) for a in (found.total, found.available)] == [131489212 * KIB, 121789888 * KIB]
    assert [value(a) for a in (found.swap_total, found.swap_used)] == [2097148 * KIB, 1024 * KIB]


def test_a_column_of_two_words_is_one_column() -> None:
    found = memory(POLISH_WIDE)
    assert [value(a) for a in (found.total, found.available)] == [23 * GIB, 21 * GIB]


def test_si_is_decimal() -> None:
    text = """
                   total        used        free      shared  buff/cache   available
    Mem:            482G        400G         10G        1.0G         72G         70G
    """
    found = memory(text, around("free -h --si"))
    assert (value(found.total), value(found.available)) == (482 * 10**9, 70 * 10**9)
    assert value(memory(text, around("free -h")).total) == 482 * GIB
    plain = memory(text.replace("G", " "), around("free -g --si"))
    assert value(plain.total) == 482 * 10**9
