"""The trees of `amd-smi list`, `static`, `metric` and `process`."""

from __future__ import annotations

import pytest

from analyzer.events import GpuListed, GpuProcess
from tests.parsers.build_blocks import GIB, MIB, claims, facts, of, read, value
from tests.parsers.snapshots import SAMPLES

STATIC = """
CPU: 0
    SMU:
        FW_VERSION: 85.90.0
GPU: 0
    ASIC:
        MARKET_NAME: AMD Instinct MI300A
    VRAM:
        TYPE: HBM3
        SIZE: 196592 MB
"""


@pytest.mark.parametrize("line", ["GPU: 0 is gone", "GPU: all", "    GPU: 0", "GPU: NVIDIA H100"])
def test_other_words_about_a_gpu_begin_no_tree(line: str) -> None:
    assert not claims("amd_smi", line)


def test_a_device_without_a_tree_is_not_understood() -> None:
    assert read("amd_smi", "GPU: 0\nnothing to see").understood == 0


def test_what_the_tree_tells_of_a_gpu_is_read() -> None:
    (gpu,) = of(GpuListed, read("amd_smi", SAMPLES["amd_smi"]))
    assert (gpu.index, gpu.name) == ("0", "AMD Instinct MI300X OAM: 750W SKU")
    assert [value(a) for a in (gpu.total, gpu.used)] == [196592 * MIB, 183009 * MIB], "its MB are MiB"
    assert [value(a) for a in (gpu.utilisation, gpu.temperature, gpu.clock, gpu.clock_limit)] == [0.97, 88, 132, 2100]
    assert value(gpu.ecc) == 1


def test_a_process_is_read_with_what_it_holds_on_the_gpu() -> None:
    (process,) = of(GpuProcess, read("amd_smi", SAMPLES["amd_smi"]))
    assert (process.gpu, process.pid, process.command) == ("0", 61200, "sglang::scheduler_TP0")
    assert value(process.used) == 178.5 * GIB


def test_a_listed_gpu_is_known_by_its_bus() -> None:
    assert facts(read("amd_smi", SAMPLES["amd_smi"])) == {"gpu.1.bus": "0000:26:00.0"}


def test_the_size_of_static_is_the_total_and_processors_are_passed_over() -> None:
    block = read("amd_smi", STATIC)
    (gpu,) = of(GpuListed, block)
    assert (block.understood, gpu.name, value(gpu.total)) == (9, "AMD Instinct MI300A", 196592 * MIB)


def test_the_same_gpu_again_is_the_next_output() -> None:
    assert read("amd_smi", "GPU: 0\n    BDF: 0000:26:00.0\n\nGPU: 0\n    BDF: 0000:26:00.0").lines == 2


def test_each_process_of_a_gpu_is_its_own() -> None:
    text = "GPU: 3\n    PROCESS_INFO:\n        NAME: a\n        PID: 11\n    PROCESS_INFO:\n        NAME: b\n        PID: 12"
    assert [(p.gpu, p.pid, p.command) for p in of(GpuProcess, read("amd_smi", text))] == [
        ("3", 11, "a"),
        ("3", 12, "b"),
    ]
