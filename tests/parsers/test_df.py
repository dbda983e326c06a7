"""The table of `df`."""

from __future__ import annotations

import pytest

from analyzer.events import FilesystemListed
from tests.parsers.build_blocks import GIB, KIB, MIB, TIB, around, claims, facts, of, read, value
from tests.parsers.snapshots import SAMPLES

PLAIN = """
Filesystem     1K-blocks      Used Available Use% Mounted on
/dev/mapper/a-volume-with-a-long-name
                52403200  10240000  42163200  20% /data set
tmpfs           67108864      1024  67107840   1% /dev/shm
"""
INODES = """
Filesystem      Inodes  IUsed   IFree IUse% Mounted on
/dev/sda1      1000000 999999       1  100% /
"""


@pytest.mark.parametrize("line", ["/dev/sda1 is Mounted on /", "Filesystem is full: Mounted on", "Mounted on /models"])
def test_sentences_on_mounts_are_no_header(line: str) -> None:
    assert not claims("df", line)


def test_h_is_binary_and_rounds_up() -> None:
    root, models, shm = of(FilesystemListed, read("df", SAMPLES["df"]))
    assert [value(root.total), value(root.free)] == [100 * GIB, 0]
    assert value(models.total) == 7 * TIB
    assert value(shm.used) == pytest.approx(1.2 * MIB)
    assert root.total is not None
    assert root.total.slack == GIB


def test_plain_numbers_are_kib_and_a_long_device_stands_alone() -> None:
    data, shm = of(FilesystemListed, read("df", PLAIN))
    assert (data.device, data.mount) == ("/dev/mapper/a-volume-with-a-long-name", "/data set")
    assert [value(data.total), value(shm.total)] == [52403200 * KIB, 64 * GIB]


def test_the_header_names_larger_blocks() -> None:
    text = "Filesystem     1M-blocks  Used Available Use% Mounted on\ntmpfs  64 62 2 97% /dev/shm"
    assert value(of(FilesystemListed, read("df", text))[0].total) == 64 * MIB


def test_capital_h_is_decimal() -> None:
    text = "Filesystem Size Used Avail Use% Mounted on\n/dev/sda1 100G 50G 50G 50% /"
    assert value(of(FilesystemListed, read("df", text, around("df -H")))[0].total) == 100 * 10**9


def test_inodes_are_facts() -> None:
    block = read("df", INODES)
    assert facts(block) == {"inodes-used /": "100%", "inodes-free /": "1 of 1000000"}
    assert not of(FilesystemListed, block)


def test_a_file_system_without_a_limit_of_inodes_has_none_that_are_free_or_not() -> None:
    text = "Filesystem     Inodes IUsed IFree IUse% Mounted on\n/dev/sdb            0     0     0     - /data"
    assert facts(read("df", text)) == {"inodes-used /data": "-"}


def test_headers_are_known_in_other_languages() -> None:
    text = "文件系统        容量  已用  可用 已用% 挂载点\noverlay         100G  100G     0  100% /"
    assert of(FilesystemListed, read("df", text))[0].mount == "/"


def test_the_portable_layout_is_read() -> None:
    text = "Filesystem     1024-blocks  Used Available Capacity Mounted on\nshm                  65536 65536         0     100% /dev/shm"
    (shm,) = of(FilesystemListed, read("df", text))
    assert (value(shm.total), value(shm.free)) == (64 * MIB, 0)
