"""The beginnings of the inputs are read for names; an unreadable one is passed over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.bundle import InMemory, OnDisk, Source
from analyzer.redact.inputs import heads

if TYPE_CHECKING:
    from pathlib import Path


def test_a_missing_file_is_empty(tmp_path: Path) -> None:
    assert list(heads([Source("gone", 0, OnDisk(tmp_path / "gone"))], 9)) == [""]


def test_no_more_than_the_beginning_is_read() -> None:
    assert list(heads([Source("log", 10, InMemory(b"0123456789"))], 4)) == ["0123"]


def test_another_encoding_is_decoded() -> None:
    data = "\ufeffalice".encode("utf-16-le")
    assert list(heads([Source("log", len(data), InMemory(data))], 99)) == ["alice"]


def test_undecodable_bytes_hide_nothing_else() -> None:
    (text,) = heads([Source("log", 7, InMemory(b"\xff alice"))], 99)
    assert text.endswith(" alice")
