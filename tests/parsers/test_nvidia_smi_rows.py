"""Rows of `nvidia-smi --format=csv,noheader` that nothing names."""

from __future__ import annotations

import pytest

from analyzer.events import Fact, GpuListed, GpuProcess
from tests.parsers.build_blocks import MIB, claims, facts, of, read, value
from tests.parsers.snapshots import SAMPLES


@pytest.mark.parametrize(
    "line",
    [
        "Tried to allocate 2.00 MiB, 3 times",
        "0, 71200",
        "0, NVIDIA H100 80GB HBM3, 81559",
        "retry, 3, 70010 MiB",
        "1, python3, 5 MiB",
        "rank 0, used 71200 MiB",
        "Memory 71200 MiB, 100 %",
        "71200 MiB",
    ],
)
def test_other_lines_with_sizes_are_no_rows(line: str) -> None:
    assert not claims("nvidia_smi_rows", line)


def test_the_total_is_certain_where_the_other_two_add_up_to_it() -> None:
    first, second = of(GpuListed, read("nvidia_smi_rows", SAMPLES["nvidia_smi_rows"]))
    assert (first.index, first.name) == ("0", "NVIDIA H100 80GB HBM3")
    assert [value(a) for a in (first.total, first.used, second.total)] == [81559 * MIB, None, 81559 * MIB]


def test_which_of_two_sizes_is_which_stays_open() -> None:
    block = read("nvidia_smi_rows", "0, 71200 MiB, 81559 MiB, 98 %")
    (gpu,) = of(GpuListed, block)
    assert [value(a) for a in (gpu.total, gpu.used, gpu.utilisation)] == [None, None, None]
    assert facts(block) == {"gpu.0.figures": "71200 MiB, 81559 MiB, 98 %"}


@pytest.mark.parametrize(
    ("line", "gpu"),
    [
        ("61200, /usr/bin/python3, 70010 MiB", ""),
        (
            "GPU-0a1b2c3d-0000-1111-2222-333344445555, 61200, /usr/bin/python3, 70010 MiB",
            "GPU-0a1b2c3d-0000-1111-2222-333344445555",
        ),
        ("00000000:1B:00.0, 61200, /usr/bin/python3, 70010 MiB", "00000000:1B:00.0"),
    ],
)
def test_a_process_is_told_by_its_shape(line: str, gpu: str) -> None:
    (process,) = of(GpuProcess, read("nvidia_smi_rows", line))
    assert (process.pid, process.command, process.gpu, value(process.used)) == (
        61200,
        "/usr/bin/python3",
        gpu,
        70010 * MIB,
    )


def test_a_row_with_its_time_is_dated_by_it() -> None:
    (gpu,) = of(GpuListed, read("nvidia_smi_rows", "2026/05/11 08:10:00.512, 3, 69341 MiB, 81559 MiB"))
    assert gpu.index == "3"
    assert gpu.where.stamp is not None
    assert gpu.where.stamp.moment.isoformat() == "2026-05-11T08:10:00.512000"


def test_rows_without_an_index_are_counted() -> None:
    block = read("nvidia_smi_rows", "NVIDIA L4, 100 MiB, 22 %\nNVIDIA L4, 200 MiB, 23 %")
    assert [gpu.index for gpu in of(GpuListed, block)] == ["0", "1"]
    assert len(of(Fact, block)) == 2
