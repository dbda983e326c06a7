"""The lines of `mount`."""

from __future__ import annotations

import pytest

from analyzer.events import FilesystemListed
from tests.parsers.build_blocks import MIB, claims, facts, of, read, value
from tests.parsers.snapshots import SAMPLES


@pytest.mark.parametrize(
    "line",
    ["the error on line 4 is of type x (again)", "a on /b type c (rw) as before", "KeyError on load type int (rw)"],
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
