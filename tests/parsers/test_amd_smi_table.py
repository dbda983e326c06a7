"""The box of plain `amd-smi` and the columns of `amd-smi monitor`."""

from __future__ import annotations

import pytest

from analyzer.events import GpuListed, GpuProcess
from tests.parsers.build_blocks import GIB, MIB, claims, facts, of, read, value
from tests.parsers.snapshots import SAMPLES

MONITOR = """
GPU  XCP  POWER   GPU_T   MEM_T   GFX_CLK   GFX%   MEM%   ENC%   DEC%      VRAM_USAGE
  0    0  183 W   49 °C   48 °C  1427 MHz   12 %    0 %    N/A    0 %   178.5/192.0 GB
  1    0    N/A     N/A     N/A       N/A    N/A    N/A    N/A    N/A     0.3/ 48.0 GB
"""


@pytest.mark.parametrize("line", ["GPU  POWER failure", "| AMD-SMI said no |", "GPU 0 XCP"])
def test_other_lines_with_such_words_begin_no_table(line: str) -> None:
    assert not claims("amd_smi_table", line)


def test_two_rows_tell_of_a_gpu() -> None:
    block = read("amd_smi_table", SAMPLES["amd_smi_table"])
    first, second = of(GpuListed, block)
    assert (first.index, first.name, second.index, second.name) == (
        "0",
        "AMD Instinct MI300X VF",
        "7",
        "AMD Instinct MI355X",
    )
    assert [value(a) for a in (first.used, first.total, first.utilisation)] == [183009 * MIB, 196288 * MIB, 0.93]
    assert [value(a) for a in (first.temperature, first.ecc)] == [37, 2]
    assert [value(a) for a in (second.used, second.utilisation, second.temperature)] == [283 * MIB, None, None]
    assert facts(block) == {"amdgpu": "6.16.6", "rocm": "7.1.1"}


def test_a_process_is_listed_with_its_share_of_the_gpu() -> None:
    (process,) = of(GpuProcess, read("amd_smi_table", SAMPLES["amd_smi_table"]))
    assert (process.gpu, process.pid, value(process.used)) == ("0", 61200, 178.5 * GIB)


def test_columns_hold_figures_with_their_units() -> None:
    first, second = of(GpuListed, read("amd_smi_table", MONITOR))
    assert [value(a) for a in (first.used, first.total)] == [178.5 * GIB, 192 * GIB]
    assert [value(a) for a in (first.utilisation, first.temperature, first.clock)] == [0.12, 49, 1427]
    assert [value(a) for a in (second.total, second.utilisation)] == [48 * GIB, None]


def test_memory_in_columns_of_its_own_is_read() -> None:
    text = "TIMESTAMP  GPU  VRAM_USED  VRAM_FREE  VRAM_TOTAL  VRAM%\n1786038263    0    8192 MB   8192 MB   16384 MB   50 %"
    (gpu,) = of(GpuListed, read("amd_smi_table", text))
    assert [value(a) for a in (gpu.used, gpu.total)] == [8192 * MIB, 16384 * MIB]
    assert gpu.where.stamp is not None
    assert gpu.where.stamp.moment.isoformat() == "2026-08-06T17:44:23", "by `date -u -d @1786038263`"


def test_the_memory_of_the_host_that_a_gpu_may_use_is_not_the_gpus() -> None:
    text = MONITOR.replace("VRAM_USAGE", " GTT_USAGE")
    assert {value(gpu.total) for gpu in of(GpuListed, read("amd_smi_table", text))} == {None}
