"""`nvidia-smi -L` and `nvidia-smi dmon`."""

from __future__ import annotations

import pytest

from analyzer.events import GpuListed, GpuProcess
from tests.parsers.build_blocks import MIB, claims, facts, of, read, value
from tests.parsers.snapshots import SAMPLES

WATCHED = """
# gpu    pwr  gtemp  mtemp     sm    mem    enc    dec   mclk   pclk
# Idx      W      C      C      %      %      %      %    MHz    MHz
    0    112     34     40     99     30      0      0   2619   1980
    1    110     35      -      0      0      0      0   2619    345
    0    112     34     40     98     30      0      0   2619   1980
"""


@pytest.mark.parametrize("line", ["GPU 0: on fire", "# gpu memory is full", "GPU 0 (UUID: GPU-x) hangs"])
def test_other_lines_on_gpus_are_not_its(line: str) -> None:
    assert not claims("nvidia_list", line)


def test_the_list_names_each_gpu() -> None:
    listed = of(GpuListed, read("nvidia_list", SAMPLES["nvidia_list"]))
    assert [(gpu.index, gpu.name) for gpu in listed] == [("0", "NVIDIA H100 80GB HBM3"), ("1", "NVIDIA H100 80GB HBM3")]


def test_each_look_at_a_gpu_is_a_snapshot_of_its_own() -> None:
    rows = of(GpuListed, read("nvidia_list", WATCHED))
    assert [(row.index, row.snapshot, value(row.utilisation), value(row.clock)) for row in rows] == [
        ("0", 1, 0.99, 1980),
        ("1", 1, 0, 345),
        ("0", 2, 0.98, 1980),
    ]


PROCESSES = """
# gpu         pid   type     fb   ccpm    command
# Idx           #    C/G     MB     MB    name
    0      61200     C  70010      0    sglang::schedul
    1          -     -      -      -    -
    2      61202     C  70011      0    python3 -m x
"""


def test_processes_are_told_with_what_they_hold() -> None:
    block = read("nvidia_list", PROCESSES)
    assert block.understood == 5
    assert [(p.gpu, p.pid, p.command, value(p.used)) for p in of(GpuProcess, block)] == [
        ("0", 61200, "sglang::schedul", 70010 * MIB),
        ("2", 61202, "python3 -m x", 70011 * MIB),
    ]


def test_load_of_processes_is_no_memory() -> None:
    text = "# gpu         pid   type     sm    mem    enc    command\n    0      61200     C     97     41      -    python3"
    assert [(p.pid, p.used) for p in of(GpuProcess, read("nvidia_list", text))] == [(61200, None)]


def test_mig_devices_belong_to_the_list() -> None:
    uuid = "0a1b2c3d-0000-1111-2222-333344445555"
    text = f"GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-{uuid})\n  MIG 3g.40gb     Device  0: (UUID: MIG-{uuid})"
    assert read("nvidia_list", text).understood == 2


def test_links_belong_to_their_gpu_and_those_that_are_down_are_told() -> None:
    gpu = "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-0a1b2c3d-0000-1111-2222-333344445555)"
    block = read("nvidia_list", f"{gpu}\n\t Link 0: 26.562 GB/s\n\t Link 1: <inactive>\n{gpu.replace('0:', '1:', 1)}")
    assert block.understood == 4
    assert facts(block) == {"nvlink GPU0/1": "inactive"}
