"""`nvitop -1`."""

from __future__ import annotations

import pytest

from analyzer.events import GpuListed, GpuProcess
from tests.parsers.build_blocks import GIB, MIB, claims, facts, of, read, value

DRAWN = """
│ NVITOP 1.4.2       Driver Version: 550.90.12      CUDA Driver Version: 12.4 │
├───────────────────────────────┬──────────────────────┬──────────────────────┤
│ GPU  Name        Persistence-M│ Bus-Id        Disp.A │ MIG M.   Uncorr. ECC │
│ Fan  Temp  Perf  Pwr:Usage/Cap│         Memory-Usage │ GPU-Util  Compute M. │
╞═══════════════════════════════╪══════════════════════╪══════════════════════╪════════════════════╕
│   0  H800                Off  │ 00000000:18:00.0 Off │ Disabled           0 │ MEM: ▏ 0.0%        │
│ N/A   36C    P0    85W / 700W │   3.50MiB / 79.65GiB │      0%      Default │ UTL: ▏ 0%          │
├───────────────────────────────┼──────────────────────┼──────────────────────┼────────────────────┤
│   1  H800                Off  │ 00000000:3A:00.0 Off │ Disabled           2 │ MEM: ▏ 99.6%       │
│ N/A   61C    P0   683W / 700W │  79.30GiB / 79.65GiB │     97%      Default │ UTL: ▏ 97%         │
╘═══════════════════════════════╧══════════════════════╧══════════════════════╧════════════════════╛
[ CPU: ▏ 0.3%                                UPTIME: 22:52:42 ]  ( Load Average:  0.15  0.07  0.08 )
[ MEM: ▍ 0.8%                                   USED: 7.92GiB ]  [ SWP: ▏ 0.0%                     ]

╒══════════════════════════════════════════════════════════════════════════════════════════════════╕
│ Processes:                                                                          root@pm-93f2 │
│ GPU     PID      USER  GPU-MEM %SM  %CPU  %MEM  TIME  COMMAND                                    │
╞══════════════════════════════════════════════════════════════════════════════════════════════════╡
│  No running processes found                                                                      │
╘══════════════════════════════════════════════════════════════════════════════════════════════════╛
"""
COMPACT = """
│ NVITOP 1.3.2        Driver Version: 570.144       CUDA Driver Version: 12.8 │
├───────────────────────────────┬──────────────────────┬──────────────────────┤
│ GPU Fan Temp Perf Pwr:Usg/Cap │         Memory-Usage │ GPU-Util  Compute M. │
╞═══════════════════════════════╪══════════════════════╪══════════════════════╪══════════════════╕
│   4 30%  35C  P8   14W / 300W │  22.69MiB / 47.99GiB │      7%      Default │ MEM: ▏ 0.0%      │
"""
ASCII = """
| NVITOP 1.5.0       Driver Version: 550.90.12      CUDA Driver Version: 12.4 |
|-------------------------------+----------------------+----------------------|
|   1  ..la V100-SXM2-16GB  Off | 00000000:82:00.0 Off |                    0 |
| N/A   40C   P0     58W / 300W |  309.1MiB / 16384MiB |      0%      Default |
+===============================+======================+======================+
[ CPU: | 1.6%            UPTIME: 1:19:36 ]  ( Load Average:  0.27  0.32  0.38 )
[ MEM: || 4.6%             USED: 5.82GiB ]  [ SWP: | 0.0%                     ]

+=============================================================================+
| Processes:                                                     root@pm-93f2 |
| GPU     PID      USER  GPU-MEM %SM %GMBW  %CPU  %MEM  TIME  COMMAND         |
|=============================================================================|
|   0   18830 C some-us+  9316MiB  76    53   0.0   1.2  5:39  /usr/local/bi.. |
|-----------------------------------------------------------------------------|
|   1   18830 C some-us+ 306.0MiB   0     0   0.0   1.2  5:39  /usr/local/bi.. |
+=============================================================================+
"""


@pytest.mark.parametrize("line", ["│ NVITOP is a monitor │", "start NVITOP Driver Version: 1", "nvitop 1.4.2"])
def test_other_words_on_the_tool_are_no_title(line: str) -> None:
    assert not claims("nvidia_smi", line)


def test_two_rows_tell_of_a_gpu_as_with_nvidia_smi() -> None:
    block = read("nvidia_smi", DRAWN)
    assert facts(block) == {"nvidia.driver": "550.90.12", "nvidia.cuda": "12.4"}
    assert block.lines == block.understood == len(DRAWN.strip().split("\n"))
    first, second = of(GpuListed, block)
    assert (first.index, first.name, second.index) == ("0", "H800", "1")
    assert [value(a) for a in (first.used, first.utilisation, first.temperature, first.ecc)] == [3.5 * MIB, 0, 36, 0]
    assert [value(a) for a in (second.utilisation, second.temperature, second.ecc)] == [0.97, 61, 2]
    assert value(second.used) == pytest.approx(79.30 * GIB)
    assert value(second.total) == pytest.approx(79.65 * GIB)


def test_bars_that_went_with_a_frame_are_not_missed() -> None:
    bare = "\n".join(line.removeprefix("│").removesuffix("│") for line in DRAWN.strip().split("\n"))
    assert len(of(GpuListed, read("nvidia_smi", bare))) == 2


def test_the_compact_box_has_one_row_a_gpu() -> None:
    (gpu,) = of(GpuListed, read("nvidia_smi", COMPACT))
    assert (gpu.index, gpu.name, value(gpu.temperature), value(gpu.utilisation)) == ("4", "", 35, 0.07)
    assert value(gpu.used) == pytest.approx(22.69 * MIB)


def test_processes_hold_memory() -> None:
    block = read("nvidia_smi", ASCII)
    assert [(p.gpu, p.pid, p.command, value(p.used)) for p in of(GpuProcess, block)] == [
        ("0", 18830, "/usr/local/bi..", 9316 * MIB),
        ("1", 18830, "/usr/local/bi..", 306 * MIB),
    ]
    assert value(of(GpuListed, block)[0].used) == pytest.approx(309.1 * MIB)


def test_the_next_output_and_another_text_end_the_boxes() -> None:
    title = ASCII.strip().split("\n")[0]
    assert read("nvidia_smi", f"{ASCII}{title}").lines == len(ASCII.strip("\n").split("\n"))
    assert read("nvidia_smi", f"{COMPACT}Server stopped").lines == len(COMPACT.strip("\n").split("\n"))
