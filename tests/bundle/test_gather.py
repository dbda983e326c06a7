"""Paths become sources in a stable order, and each that cannot be read gets one clear sentence."""

from __future__ import annotations

import gzip
import io
import os
import socket
import sys
import tarfile
import threading
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from analyzer.bundle import OnDisk, gather

if TYPE_CHECKING:
    from pathlib import Path


def write(folder: Path, **files: bytes) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (folder / name.replace("__", ".")).write_bytes(data)
    return folder


def text_of(path: Path | str, *more: str) -> dict[str, bytes]:
    found = {}
    for source in gather([str(path), *more]).sources:
        with closing(source.open()) as stream:
            found[source.name] = stream.read(100)
    return found


def test_a_folder_gives_its_files_by_name_with_subfolders(tmp_path: Path) -> None:
    write(tmp_path / "in", b__log=b"b\n", a__log=b"a\n")
    write(tmp_path / "in" / "snap", free__txt=b"f\n")
    assert text_of(tmp_path / "in") == {"a.log": b"a\n", "b.log": b"b\n", "snap/free.txt": b"f\n"}


def test_hidden_files_and_version_control_are_left_out(tmp_path: Path) -> None:
    write(tmp_path / "in", a__log=b"a\n", __hidden=b"h\n")
    write(tmp_path / "in" / ".git", config=b"c\n")
    write(tmp_path / "in" / "__MACOSX", a__log=b"m\n")
    assert list(text_of(tmp_path / "in")) == ["a.log"]


def test_a_missing_path_does_not_stop_the_others(tmp_path: Path) -> None:
    write(tmp_path / "in", a__log=b"a\n")
    bundle = gather([str(tmp_path / "in"), str(tmp_path / "gone.log")])
    assert [source.name for source in bundle.sources] == ["in/a.log"]
    assert bundle.errors == [f"{tmp_path}/gone.log: no such file or folder"]


def test_an_empty_file_is_a_source_like_any_other(tmp_path: Path) -> None:
    write(tmp_path / "in", server__log=b"")
    bundle = gather([str(tmp_path / "in")])
    assert bundle.errors == []  # all of it is read; its source says that it is empty
    assert [source.name for source in bundle.sources] == ["server.log"]


def test_an_empty_folder_is_told_of(tmp_path: Path) -> None:
    assert gather([str(tmp_path)]).errors == [f"{tmp_path}: the folder holds no files"]


def test_a_file_without_permission_is_told_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(_: OnDisk) -> None:
        raise PermissionError(13, "Permission denied")

    write(tmp_path / "in", a__log=b"a\n")
    monkeypatch.setattr(OnDisk, "open", denied)  # root may read whatever its mode says
    assert gather([str(tmp_path / "in")]).errors == ["a.log: cannot be read (Permission denied)"]


def test_a_link_that_leads_nowhere_is_told_of(tmp_path: Path) -> None:
    write(tmp_path / "in", a__log=b"a\n")
    (tmp_path / "in" / "b.log").symlink_to(tmp_path / "gone")
    assert gather([str(tmp_path / "in")]).errors == ["b.log: a link that leads nowhere"]


def test_a_compressed_file_keeps_its_name(tmp_path: Path) -> None:
    path = tmp_path / "server.log.2.gz"
    path.write_bytes(gzip.compress(b"old\n"))
    assert text_of(path) == {"server.log.2.gz": b"old\n"}


def test_a_file_inside_an_archive_is_named_behind_it(tmp_path: Path) -> None:
    path = tmp_path / "logs.tar.gz"
    with tarfile.open(path, "w:gz") as tar:
        for name, data in (("node0/server.log", b"zero\n"), ("node1/server.log.gz", gzip.compress(b"one\n"))):
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    assert text_of(path) == {"logs.tar.gz!node0/server.log": b"zero\n", "logs.tar.gz!node1/server.log.gz": b"one\n"}


def test_a_zstd_file_without_a_decoder_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr("importlib.import_module", missing)
    path = tmp_path / "server.log.zst"
    path.write_bytes(b"\x28\xb5\x2f\xfd" + bytes(20))
    why = "no zstd decoder is installed (pip install backports.zstd)"
    assert gather([str(path)]).errors == [f"server.log.zst: cannot be read ({why})"]


def test_an_archive_in_an_archive_is_opened(tmp_path: Path) -> None:
    inner = io.BytesIO()
    with tarfile.open(fileobj=inner, mode="w") as tar:
        info = tarfile.TarInfo("a.log")
        info.size = 2
        tar.addfile(info, io.BytesIO(b"a\n"))
    path = tmp_path / "outer.tar"
    with tarfile.open(path, "w") as tar:
        info = tarfile.TarInfo("inner.tar")
        info.size = len(inner.getvalue())
        tar.addfile(info, io.BytesIO(inner.getvalue()))
    assert text_of(path) == {"outer.tar!inner.tar!a.log": b"a\n"}


def test_standard_input_is_read_through_a_dash(monkeypatch: pytest.MonkeyPatch) -> None:
    piped = io.TextIOWrapper(io.BytesIO(gzip.compress(b"piped\n")))
    monkeypatch.setattr(sys, "stdin", piped)
    assert text_of("-") == {"stdin": b"piped\n"}


def test_a_pipe_is_read_once() -> None:
    read_end, write_end = os.pipe()
    os.write(write_end, b"piped\n")
    os.close(write_end)
    assert list(text_of(f"/dev/fd/{read_end}").values()) == [b"piped\n"]
    os.close(read_end)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_in_a_folder_is_told_of_and_not_waited_for(tmp_path: Path) -> None:
    write(tmp_path / "in", a__log=b"a\n")
    os.mkfifo(tmp_path / "in" / "b.log")
    bundle = gather([str(tmp_path / "in")])
    assert [source.name for source in bundle.sources] == ["a.log"]
    assert bundle.errors == ["b.log: is a pipe, not a file"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_given_by_name_is_not_waited_for_without_a_writer(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert gather([str(tmp_path / "pipe")]).errors == ["pipe: is a pipe that nobody writes to"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_given_by_name_is_read_to_its_end(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    reading = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)  # lets the other end be opened at once
    writing = os.open(tmp_path / "pipe", os.O_WRONLY)

    def write_late() -> None:
        os.write(writing, b"late\n")
        os.close(writing)

    late = threading.Timer(0.2, write_late)  # the pipe is open and still empty when it is looked at
    late.start()
    assert text_of(tmp_path / "pipe") == {"pipe": b"late\n"}
    late.join()
    os.close(reading)


def test_a_socket_is_told_of(tmp_path: Path) -> None:
    write(tmp_path / "in", a__log=b"a\n")
    with closing(socket.socket(socket.AF_UNIX)) as listening:
        listening.bind(str(tmp_path / "in" / "s"))
        assert gather([str(tmp_path / "in")]).errors == ["s: is a socket, not a file"]


def test_a_device_is_told_of() -> None:
    assert gather(["/dev/null"]).errors == ["null: is a device, not a file"]


def test_our_own_reports_are_no_evidence(tmp_path: Path) -> None:
    reports = {"r__json": b'{\n  "schema": "postmortem.report/1",', "r__md": b"<!-- postmortem.report/1 -->\n\n# HUNG"}
    write(tmp_path / "in", a__log=b"a\n", **reports)
    bundle = gather([str(tmp_path / "in")])
    assert [source.name for source in bundle.sources] == ["a.log"]
    assert bundle.errors == [f"{name}: is a report of this program, not evidence" for name in ("r.json", "r.md")]


def test_paths_of_one_name_keep_what_tells_them_apart(tmp_path: Path) -> None:
    for node in ("node0", "node1"):
        write(tmp_path / node, server__log=b"x\n")
    paths = [str(tmp_path / node / "server.log") for node in ("node0", "node1")]
    assert [source.name for source in gather(paths).sources] == paths
    assert [source.name for source in gather([str(tmp_path / "node0"), paths[1]]).sources] == [
        "node0/server.log",
        "server.log",
    ]


def test_the_same_input_gives_the_same_order(tmp_path: Path) -> None:
    write(tmp_path / "in", **{f"f{n}__log": b"x\n" for n in (3, 1, 2, 10)})
    assert list(text_of(tmp_path / "in")) == ["f1.log", "f10.log", "f2.log", "f3.log"]
