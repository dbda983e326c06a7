"""The encoding of a source is told from its first bytes, and binary data from text."""

from __future__ import annotations

import zlib

import pytest

from analyzer.bundle.encoding import encoding_of, is_text, to_text

LINE = "[2026-02-17 10:02:51 TP1] Init torch distributed begin.\n"


@pytest.mark.parametrize(
    "head",
    [
        LINE.encode(),
        "\N{FULL BLOCK}".encode() * 200,
        b"\0" * 4096 + LINE.encode(),
        LINE.encode("utf-16"),
        LINE.encode("utf-16-be"),
        b"caf\xe9 au lait, caf\xe9 noir\n" * 20,
        b"\x1b[36m(Engine pid=952)\x1b[0m started\r\n",
        b"",
    ],
    ids=[
        "ascii",
        "bars",
        "hole of a rotated log",
        "utf-16 with mark",
        "utf-16 without mark",
        "latin-1",
        "ansi",
        "empty",
    ],
)
def test_text_in_any_usual_form_is_text(head: bytes) -> None:
    assert is_text(head)


@pytest.mark.parametrize(
    "head",
    [
        zlib.compress(bytes(range(256)) * 40),
        b"\x7fELF\x02\x01\x01" + bytes(range(1, 32)) * 60,
        b"\x80\x04\x95" + b"\x01\x8c\x03" * 900,
    ],
    ids=["compressed", "program", "pickle"],
)
def test_binary_data_is_not_text(head: bytes) -> None:
    assert not is_text(head)


@pytest.mark.parametrize("name", ["utf-16-le", "utf-16-be"])
def test_sixteen_bit_text_is_told_without_a_mark(name: str) -> None:
    assert encoding_of(LINE.encode(name)) == name


def test_a_single_nul_does_not_make_text_sixteen_bit() -> None:
    assert encoding_of(LINE.encode() + b"\0") == "utf-8"


def test_undecodable_bytes_are_kept_as_signs_and_counted() -> None:
    assert to_text(b"a\xffb\xfe", "utf-8") == ("a�b�", 2)


def test_nuls_and_the_byte_order_mark_are_dropped() -> None:
    assert to_text(b"\xef\xbb\xbfa\0b", "utf-8-sig") == ("ab", 0)
