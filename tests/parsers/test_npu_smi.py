"""`npu-smi info`."""

from __future__ import annotations

import pytest

from analyzer.events import GpuListed, GpuProcess
from tests.parsers.build_blocks import MIB, claims, facts, of, read, value
from tests.parsers.snapshots import SAMPLES


@pytest.mark.parametrize(
    "line", ["npu-smi info shows nothing", "| NPU | Name |", "| GPU  Name                 Persistence-M |"]
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
