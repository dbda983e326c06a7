"""Streams give every byte that can be had, and say what was wrong with the rest."""

from __future__ import annotations

import bz2
import gzip
import importlib
import lzma
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.bundle import stream
from analyzer.bundle.source import InMemory
from analyzer.bundle.stream import Section, Stream, Tapped, Unpacked, method_of

ZSTD = importlib.import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")
PACK = {"gzip": gzip.compress, "bzip2": bz2.compress, "xz": lzma.compress, "zstd": ZSTD.compress}
# Text that does not compress well, so that a cut takes some of it and leaves some.
TEXT = b"".join(b"line %d %x\n" % (n, n * 2654435761 % 2**32) for n in range(20_000))


def drain(opened: Stream) -> bytes:
    parts = []
    while data := opened.read(1000):
        parts.append(data)
    opened.close()
    return b"".join(parts)


@pytest.fixture(params=stream.INFLATE)
def library(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each library that gzip is read with, where it is installed."""
    pytest.importorskip(request.param)
    monkeypatch.setattr(stream, "INFLATE", (request.param,))


@pytest.mark.parametrize("method", PACK)
def test_compressed_data_is_recognised_and_read(method: str) -> None:
    packed = PACK[method](TEXT)
    assert method_of(packed) == method
    opened = Unpacked(InMemory(packed).open(), method)
    assert drain(opened) == TEXT
    assert not opened.damage


@pytest.mark.parametrize("method", PACK)
def test_a_cut_tail_gives_what_is_there_and_says_so(method: str) -> None:
    packed = PACK[method](TEXT)
    opened = Unpacked(InMemory(packed[: len(packed) * 3 // 4]).open(), method)
    got = drain(opened)
    assert TEXT.startswith(got)
    assert opened.damage == f"cut off: the {method} data ends before its end mark"


@pytest.mark.usefixtures("library")
def test_a_cut_gzip_loses_less_than_its_window() -> None:
    packed = gzip.compress(TEXT)
    got = drain(Unpacked(InMemory(packed[: len(packed) // 2]).open(), "gzip"))
    assert len(got) > len(TEXT) * 0.45, "half of evenly compressed data is about half of the text"


@pytest.mark.usefixtures("library")
def test_broken_data_in_the_middle_keeps_what_came_before() -> None:
    packed = bytearray(gzip.compress(TEXT))
    packed[len(packed) // 2] ^= 0xFF
    packed[len(packed) // 2 + 1 :] = b"\xff" * (len(packed) - len(packed) // 2 - 1)
    opened = Unpacked(InMemory(bytes(packed)).open(), "gzip")
    got = drain(opened)
    assert got[:100_000] == TEXT[:100_000]
    assert opened.damage


def test_frames_that_follow_each_other_are_one_text() -> None:
    packed = ZSTD.compress(b"one\n") + ZSTD.compress(b"two\n")
    opened = Unpacked(InMemory(packed).open(), "zstd")
    assert drain(opened) == b"one\ntwo\n"
    assert not opened.damage


@pytest.mark.usefixtures("library")
def test_members_that_follow_each_other_are_one_text() -> None:
    packed = gzip.compress(b"one\n") + gzip.compress(b"two\n") + b"\0" * 512
    opened = Unpacked(InMemory(packed).open(), "gzip")
    assert drain(opened) == b"one\ntwo\n"
    assert not opened.damage


@pytest.mark.usefixtures("library")
def test_something_else_behind_the_last_member_is_left_alone() -> None:
    opened = Unpacked(InMemory(gzip.compress(b"one\n") + b"trailing words").open(), "gzip")
    assert drain(opened) == b"one\n"
    assert not opened.damage


@pytest.mark.usefixtures("library")
def test_a_bomb_is_refused_after_what_is_free(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "FREE_OUTPUT", 10_000_000)
    bomb = Unpacked(InMemory(gzip.compress(bytes(40_000_000))).open(), "gzip")
    size = len(drain(bomb))
    assert 10_000_000 < size < 20_000_000, "gzip makes at most 1,032 bytes of one, so a piece of 4 KiB is 4 MB"
    assert bomb.damage.startswith("refused: expands to more than 200 times its size")


def test_a_section_ends_where_it_ends() -> None:
    assert drain(Section(InMemory(b"0123456789").open(), 3, 4)) == b"3456"


def test_a_section_that_the_archive_does_not_hold_in_full_says_so() -> None:
    opened = Section(InMemory(b"0123456789").open(), 8, 4)
    assert drain(opened) == b"89"
    assert opened.damage == "cut off: the archive ends inside this file"


@given(st.binary(max_size=5000), st.integers(1, 700))
def test_a_tap_hears_every_byte_that_is_read(data: bytes, size: int) -> None:
    heard: list[bytes] = []
    opened = Tapped(InMemory(data).open(), heard.append)
    while opened.read(size):
        pass
    assert b"".join(heard) == data
