"""`nvidia-smi -q`."""

from __future__ import annotations

import pytest

from analyzer.events import GpuListed, GpuProcess
from tests.parsers.build_blocks import MIB, claims, facts, of, read, value
from tests.parsers.snapshots import SAMPLES


@pytest.mark.parametrize(
    "line", ["GPU 0 has a total capacity of 79.10 GiB", "GPU 00000000:75:00.0 is slow", "NVSMI LOG"]
)
def test_sentences_on_a_gpu_are_no_report(line: str) -> None:
    assert not claims("nvidia_smi_q", line)


def test_figures_stand_under_their_headings() -> None:
    (gpu,) = of(GpuListed, read("nvidia_smi_q", SAMPLES["nvidia_smi_q"]))
    assert (gpu.index, gpu.name) == ("00000000:75:00.0", "NVIDIA H100 80GB HBM3")
    assert [value(a) for a in (gpu.total, gpu.used)] == [81559 * MIB, 71200 * MIB]
    assert [value(a) for a in (gpu.clock, gpu.clock_limit, gpu.ecc)] == [435, 1980, 2]


def test_active_reasons_say_why_it_is_slow() -> None:
    (gpu,) = of(GpuListed, read("nvidia_smi_q", SAMPLES["nvidia_smi_q"]))
    assert gpu.throttle == "HW Slowdown, HW Thermal Slowdown"


def test_an_idle_gpu_is_not_slowed() -> None:
    text = "GPU 00000000:75:00.0\n    Clocks Throttle Reasons\n        Idle                      : Active"
    assert of(GpuListed, read("nvidia_smi_q", text))[0].throttle == ""


def test_every_process_has_its_own_values() -> None:
    more = "        Process ID                        : 61201\n            Name                          : b\n"
    first, second = of(GpuProcess, read("nvidia_smi_q", SAMPLES["nvidia_smi_q"] + more))
    assert (first.pid, value(first.used), second.command, second.used) == (61200, 70010 * MIB, "b", None)


def test_a_pending_row_remap_is_a_fact() -> None:
    text = "GPU 00000000:75:00.0\n    Remapped Rows\n        Pending                           : Yes"
    assert facts(read("nvidia_smi_q", text)) == {"gpu.Remapped Rows": "00000000:75:00.0: pending"}


def test_the_log_s_title_dates_it() -> None:
    text = (
        "==============NVSMI LOG==============\n\nTimestamp   : Thu Sep 10 07:13:05 2026\n\n"
        + SAMPLES["nvidia_smi_q"].lstrip()
    )
    stamp = of(GpuListed, read("nvidia_smi_q", text))[0].where.stamp
    assert stamp is not None
    assert stamp.moment.hour == 7
