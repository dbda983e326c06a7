"""The lines of `mount`."""

from __future__ import annotations

import pytest

from analyzer.events import FilesystemListed
from tests.parsers.build_blocks import MIB, claims, facts, of, read, value
from tests.parsers.snapshots import SAMPLES


@pytest.mark.parametrize(
    "line",
    [
        "the error on line 4 is of type x (again)",
        "a on /b type c (rw) as before",
        "KeyError on load type int (rw)",
        "TARGET SOURCE",
    ],
)
def test_sentences_with_its_words_are_no_mount(line: str) -> None:
    assert not claims("mount", line)


def test_a_mount_is_told_by_its_type_and_source() -> None:
    assert facts(read("mount", SAMPLES["mount"])) == {
        "mount /dev/shm": "tmpfs tmpfs",
        "mount /models": "nfs4 192.0.2.40:/export/m",
    }


def test_the_size_of_a_tmpfs_stands_in_its_options() -> None:
    (shm,) = of(FilesystemListed, read("mount", SAMPLES["mount"]))
    assert (shm.mount, value(shm.total)) == ("/dev/shm", 64 * MIB)


FINDMNT = """
TARGET   SOURCE FSTYPE OPTIONS
/dev/shm tmpfs  tmpfs  rw,nosuid,nodev,size=65536k
"""
TREE = """
TARGET                  SOURCE     FSTYPE OPTIONS
/                       /dev/sda1  ext4   rw,relatime
├─/dev                  udev       devtmpfs rw,size=24683652k,mode=755
│ └─/dev/shm            tmpfs      tmpfs  rw,nosuid,nodev,size=16384m
└─/models               192.0.2.40:/export/m nfs4 rw,vers=4.2
"""


def test_findmnt_tells_the_same() -> None:
    block = read("mount", FINDMNT)
    (shm,) = of(FilesystemListed, block)
    assert (shm.mount, value(shm.total), block.lines) == ("/dev/shm", 64 * MIB, 2)


def test_its_tree_is_a_list_of_mounts() -> None:
    block = read("mount", TREE)
    assert facts(block) == {
        "mount /": "ext4 /dev/sda1",
        "mount /dev": "devtmpfs udev",
        "mount /dev/shm": "tmpfs tmpfs",
        "mount /models": "nfs4 192.0.2.40:/export/m",
    }
    assert [value(shm.total) for shm in of(FilesystemListed, block)] == [16384 * MIB]
