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


PARTITIONED = """
| NVIDIA-SMI 580.65.06              Driver Version: 580.65.06      CUDA Version: 13.0     |
+-----------------------------------------+------------------------+----------------------+
|   1  NVIDIA H100 80GB HBM3          On  |   00000000:43:00.0 Off |                   On |
| N/A   31C    P0             70W /  700W |   38364MiB /  81559MiB |     N/A      Default |
|                                         |                        |              Enabled |
+-----------------------------------------+------------------------+----------------------+

+-----------------------------------------------------------------------------------------+
| MIG devices:                                                                            |
+------------------+----------------------------------+-----------+-----------------------+
| GPU  GI  CI  MIG |              Shared Memory-Usage |        Vol|        Shared         |
|      ID  ID  Dev |                Shared BAR1-Usage | SM     Unc| CE ENC  DEC  OFA  JPG |
|==================+==================================+===========+=======================|
|  1    2   0   1  |           38320MiB / 40448MiB    | 60      0 |  3   0    3    0    3 |
|                  |                 5MiB / 65535MiB  |           |                       |
+------------------+----------------------------------+-----------+-----------------------+

+-----------------------------------------------------------------------------------------+
| Processes:                                                                              |
|  GPU   GI   CI              PID   Type   Process name                        GPU Memory |
|=========================================================================================|
|    1    2    0            61201      C   sglang::scheduler                      38270MiB |
+-----------------------------------------------------------------------------------------+
"""


def test_devices_of_a_partitioned_gpu_are_facts_beside_it() -> None:
    block = read("nvidia_smi", PARTITIONED)
    (gpu,), (process,) = of(GpuListed, block), of(GpuProcess, block)
    assert block.understood == PARTITIONED.strip().count("\n") + 1
    assert [value(a) for a in (gpu.used, process.used)] == [38364 * MIB, 38270 * MIB]
    assert facts(block)["gpu.1.mig.1.memory-used"] == "38320 of 40448 MiB"


UNIFIED = """
| NVIDIA-SMI 580.95.05              Driver Version: 580.95.05      CUDA Version: 13.0     |
|   0  NVIDIA GB10                    On  |   0000000F:01:00.0 Off |                  N/A |
| N/A   45C    P0             12W /  N/A  | Not Supported          |     94%      Default |
|   1  ERR!                          ERR! |   00000000:43:00.0 ERR!|                 ERR! |
|ERR!  ERR! ERR!             ERR! / ERR!  |     1MiB /  81559MiB   |    ERR!         ERR! |
"""


def test_memory_that_is_shared_with_the_host_is_not_told() -> None:
    shared, broken = of(GpuListed, read("nvidia_smi", UNIFIED))
    assert (shared.name, shared.total, value(shared.utilisation)) == ("NVIDIA GB10", None, 0.94)
    assert (broken.index, broken.name, value(broken.total), broken.utilisation) == ("1", "", 81559 * MIB, None)
