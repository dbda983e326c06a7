"""A source becomes its facts and an account of how it was read, whatever it holds."""

from __future__ import annotations

import gzip
import hashlib
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from analyzer.bundle import InMemory, OnDisk, Source
from analyzer.bundle.source import Compressed
from analyzer.catalog import Catalog
from analyzer.events import Fact
from analyzer.parsers import Parsed, parse
from tests.parsers.snapshots import SAMPLES

if TYPE_CHECKING:
    from pathlib import Path

CATALOG = Catalog.load()
LOG = b"[2026-02-17 10:02:51 TP1] Load weight begin. avail mem=94.08 GB\n[2026-02-17 10:03:00] unknown words\n\xff\n"


def read(data: bytes) -> Parsed:
    return parse(Source("server.log", len(data), InMemory(data)), CATALOG)


def test_an_empty_source_is_empty() -> None:
    parsed = read(b"")
    assert (parsed.kind, parsed.lines, parsed.bytes, parsed.errors) == ("empty", 0, 0, [])
    assert parsed.sha256 == hashlib.sha256(b"").hexdigest()


def test_prose_is_text() -> None:
    assert read(b"server does not start, log attached\n").kind == "text"


def test_binary_data_is_refused_in_one_sentence() -> None:
    parsed = read(b"\x7fELF" + bytes(range(1, 32)) * 99)
    assert (parsed.kind, parsed.events) == ("binary", [])
    assert parsed.errors == ["server.log: is binary, not text; it is not read"]
    assert parsed.bytes == 4 + 31 * 99


def test_a_log_is_accounted_for() -> None:
    heard: list[int] = []
    parsed = parse(Source("server.log", len(LOG), InMemory(LOG)), CATALOG, heard.append)
    assert (parsed.kind, parsed.lines, parsed.recognised, parsed.undecodable) == ("sglang-log", 3, 1, 1)
    assert (parsed.bytes, sum(heard)) == (len(LOG), len(LOG))
    assert parsed.sha256 == hashlib.sha256(LOG).hexdigest()
    assert parsed.first is not None
    assert parsed.last is not None
    assert (parsed.first.text, parsed.last.text) == ("2026-02-17 10:02:51", "2026-02-17 10:03:00")
    assert not parsed.truncated


def test_a_cut_archive_is_read_to_its_end_and_marked() -> None:
    packed = gzip.compress(LOG)
    parsed = parse(Source("a.gz", 0, Compressed(InMemory(packed[:-12]), "gzip")), CATALOG)
    assert parsed.truncated
    assert parsed.errors == ["a.gz: cut off: the gzip data ends before its end mark"]
    assert len(parsed.events) == 1


def test_a_file_that_is_gone_is_one_sentence(tmp_path: Path) -> None:
    parsed = parse(Source("gone.log", 1, OnDisk(tmp_path / "gone.log")), CATALOG)
    assert parsed.errors == ["gone.log: cannot be read (No such file or directory)"]


def test_a_log_in_sixteen_bit_text_is_read() -> None:
    parsed = read(LOG[:-2].decode().encode("utf-16"))
    assert (parsed.kind, parsed.recognised) == ("sglang-log", 1)


WORDS = st.sampled_from(
    [
        b"[2026-02-17 10:02:51 TP1] ", b"Traceback (most recent call last):", b"\n", b"\n", b'  File "/a.py", line 1, in f\n', b"EOFError: x",
        b"\r", b"\\\n", b"$ free -g\n", b"Mem: 449 439 8 0 0 9\n", b"server_args=ServerArgs(a=1,", b'{"log":"x","stream":"y"}\n', b"\x1b[1m", b"PID CMD\n",
        b"python3 -m sglang.launch_server ", b"\xff\x00", b"2025-08-12T10:00:00Z stdout P ", b"Decode batch. #running-req: nan, ",
    ]
)  # fmt: skip


MIXED = b"""=== ulimit -l ===
unlimited
+ ulimit -n
1024
$ lsmem
Memory block size:         2G
Total online memory:     448G
=== iostat -x 1 2 ===
Linux 5.15.0-105-generic (gpu-1) \t02/17/2026 \t_x86_64_\t(96 CPU)

avg-cpu:  %user   %nice %system %iowait  %steal   %idle
           1.11    0.00    0.42   12.01    0.00   86.46

Device             tps    kB_read/s    kB_wrtn/s    kB_dscd/s    kB_read    kB_wrtn    kB_dscd
nvme0n1          12.10       412.33       120.11         0.00  123456789   12345678          0
[2026-02-17 10:02:51 TP1] Load weight begin. avail mem=94.08 GB
1024
unlimited
"""


def test_outputs_one_below_the_other_are_told_apart_and_bare_words_below_a_log_line_are_none() -> None:
    parsed = read(MIXED)
    facts = {event.name: event.value for event in parsed.events if isinstance(event, Fact)}
    assert facts == {"ulimit.max-locked-memory": "unlimited", "ulimit.open-files": "1024"}
    assert parsed.lines - parsed.recognised == 2  # the last two


def test_an_event_with_a_colon_is_no_line_of_a_journal_s_host() -> None:
    """Docker's `container exec_create: …` looks like a host and its program."""
    parsed = read(SAMPLES["docker_events"].lstrip("\n").encode())
    assert (parsed.kind, parsed.lines, parsed.recognised, parsed.origins) == ("docker-events", 5, 5, [])


def test_the_lines_of_an_entry_count_with_its_message() -> None:
    """Two entries of the journal with four and five lines, the first of which says something known."""
    head = "Tue 2026-02-17 10:02:51.123456 UTC [s=9a1f;i=1;b=5431]"
    known = [
        head,
        "    PRIORITY=6",
        f"    MESSAGE={LOG.decode(errors='replace').split(chr(10))[0]}",
        "    _HOSTNAME=gpu-1",
    ]
    other = [head, "    MESSAGE=unknown words", "            and more", "    _HOSTNAME=gpu-1", "    _PID=1"]
    parsed = read("\n".join([*known, *other, ""]).encode())
    assert (parsed.kind, parsed.lines, parsed.recognised, parsed.layers) == ("sglang-log", 9, 4, ["journald"])


def test_a_table_s_header_and_a_host_s_name_are_understood() -> None:
    line = LOG.decode(errors="replace").split("\n")[0]
    table = read(f"Date,Host,Message\n2026-02-17T10:02:51Z,gpu-1,{line}\n".encode())
    assert (table.lines, table.recognised, table.layers, table.hosts) == (2, 2, ["csv"], [])
    below = read(f"gpu-1 | CHANGED | rc=0 >>\n{line}\nunknown words\n".encode())
    assert (below.lines, below.recognised, below.layers, below.hosts) == (3, 2, ["ansible"], ["gpu-1"])


@given(st.one_of(st.binary(max_size=300), st.lists(WORDS, max_size=25).map(b"".join)))
def test_any_bytes_are_read(data: bytes) -> None:
    parsed = read(data)
    assert parsed.bytes == len(data)
    assert 0 <= parsed.recognised <= parsed.lines
    assert not [error for error in parsed.errors if "bug" in error]
