"""`nvidia-smi topo -m`."""

from __future__ import annotations

import pytest

from tests.parsers.build_blocks import claims, facts, read
from tests.parsers.snapshots import SAMPLES


@pytest.mark.parametrize("line", ["GPU0\t X \tPHB\t0-31", "GPU0 is slow", "GPU0 GPU1 are busy", "GPU0", "GPU1\tGPU0"])
def test_rows_and_sentences_are_no_header(line: str) -> None:
    assert not claims("nvidia_topo", line)


def test_every_pair_has_its_link_once() -> None:
    assert facts(read("nvidia_topo", SAMPLES["nvidia_topo"])) == {"gpu.link.GPU0-GPU1": "NV18"}


def test_the_numa_node_of_a_gpu_stands_behind_its_cpus() -> None:
    table = "GPU0\tGPU1\tNIC0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\nGPU0\t X \tSYS\tPIX\t0-31\t0\t\tN/A\n"
    assert facts(read("nvidia_topo", table + "GPU1\tSYS\t X \tSYS\t32-63\t1\t\tN/A")) == {
        "gpu.link.GPU0-GPU1": "SYS",
        "gpu.numa.GPU0": "0",
        "gpu.numa.GPU1": "1",
    }


def test_the_legend_below_the_table_belongs_to_it() -> None:
    table = SAMPLES["nvidia_topo"].strip("\n")
    legend = "\n\nLegend:\n\n  X    = Self\n  NV#  = Connection traversing a bonded set of # NVLinks\n\nNIC Legend:\n\n  NIC0: mlx5_0"
    block = read("nvidia_topo", table + legend + "\n\nServer started")
    assert block.lines == len((table + legend).split("\n"))
