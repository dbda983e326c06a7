"""`npu-smi info`."""

from __future__ import annotations

import pytest

from analyzer.events import GpuListed, GpuProcess
from tests.parsers.build_blocks import MIB, claims, facts, of, read, value
from tests.parsers.snapshots import SAMPLES


@pytest.mark.parametrize(
    "line",
    ["npu-smi info shows nothing", "| NPU | Name |", "| GPU  Name                 Persistence-M |", "NPU ID is 7"],
)
def test_other_boxes_are_not_its(line: str) -> None:
    assert not claims("npu_smi", line)


def test_a_chip_is_told_by_two_rows() -> None:
    (npu,) = of(GpuListed, read("npu_smi", SAMPLES["npu_smi"]))
    assert (npu.index, npu.name) == ("0", "910B3")
    assert [value(a) for a in (npu.used, npu.total)] == [59874 * MIB, 65536 * MIB]
    assert [value(a) for a in (npu.utilisation, npu.temperature)] == [0.07, 40]


def test_processes_hold_memory() -> None:
    (process,) = of(GpuProcess, read("npu_smi", SAMPLES["npu_smi"]))
    assert (process.gpu, process.pid, value(process.used)) == ("0", 12345, 59000 * MIB)


def test_the_title_names_the_driver() -> None:
    assert facts(read("npu_smi", SAMPLES["npu_smi"])) == {"npu.driver": "24.1.rc3"}


USAGES = """
	NPU ID                         : 7
	Chip Count                     : 1

	DDR Capacity(MB)               : 0
	HBM Capacity(MB)               : 65536
	HBM Usage Rate(%)              : 5
	Aicore Usage Rate(%)           : 73
	HBM Bandwidth Usage Rate(%)    : 0
	Chip ID                        : 0
"""
COMMON = """
NPU ID                         : 0
Chip Count                     : 1

Chip ID                        : 0
HBM Usage Rate(%)              : 91
Aicore Usage Rate(%)           : 12
Temperature(C)                 : 46
NPU Real-time Power(W)         : 69.0

Chip Name                      : mcu
Temperature(C)                 : 48
"""


def test_a_list_tells_capacity_load_and_the_share_in_use() -> None:
    block = read("npu_smi", USAGES)
    (npu,) = of(GpuListed, block)
    assert (npu.index, value(npu.total), npu.used, value(npu.utilisation)) == ("7", 65536 * MIB, None, 0.73)
    assert facts(block) == {"gpu.7.vram-used": "5%"}
    assert block.lines == 9


def test_the_heat_is_the_chip_s_not_the_microcontroller_s() -> None:
    (npu,) = of(GpuListed, read("npu_smi", COMMON))
    assert [value(a) for a in (npu.utilisation, npu.temperature)] == [0.12, 46]


def test_the_next_npu_is_the_next_list() -> None:
    assert read("npu_smi", USAGES + USAGES.strip("\n")).lines == 9
