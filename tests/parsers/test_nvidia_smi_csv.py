"""`nvidia-smi --query-… --format=csv`."""

from __future__ import annotations

import pytest

from analyzer.events import GpuListed, GpuProcess
from tests.parsers.build_blocks import MIB, around, claims, of, read, value
from tests.parsers.snapshots import SAMPLES

ASKED = around("nvidia-smi --query-compute-apps=pid,process_name,used_memory --format=csv,noheader")


@pytest.mark.parametrize(
    "line",
    [
        "index, name of the GPU",
        "name",
        "0, NVIDIA H100 80GB HBM3, 81559 MiB",
        "$ nvidia-smi --query-gpu=index,name --format=csv",
    ],
)
def test_lists_of_other_words_are_no_header(line: str) -> None:
    assert not claims("nvidia_smi_csv", line)


def test_the_echo_of_the_query_is_no_row() -> None:
    echo = "$ nvidia-smi --query-compute-apps=pid,process_name,used_memory --format=csv,noheader"
    assert not claims("nvidia_smi_csv", echo, ASKED)


def test_gpus_are_read_by_the_header() -> None:
    (gpu,) = of(GpuListed, read("nvidia_smi_csv", SAMPLES["nvidia_smi_csv"]))
    assert (gpu.index, gpu.name) == ("0", "NVIDIA H100 80GB HBM3")
    assert [value(a) for a in (gpu.total, gpu.used, gpu.utilisation)] == [81559 * MIB, 71200 * MIB, 1]


def test_the_mask_of_reasons_is_spelled_out() -> None:
    (gpu,) = of(GpuListed, read("nvidia_smi_csv", SAMPLES["nvidia_smi_csv"]))
    assert gpu.throttle == "HW Slowdown, HW Thermal Slowdown", "0x48 is 0x8 and 0x40"


def test_rows_without_a_header_follow_the_echoed_query() -> None:
    first, second = of(GpuProcess, read("nvidia_smi_csv", "61200, python3, 70010 MiB\n61201, python3, 5 MiB", ASKED))
    assert (first.pid, first.command, value(second.used)) == (61200, "python3", 5 * MIB)
