"""`rocm-smi` in its several forms."""

from __future__ import annotations

import pytest

from analyzer.events import GpuListed, GpuProcess
from tests.parsers.build_blocks import claims, facts, of, read, value
from tests.parsers.snapshots import SAMPLES

SHORT = """
============================ ROCm System Management Interface ============================
====================================== Concise Info ======================================
Device  Node  IDs              Temp        Power     Partitions          SCLK     MCLK     Fan  Perf  PwrCap   VRAM%  GPU%
              (DID,     GUID)  (Junction)  (Socket)  (Mem, Compute, ID)
==========================================================================================
0       2     0x74a1,   28851  42.0°C      152.0W    NPS1, SPX, 0        2107Mhz  900Mhz   0%   auto  750.0W   92%    100%
================================== End of ROCm SMI Log ===================================
"""
CSV = "device,VRAM Total Memory (B),VRAM Total Used Memory (B)\ncard0,309220868096,293931421696\ncard1,309220868096,294821003264"
PROCESSES = "PID\tPROCESS NAME\tGPU(s)\tVRAM USED\tSDMA USED\tCU OCCUPANCY\n4170\tpython3\t1\t123456789\t0\t0"


@pytest.mark.parametrize(
    "line", ["GPU[0] is slow", "[gpu=0] GPU[0]: 12", "=====", "VRAM 1741 / 2016 GB used", "Device  0"]
)
def test_other_lines_on_gpus_are_not_its(line: str) -> None:
    assert not claims("rocm_smi", line)


def test_lines_of_one_gpu_make_one_event() -> None:
    (gpu,) = of(GpuListed, read("rocm_smi", SAMPLES["rocm_smi"]))
    assert (gpu.index, gpu.name) == ("0", "AMD Instinct MI355X")
    assert [value(a) for a in (gpu.total, gpu.used)] == [309220868096, 272921260032]


def test_csv_has_a_card_per_row() -> None:
    gpus = of(GpuListed, read("rocm_smi", CSV))
    assert [(gpu.index, value(gpu.used)) for gpu in gpus] == [("0", 293931421696), ("1", 294821003264)]


def test_the_short_table_has_shares() -> None:
    block = read("rocm_smi", SHORT)
    (gpu,) = of(GpuListed, block)
    assert [value(a) for a in (gpu.temperature, gpu.utilisation, gpu.clock)] == [42, 1, 2107]
    assert facts(block) == {"gpu.0.vram-used": "92%"}
    assert block.lines == 7


def test_its_processes_hold_bytes() -> None:
    (process,) = of(GpuProcess, read("rocm_smi", PROCESSES))
    assert (process.pid, process.command, value(process.used)) == (4170, "python3", 123456789)


def test_a_gpu_of_which_nothing_is_told_is_not_listed() -> None:
    assert not of(GpuListed, read("rocm_smi", "GPU[0]\t\t: Card SKU: \t\tN/A"))


def test_a_script_s_banner_ends_the_output() -> None:
    assert read("rocm_smi", SAMPLES["rocm_smi"] + "\n===== RDMA / FABRIC =====").lines == 3


def test_the_form_for_programs_is_read() -> None:
    line = (
        '{"card0": {"GPU use (%)": "97", "VRAM Total Memory (B)": "205822885888", "VRAM Total Used Memory (B)": "299687936"},'
        ' "card3": {"Card Series": "AMD Instinct MI300X"}}'
    )
    first, second = of(GpuListed, read("rocm_smi", line))
    assert [value(a) for a in (first.total, first.used, first.utilisation)] == [205822885888, 299687936, 0.97]
    assert (second.index, second.name) == ("3", "AMD Instinct MI300X")


SPREAD = """
  "card0": {
    "GPU use (%)": "97",
    "VRAM Total Memory (B)": "21458059264",
    "VRAM Total Used Memory (B)": "27856896",
    "Card Series": "Radeon RX 7900 XT"
  },
  "card3": {
    "GPU use (%)": "0"
  },
  "system": {
    "Driver version": "6.7.0"
  }
}
"""


def test_so_it_is_where_it_was_set_one_member_a_line() -> None:
    block = read("rocm_smi", SPREAD)
    first, second = of(GpuListed, block)
    assert (block.lines, block.understood) == (13, 13)
    assert (first.index, first.name, second.index) == ("0", "Radeon RX 7900 XT", "3")
    assert [value(a) for a in (first.total, first.used, first.utilisation)] == [21458059264, 27856896, 0.97]


def test_a_text_behind_it_is_none_of_it() -> None:
    assert read("rocm_smi", f"{SPREAD}Server stopped").lines == 13


def test_a_card_without_members_is_none() -> None:
    assert not read("rocm_smi", '"card0": {\n}').events
