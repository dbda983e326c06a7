"""Entries of the journal with all their fields are their messages, whatever stands around these and in which order."""

from __future__ import annotations

import struct
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.layers.journal import Exported, Verbose, exported, verbose
from tests.layers.entries import all_of, said

HEAD = "Mon 2025-01-20 15:05:58.411543 CET [s=3c16c64ddc5e47d3860baf61bd03cdcb;i=f293a2;b=5431e128;m=2321b29f4;t=62c23c2786517;x=fbb7f5b297371ab4]"
KERNEL = f"""\
{HEAD}
    _TRANSPORT=kernel
    SYSLOG_IDENTIFIER=kernel
    _HOSTNAME=gpu-1
    PRIORITY=4
    MESSAGE=NVRM: Xid (PCI:0000:1b:00): 48, pid=4100
    _BOOT_ID=5431e12877f64e10b32eae46c739923e
"""
SERVER = f"""\
{HEAD.replace("58.411543", "59.000000")}
    MESSAGE=[2025-01-20 15:05:59 TP0] Scheduler hit an exception: Traceback (most recent call last):
              File "a.py", line 1, in f
            
            ValueError: x
    _HOSTNAME=gpu-2
    SYSLOG_IDENTIFIER=sglang
"""  # noqa: W293 - a message's blank line is indented as well


def test_a_block_is_its_message_with_the_host_behind_it() -> None:
    entries = all_of(Verbose(), KERNEL + SERVER)
    assert said(entries) == [
        ("gpu-1", "kernel: NVRM: Xid (PCI:0000:1b:00): 48, pid=4100"),
        (
            "gpu-2",
            (
                "[2025-01-20 15:05:59 TP0] Scheduler hit an exception: Traceback (most recent call last):\n"
                '  File "a.py", line 1, in f\n\nValueError: x'
            ),
        ),
    ]
    first = entries[0][0]
    assert (first.first.number, first.line.number, first.last.number) == (1, 6, 7)
    assert first.peeled
    assert first.peeled.stamp
    assert first.peeled.stamp.moment == datetime(2025, 1, 20, 15, 5, 58, 411543)


def test_lines_between_blocks_stay_as_they_are() -> None:
    boot = "-- Boot 5431e12877f64e10b32eae46c739923e --"
    entries = all_of(Verbose(), f"$ journalctl -o verbose\n{KERNEL}{boot}\n{SERVER}")
    assert [entry[0].line.text for entry in entries if not entry[0].peeled] == ["$ journalctl -o verbose", boot]
    assert len(said(entries)) == 2


def test_a_message_that_the_journal_cut_goes_on_in_the_next() -> None:
    [[piece]] = all_of(Verbose(), f"{HEAD}\n    MESSAGE=first half\n    _LINE_BREAK=line-max\n")
    assert piece.peeled
    assert piece.peeled.partial


def test_a_block_without_a_message_says_nothing() -> None:
    assert said(all_of(Verbose(), f"{HEAD}\n    PRIORITY=4\n")) == [("", "")]


EXPORTED = """\
__CURSOR=s=e992f143877046059b264a0f907056b6;i=6ff;b=26d74a46;m=46c65ea;t=5f840a88a4b39;x=e7933c3b47482d45
__REALTIME_TIMESTAMP=1680331472784185
__MONOTONIC_TIMESTAMP=74212842
_HOSTNAME=gpu-1
MESSAGE=said = this
_PID=1306

"""


def binary(field: str, text: str) -> bytes:
    """A field of several lines, as the export format has it."""
    return field.encode() + b"\n" + struct.pack("<Q", len(text.encode())) + text.encode() + b"\n"


def test_exported_entries_are_parted_by_their_cursors() -> None:
    entries = all_of(Exported(), EXPORTED * 2)
    assert said(entries) == [("gpu-1", "said = this")] * 2
    [piece] = entries[0]
    assert piece.peeled
    assert piece.peeled.stamp
    assert piece.peeled.stamp.moment == datetime(2023, 4, 1, 6, 44, 32, 784185)  # 1,680,331,472 s after 1970


@pytest.mark.parametrize("length", [20, 200, 300, 266, 10, 2570])
def test_a_text_of_several_lines_stands_behind_its_size(length: int) -> None:
    """266 and 10 have the value of a line end as their lowest byte; 200 and 300 have bytes that are no letters."""
    text = "é\n\n" + "x" * (length - 4)
    assert len(text.encode()) == length
    data = EXPORTED.encode().replace(b"MESSAGE=said = this\n", binary("_CMDLINE", "a\nb") + binary("MESSAGE", text))
    assert said(all_of(Exported(), data + EXPORTED.encode())) == [("gpu-1", text), ("gpu-1", "said = this")]


@pytest.mark.parametrize("length", [45, 200, 266, 300, 2570])
def test_lines_of_a_message_that_look_like_fields_are_its_own(length: int) -> None:
    """Its size says so; 200 and 300 have bytes that are no letters, which look alike."""
    end = "\nCUDA_VISIBLE_DEVICES=0\nERROR\nValueError: x"
    text = "x" * (length - len(end)) + end
    data = EXPORTED.encode().replace(
        b"MESSAGE=said = this\n", binary("_CMDLINE", "a\nMESSAGE=b") + binary("MESSAGE", text)
    )
    assert said(all_of(Exported(), data * 2)) == [("gpu-1", text)] * 2


def test_an_empty_line_begins_and_ends_a_message() -> None:
    """13 is the value of a carriage return."""
    text = "\nA=1\n" + "x" * 7 + "\n"
    assert len(text) == 13
    data = EXPORTED.encode().replace(b"MESSAGE=said = this\n", binary("MESSAGE", text))
    assert said(all_of(Exported(), data)) == [("gpu-1", text.rstrip("\n"))]


def test_a_message_that_is_cut_off_is_kept_as_far_as_it_goes() -> None:
    data = EXPORTED.encode().replace(b"MESSAGE=said = this\n", binary("MESSAGE", "a\nb\n" + "x" * 900))
    assert said(all_of(Exported(), data[: data.index(b"xxx")])) == [("gpu-1", "a\nb")]
    assert said(all_of(Exported(), data[: data.index(b"a\nb")])) == [("gpu-1", "")]


@given(st.binary(max_size=60))
def test_no_bytes_behind_a_field_s_name_break_it(data: bytes) -> None:
    all_of(Exported(), EXPORTED.encode() + b"MESSAGE\n" + data)


@pytest.mark.parametrize(
    "text",
    [
        "Mon 2025-01-20 15:05:58 CET gpu-1 sglang[4100]: said",
        "[2025-01-20 15:05:58] said",
        "    MESSAGE=said",
        "[s=3c16;i=f2]",
    ],
)
def test_other_logs_are_not_taken_for_it(text: str) -> None:
    assert not verbose([text])
    assert not exported([text])


def test_an_environment_is_no_journal() -> None:
    assert not exported(["NCCL_DEBUG=INFO", "__CURSOR=", "PATH=/bin"])
