"""A source can be opened again and again, wherever its bytes lie."""

from __future__ import annotations

import io
import pickle
import zipfile
from typing import TYPE_CHECKING

import pytest

from analyzer.bundle.source import InMemory, OnDisk, Source, TarMember, ZipMember
from analyzer.errors import UnreadableError

if TYPE_CHECKING:
    from pathlib import Path


def test_a_source_is_read_twice_from_its_start() -> None:
    source = Source("a.log", 3, InMemory(b"abc"))
    assert source.open().read(10) == source.open().read(10) == b"abc"


def test_a_file_that_grows_while_it_is_read_ends_at_its_old_size(tmp_path: Path) -> None:
    path = tmp_path / "server.log"
    path.write_bytes(b"first\n")
    stream = Source("server.log", 6, OnDisk(path)).open()
    with path.open("ab") as log:
        log.write(b"second\n")
    assert stream.read(100) == b"first\n"
    assert stream.read(100) == b""
    stream.close()


def test_a_span_of_a_file_is_read_by_its_offset(tmp_path: Path) -> None:
    path = tmp_path / "a.tar"
    path.write_bytes(b"headMEMBERtail")
    stream = TarMember(OnDisk(path), 4, 6).open()
    assert stream.read(100) == b"MEMBER"
    stream.close()


def test_a_zip_entry_that_is_not_there_cannot_be_read() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as made:
        made.writestr("a.log", b"a\n")
    with pytest.raises(UnreadableError, match="damaged zip entry"):
        ZipMember(InMemory(buffer.getvalue()), "b.log", 2).open()


def test_a_source_travels_to_another_process(tmp_path: Path) -> None:
    source = Source("a", 1, TarMember(OnDisk(tmp_path / "a.tar"), 0, 1))
    assert pickle.loads(pickle.dumps(source)) == source  # noqa: S301 - our own bytes
