"""`gpustat --json`."""

from __future__ import annotations

import pytest

from analyzer.events import GpuListed, GpuProcess
from analyzer.parsers import gpustat_json
from tests.parsers.build_blocks import MIB, around, claims, of, read, value
from tests.parsers.snapshots import SAMPLES
from tests.parsers.variants import VARIANTS

TEXTS = (SAMPLES["gpustat_json"], "{" + SAMPLES["gpustat_json"], *VARIANTS["gpustat_json"])


@pytest.mark.parametrize(
    "line", ['"hostname": "gpu-1"', '{"hostname": "gpu-1", "text": "driver_version"}', '"driver_version": true,', "{"]
)
def test_other_objects_with_a_host_s_name_are_not_its(line: str) -> None:
    assert not claims("gpustat_json", line)


def test_the_brace_is_its_where_the_command_is_echoed() -> None:
    module_claims = claims("gpustat_json", "{", around("gpustat --json"))
    assert not module_claims  # no head: the driver asks for it right below an echo alone
    assert gpustat_json.claims("{", around("gpustat --json | jq"))
    assert not gpustat_json.claims("{", around("kubectl get -o json"))


@pytest.mark.parametrize("text", [TEXTS[0], TEXTS[2]])
def test_each_gpu_and_each_process_is_told_in_mebibytes(text: str) -> None:
    block = read("gpustat_json", text)
    assert [(g.index, value(g.used), value(g.total), value(g.utilisation)) for g in of(GpuListed, block)] == [
        ("0", 70012 * MIB, 81559 * MIB, 0.99),
        ("1", 4 * MIB, 81559 * MIB, 0),
    ]
    assert [(p.gpu, p.pid, p.command, value(p.used)) for p in of(GpuProcess, block)] == [
        ("0", 61200, "sglang::scheduler_TP0", 70000 * MIB)
    ]


def test_its_own_time_dates_it() -> None:
    stamp = of(GpuListed, read("gpustat_json", TEXTS[0]))[0].where.stamp
    assert stamp is not None
    assert stamp.moment.isoformat() == "2026-02-17T10:05:12.123456"


def test_an_output_that_breaks_off_tells_what_it_has() -> None:
    half = "\n".join(TEXTS[0].strip("\n").split("\n")[:30])
    assert [g.index for g in of(GpuListed, read("gpustat_json", half))] == ["0"]
