"""The rows of `gpustat`."""

from __future__ import annotations

import pytest

from analyzer.events import GpuListed
from tests.parsers.build_blocks import MIB, claims, of, read, value
from tests.parsers.snapshots import SAMPLES


@pytest.mark.parametrize(
    "line", ["[0] it is 41'C, too hot", "[12], 41'C, 3", "host-1  Thu Aug 27 20:57:57 2026  550.90.07"]
)
def test_other_lines_are_no_row(line: str) -> None:
    assert not claims("gpustat", line)


def test_a_row_is_a_gpu() -> None:
    first, second = of(GpuListed, read("gpustat", SAMPLES["gpustat"]))
    assert (first.index, first.name) == ("0", "NVIDIA A100-SXM4-80GB")
    assert [value(a) for a in (first.used, first.total)] == [74110 * MIB, 81920 * MIB]
    assert [value(a) for a in (second.temperature, second.utilisation)] == [42, 0.99]
