"""Archives give their files by name; what is unsafe is refused by name, and the rest is read."""

from __future__ import annotations

import io
import tarfile
import zipfile
from typing import TYPE_CHECKING

import pytest

from analyzer.bundle import archive
from analyzer.bundle.archive import members_of, unsafe_name
from analyzer.bundle.source import Compressed, InMemory, OnDisk
from analyzer.bundle.stream import Tapped

if TYPE_CHECKING:
    from pathlib import Path


def tar_of(*entries: tuple[str, bytes], mode: str = "w") -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=mode) as tar:  # type: ignore[call-overload]
        for name, data in entries:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


def special(name: str, kind: bytes) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        info = tarfile.TarInfo(name)
        info.type, info.linkname = kind, "/etc/passwd"
        tar.addfile(info)
        fine = tarfile.TarInfo("fine.log")
        fine.size = 3
        tar.addfile(fine, io.BytesIO(b"ok\n"))
    return buffer.getvalue()


def zip_of(*entries: tuple[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in entries:
            made.writestr(name, data)
    return buffer.getvalue()


def contents(data: bytes) -> dict[str, bytes]:
    members = members_of(InMemory(data), data[:600])
    assert members is not None
    return {name: origin.open().read(10_000) for name, origin in members.files}


@pytest.mark.parametrize("name", ["node0/server.log", "a..b.log", "..hidden/x", "C/x.log"])
def test_an_ordinary_name_is_safe(name: str) -> None:
    assert not unsafe_name(name)


@pytest.mark.parametrize("name", ["/etc/passwd", "../x", "a/../../x", "..\\x", "C:\\x"])
def test_a_name_that_leads_elsewhere_is_not_safe(name: str) -> None:
    assert unsafe_name(name)


def test_a_log_is_no_archive() -> None:
    head = b"[2026-02-17 10:02:51] PK\x03\x04 ustar\n" * 20
    assert members_of(InMemory(head), head) is None


@pytest.mark.parametrize("make", [tar_of, zip_of])
def test_files_keep_their_names_and_bytes(make: type) -> None:
    assert contents(make(("node0/server.log", b"one\n"), ("node1/server.log", b"two\n"))) == {
        "node0/server.log": b"one\n",
        "node1/server.log": b"two\n",
    }


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE])
def test_links_and_devices_are_refused_by_name(kind: bytes) -> None:
    data = special("evil", kind)
    members = members_of(InMemory(data), data[:600])
    assert members is not None
    assert members.refused == ["!evil: refused: a link, a device or a sparse file"]
    assert [name for name, _ in members.files] == ["fine.log"]


@pytest.mark.parametrize("make", [tar_of, zip_of])
def test_a_member_outside_the_archive_is_refused_and_the_rest_read(make: type) -> None:
    data = make(("../../etc/cron.d/x", b"bad\n"), ("ok.log", b"ok\n"))
    members = members_of(InMemory(data), data[:600])
    assert members is not None
    assert members.refused == ["!../../etc/cron.d/x: refused: a name that leads out of the archive"]
    assert [name for name, _ in members.files] == ["ok.log"]


def test_a_zip_entry_that_expands_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "FREE_OUTPUT", 1000)
    data = zip_of(("bomb.log", bytes(1_000_000)), ("ok.log", b"ok\n"))
    members = members_of(InMemory(data), data[:600])
    assert members is not None
    assert members.refused == ["!bomb.log: refused: expands to more than 200 times its size"]


def test_more_files_than_are_read_are_refused_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MAX_MEMBERS", 2)
    data = tar_of(*((f"{n}.log", b"x\n") for n in range(5)))
    members = members_of(InMemory(data), data[:600])
    assert members is not None
    assert [name for name, _ in members.files] == ["0.log", "1.log"]
    assert members.refused == [": refused: more than 2 members, the rest is not read"]


def test_a_cut_tar_gives_the_files_before_the_cut() -> None:
    data = tar_of(("a.log", b"a" * 600), ("b.log", b"b" * 5000))
    members = members_of(InMemory(data[:4000]), data[:600])
    assert members is not None
    found = {name: origin.open().read(10_000) for name, origin in members.files}
    assert found["a.log"] == b"a" * 600
    # Headers of 512 bytes each and the first file's two blocks stand before the second file's bytes.
    assert found["b.log"] == b"b" * (4000 - 512 - 1024 - 512)


def test_a_compressed_tar_is_read_whether_its_files_are_held_or_not(monkeypatch: pytest.MonkeyPatch) -> None:
    data = tar_of(("a.log", b"a" * 600), ("b.log", b"b" * 700), mode="w:gz")
    origin = Compressed(InMemory(data), "gzip")
    head = origin.open().read(600)
    for held in (10_000, 0):
        monkeypatch.setattr(archive, "HELD_ALL", held)
        members = members_of(origin, head)
        assert members is not None
        assert [made.open().read(1000) for _, made in members.files] == [b"a" * 600, b"b" * 700]


def test_an_encrypted_entry_is_refused() -> None:
    data = bytearray(zip_of(("secret.log", b"x\n")))
    data[data.index(b"PK\x01\x02") + 8] |= 1
    members = members_of(InMemory(bytes(data)), bytes(data[:600]))
    assert members is not None
    assert members.refused == ["!secret.log: refused: encrypted"]


def test_a_zip_without_its_directory_gives_its_entries_and_says_that_it_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "cut.zip"
    whole = zip_of(("a.log", b"a" * 1000), ("b.log", b"line\n" * 50))
    path.write_bytes(whole[: whole.index(b"PK\x01\x02")])
    members = members_of(OnDisk(path), path.read_bytes())
    assert members is not None
    found = {}
    for name, origin in members.files:
        with Tapped(origin.open(), len) as stream:
            found[name] = stream.read(2000)
    assert found == {"a.log": b"a" * 1000, "b.log": b"line\n" * 50}
    assert members.refused == [": damaged zip (its entries were read as far as they go)"]


def test_a_zip_cut_before_its_first_entry_ends_says_so(tmp_path: Path) -> None:
    path = tmp_path / "cut.zip"
    path.write_bytes(zip_of(("a.log", b"a" * 1000))[:20])
    members = members_of(OnDisk(path), path.read_bytes())
    assert members is not None
    assert (members.files, members.refused) == ([], [": damaged zip (File is not a zip file)"])
