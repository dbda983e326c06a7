"""`iostat`."""

from __future__ import annotations

import pytest

from analyzer.events import DiskLoad
from tests.parsers.build_blocks import KIB, MIB, around, claims, of, read, value
from tests.parsers.snapshots import SAMPLES
from tests.parsers.variants import VARIANTS


@pytest.mark.parametrize(
    "line",
    ["Device 0 is busy", "avg-cpu: 12", "Device: cuda:0 read 12", "Device     Start        End   Sectors  Size Type"],
)
def test_other_lines_on_devices_are_not_its(line: str) -> None:
    assert not claims("iostat", line)


def test_each_report_tells_of_each_disk_and_the_first_is_since_boot() -> None:
    loads = of(DiskLoad, read("iostat", SAMPLES["iostat"]))
    assert [(load.device, load.since_boot) for load in loads] == [("nvme0n1", True), ("sda", True), ("nvme0n1", False)]
    last = loads[-1]
    assert (value(last.read), value(last.written)) == (205312 * KIB, 24 * KIB)
    assert (value(last.read_wait), value(last.busy)) == (pytest.approx(0.0182), 1)


def test_a_run_that_leaves_the_averages_since_boot_out_has_none() -> None:
    loads = of(DiskLoad, read("iostat", SAMPLES["iostat"], around("iostat -xzy 1 2")))
    assert [load.since_boot for load in loads] == [False] * 3


def test_a_report_has_its_time() -> None:
    text = (
        SAMPLES["iostat"].rstrip()
        + "\n\n02/17/2026 10:05:13 AM\n"
        + SAMPLES["iostat"].lstrip("\n").partition("\n\n")[0]
    )
    text += "\n\nDevice             tps    kB_read/s    kB_wrtn/s    kB_dscd/s    kB_read    kB_wrtn    kB_dscd"
    text += "\nnvme0n1          12.10       412.33       120.11         0.00  123456789   12345678          0"
    last = of(DiskLoad, read("iostat", text))[-1]
    assert last.where.stamp is not None
    assert last.where.stamp.moment.isoformat() == "2026-02-17T10:05:13"
    assert (value(last.read), last.busy) == (pytest.approx(412.33 * KIB), None)


def test_the_title_of_its_family_does_not_hide_it() -> None:
    title = "Linux 5.15.0-105-generic (gpu-1) \t02/17/2026 \t_x86_64_\t(96 CPU)"
    block = read("sar", f"{title}\n\n02/17/2026 10:05:12 AM\n{SAMPLES['iostat'].strip(chr(10))}")
    first = of(DiskLoad, block)[0]
    assert first.where.stamp is not None
    assert first.where.stamp.moment.isoformat() == "2026-02-17T10:05:12"
    assert first.where.ref.line == 8


def test_sizes_for_people_and_megabytes_are_read() -> None:
    people, megabytes = (of(DiskLoad, read("iostat", text)) for text in VARIANTS["iostat"])
    assert value(people[0].read) == 203 * MIB
    assert value(megabytes[0].read) == pytest.approx(203.00 * MIB)
    assert megabytes[0].read_wait is not None
