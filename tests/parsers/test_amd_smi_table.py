"""The box of plain `amd-smi`, the columns of `amd-smi monitor`, the CSV."""

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


@pytest.mark.parametrize(
    "line", ["GPU  POWER failure", "| AMD-SMI said no |", "GPU 0 XCP", "gpu,cpu,disk", "gpu,gfx_activity is 0"]
)
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


# ROCm 6.2, as its release notes quote it; 6.0 leaves the blank line below the names.
QUEUED = """
GPU  POWER  GPU_TEMP  MEM_TEMP  GFX_UTIL  GFX_CLOCK  MEM_UTIL  MEM_CLOCK  ENC_UTIL  ENC_CLOCK  DEC_UTIL  DEC_CLOCK  SINGLE_ECC  DOUBLE_ECC  PCIE_REPLAY  VRAM_USED  VRAM_TOTAL   PCIE_BW

  0  199 W    103 °C     84 °C      99 %   1920 MHz      31 %   1000 MHz       N/A      0 MHz       N/A      0 MHz           0           3            0    1235 MB    16335 MB  N/A Mb/s

PROCESS INFO:
GPU                  NAME      PID  GTT_MEM  CPU_MEM  VRAM_MEM  MEM_USAGE     GFX     ENC
  0                   rvs  1564865    0.0 B    0.0 B    1.1 GB      0.0 B    0 ns    0 ns
"""
VIRTUAL = """
 GPU  POWER  HOTSPOT_TEMP  MEM_TEMP  GFX_UTIL  GFX_CLOCK  CORRECTABLE_ECC  UNCORRECTABLE_ECC  PCIE_REPLAY   PCIE_BW
   0  156 W          38 C      33 C       0 %    132 MHz                7                  1            0   18 Mb/s
"""
METRIC = """
timestamp,gpu,gfx_activity,umc_activity,mm_activity,vcn_activity,socket_power,throttle_status,gfx_0_clk,mem_0_clk,edge,hotspot,mem
1786038263,0,95,80,N/A,"['N/A', 'N/A']",288,THROTTLED,2402,2000,N/A,44,24
1786038263,1,0,0,N/A,"['N/A', 'N/A']",290,UNTHROTTLED,2403,2000,39,N/A,25
"""
MEMORY = """
gpu,total_vram,used_vram,free_vram,total_visible_vram,used_visible_vram,free_visible_vram,total_gtt,used_gtt,free_gtt
0,16368,905,15463,256,26,230,32119,755,31364
"""


def test_processes_stand_below_the_monitor_s_rows() -> None:
    block = read("amd_smi_table", QUEUED)
    assert block.lines == 7
    (gpu,), (process,) = of(GpuListed, block), of(GpuProcess, block)
    assert [value(a) for a in (gpu.used, gpu.total, gpu.temperature, gpu.ecc)] == [1235 * MIB, 16335 * MIB, 103, 3]
    assert (process.gpu, process.pid, process.command) == ("0", 1564865, "rvs")
    assert value(process.used) == pytest.approx(1.1 * GIB)


def test_virtual_machines_hosts_have_other_names_for_heat_and_errors() -> None:
    (gpu,) = of(GpuListed, read("amd_smi_table", VIRTUAL))
    assert [value(a) for a in (gpu.temperature, gpu.ecc)] == [38, 1]


def test_the_csv_of_metric_is_read_by_its_columns() -> None:
    block = read("amd_smi_table", METRIC)
    first, second = of(GpuListed, block)
    assert block.lines == 3
    assert [value(a) for a in (first.utilisation, first.temperature, first.clock)] == [0.95, 44, 2402]
    assert [value(a) for a in (second.utilisation, second.temperature, second.clock)] == [0, 39, 2403]
    assert (first.throttle, second.throttle) == ("THROTTLED", "")
    assert first.where.stamp is not None
    assert first.where.stamp.moment.isoformat() == "2026-08-06T17:44:23", "by `date -u -d @1786038263`"


def test_its_megabytes_are_binary_as_everywhere() -> None:
    (gpu,) = of(GpuListed, read("amd_smi_table", MEMORY))
    assert [value(a) for a in (gpu.total, gpu.used)] == [16368 * MIB, 905 * MIB]


def test_a_row_of_another_length_ends_the_csv() -> None:
    assert read("amd_smi_table", f"{MEMORY}1,16368").lines == 2
