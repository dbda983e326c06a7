"""`nvidia-smi -L` and `nvidia-smi dmon`."""

from __future__ import annotations

import pytest

from analyzer.events import GpuListed
from tests.parsers.build_blocks import claims, of, read, value
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
