"""An archive is the same for the same content, and its names are safe wherever it is unpacked."""

from __future__ import annotations

import io
import tarfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer import bundle
from analyzer.excerpt.pack import named, packed


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("server.log", "inputs/server.log"),
        ("node0/server.log", "inputs/node0/server.log"),
        ("logs.tar.gz!node0/server.log", "inputs/logs.tar.gz/node0/server.log"),
        ("server.log.gz", "inputs/server.log"),
        ("/var/log/x.log", "inputs/var/log/x.log"),
        ("../../etc/passwd", "inputs/etc/passwd"),
        ("a\\..\\b.log", "inputs/a/b.log"),
        ("C:evil.log", "inputs/C_evil.log"),
        (".hidden.log", "inputs/_hidden.log"),
        ("a\x1b[2J\u202e.log", "inputs/a__2J_.log"),
        ("..", "inputs-2"),
    ],
)
def test_a_name_tells_what_the_source_s_does_and_leads_nowhere(source: str, name: str) -> None:
    assert named([source]) == [name]


def test_no_two_members_have_one_name() -> None:
    assert named(["a!b.log", "a/b.log", "A/B.LOG"]) == ["inputs/a/b.log", "inputs/a/b-2.log", "inputs/A/B-3.LOG"]


@settings(max_examples=25)
@given(st.lists(st.text(max_size=30), min_size=1, max_size=6))
def test_every_name_is_read_back(sources: list[str]) -> None:
    names = named(sources)
    assert len(set(names)) == len(names)
    data = packed(dict.fromkeys(names, b"[2026-02-17 10:00:00] x\n"))
    read = bundle.opened("x.tar.gz", data)
    assert [error for error in read.errors if "holds no files" not in error] == []
    assert len(read.sources) == len(names)


def test_the_bytes_depend_on_nothing_but_the_content() -> None:
    one = packed({"b.txt": b"2", "a.txt": b"1"})
    assert one == packed({"a.txt": b"1", "b.txt": b"2"})
    with tarfile.open(fileobj=io.BytesIO(one)) as tar:
        members = tar.getmembers()
    assert [member.name for member in members] == ["a.txt", "b.txt"]
    assert {(m.mtime, m.uid, m.gid, m.uname, m.gname, m.mode) for m in members} == {(0, 0, 0, "", "", 0o644)}
    assert one[4:8] == b"\0\0\0\0", "gzip's own time"
    assert one[3] == 0, "no file name in gzip's head"
