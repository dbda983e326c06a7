"""The tree of `lsblk`."""

from __future__ import annotations

import pytest

from tests.parsers.build_blocks import claims, facts, read
from tests.parsers.snapshots import SAMPLES


@pytest.mark.parametrize("line", ["NAME    READY   STATUS    RESTARTS   AGE", "NAME TYPE", "NAME of the disk SIZE"])
def test_other_tables_of_names_are_not_its(line: str) -> None:
    assert not claims("lsblk", line)


def test_disks_and_partitions_lose_their_branches() -> None:
    assert facts(read("lsblk", SAMPLES["lsblk"])) == {
        "disk nvme0n1": "259:0 0 3.5T 0 disk",
        "disk nvme0n1p1": "259:1 0 1G 0 part /boot/efi",
    }


def test_a_line_without_a_type_ends_it() -> None:
    assert read("lsblk", SAMPLES["lsblk"] + "\nserver started again").lines == 3
