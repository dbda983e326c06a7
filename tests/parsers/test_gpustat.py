"""The rows of `gpustat`."""

from __future__ import annotations

import pytest

from analyzer.events import GpuListed, GpuProcess
from tests.parsers.build_blocks import MIB, claims, of, read, value
from tests.parsers.snapshots import SAMPLES


@pytest.mark.parametrize(
    "line", ["[0] it is 41'C, too hot", "[12], 41'C, 3", "host-1  Thu Aug 27 20:57:57 2026  rebooted"]
)
def test_other_lines_are_no_row(line: str) -> None:
    assert not claims("gpustat", line)


def test_a_row_is_a_gpu() -> None:
    first, second = of(GpuListed, read("gpustat", SAMPLES["gpustat"]))
    assert (first.index, first.name) == ("0", "NVIDIA A100-SXM4-80GB")
    assert [value(a) for a in (first.used, first.total)] == [74110 * MIB, 81920 * MIB]
    assert [value(a) for a in (second.temperature, second.utilisation)] == [42, 0.99]


FULL = """
gpu-1                      Thu Aug 27 20:57:57 2026  550.54.15
[0] NVIDIA H100 80GB HBM3 | 64°C, 100 %,  650 / 700 W | 71234 / 81559 MB | root:sglang::scheduler/4122(71000M) gdm(4M)
 ├─   4122 ( 101%,  4.2GB): sglang::scheduler_TP0
[1] NVIDIA H100 80GB HBM3 | ??°C,  ?? %,   ?? / ??? W |     0 / 81559 MB | (Not Supported)
[2] GeForce RTX 3090 | 77'C,  30 %,  96 % (E:   0 %  D:   0 %) | 11848 / 24576 MB | python/52046(11821M)
"""


def test_power_fans_codecs_and_missing_figures_do_not_hide_a_row() -> None:
    block = read("gpustat", FULL)
    listed = of(GpuListed, block)
    assert [(gpu.index, value(gpu.utilisation), value(gpu.temperature)) for gpu in listed] == [
        ("0", 1, 64),
        ("1", None, None),
        ("2", 0.96, 77),
    ]
    assert block.understood == 5


def test_the_title_dates_the_rows() -> None:
    stamps = {event.where.stamp.text for event in read("gpustat", FULL).events if event.where.stamp}
    assert stamps == {"Thu Aug 27 20:57:57 2026"}


def test_processes_with_their_numbers_hold_memory() -> None:
    held = of(GpuProcess, read("gpustat", FULL))
    assert [(p.gpu, p.pid, p.command, value(p.used)) for p in held] == [
        ("0", 4122, "sglang::scheduler", 71000 * MIB),
        ("2", 52046, "python", 11821 * MIB),
    ]
