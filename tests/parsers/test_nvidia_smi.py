"""The boxes of `nvidia-smi`."""

from __future__ import annotations

import pytest

from analyzer.events import GpuFault, GpuListed, GpuProcess
from tests.parsers.build_blocks import MIB, claims, facts, of, read, value
from tests.parsers.snapshots import SAMPLES

MIG = """
| NVIDIA-SMI 570.133.20             Driver Version: 570.133.20     CUDA Version: 12.8     |
|   0  NVIDIA RTX A4000               On  |   00000000:19:00.0 Off |                  N/A |
| 30%   41C    P0               14W /  140W |       3MiB /  16376MiB |      0%      Default |
|                                         |                        |             Disabled |
"""
OLD = """
| Processes:                                                       GPU Memory |
|  GPU       PID   Type   Process name                             Usage      |
|    0      1234      C   python3 train.py                           1011MiB |
"""


@pytest.mark.parametrize(
    "line",
    [
        "+-----------------------------------------------------------------------------------------+",
        "| npu-smi 24.1.rc3                 Version: 24.1.rc3                                             |",
        "NVIDIA-SMI shows 8 GPUs",
        "| Model | Processes: |",
    ],
)
def test_other_boxes_and_sentences_are_not_its(line: str) -> None:
    assert not claims("nvidia_smi", line)


def test_a_gpu_is_told_by_two_rows() -> None:
    (gpu,) = of(GpuListed, read("nvidia_smi", SAMPLES["nvidia_smi"]))
    assert (gpu.index, gpu.name) == ("0", "NVIDIA H200")
    assert [value(a) for a in (gpu.used, gpu.total)] == [101243 * MIB, 143771 * MIB]
    assert [value(a) for a in (gpu.utilisation, gpu.temperature, gpu.ecc)] == [0.97, 38, 2]


def test_a_fan_is_no_load_and_a_missing_count_no_zero() -> None:
    (gpu,) = of(GpuListed, read("nvidia_smi", MIG))
    assert (gpu.name, value(gpu.utilisation), gpu.ecc) == ("NVIDIA RTX A4000", 0, None)


def test_processes_hold_memory() -> None:
    (process,) = of(GpuProcess, read("nvidia_smi", SAMPLES["nvidia_smi"]))
    assert (process.gpu, process.pid, process.command) == ("0", 61200, "sglang::scheduler_DP0_TP0_EP0")
    assert value(process.used) == 101010 * MIB


def test_processes_of_old_drivers_have_no_instances() -> None:
    (process,) = of(GpuProcess, read("nvidia_smi", OLD))
    assert (process.pid, process.command, value(process.used)) == (1234, "python3 train.py", 1011 * MIB)


def test_the_title_names_driver_and_cuda() -> None:
    assert facts(read("nvidia_smi", MIG)) == {"nvidia.driver": "570.133.20", "nvidia.cuda": "12.8"}


def test_the_tool_s_own_failures_are_kept() -> None:
    line = "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver."
    assert facts(read("nvidia_smi", line)) == {"nvidia.smi-failed": line}
    lost = "Unable to determine the device handle for GPU 0000:2D:00.0: GPU is lost.  Reboot the system to recover this GPU"
    (fault,) = of(GpuFault, read("nvidia_smi", lost))
    assert (fault.code, fault.gpu) == ("GPU is lost", "0000:2D:00.0")
