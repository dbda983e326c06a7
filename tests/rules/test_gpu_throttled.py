"""Slow GPUs, told from idle ones and from a power cap under full load."""

from __future__ import annotations

from typing import Any

from analyzer.events import Complaint, GpuListed, ServerReady
from analyzer.vocabulary import Status
from tests.build import size, where
from tests.rules.answers import answers, cleared, found, numbers
from tests.rules.batches import decode

RULE = "gpu-throttled"
READY = ServerReady(where=where(11, "10:04:40"))
FELL = decode(
    running_count=[32.0] * 12, tokens_token=[68_000.0] * 12, throughput_token_per_s=[1400.0] * 6 + [500.0] * 6
)


def row(index: str, clock: int, line: int = 2, highest: int = 1980, **fields: Any) -> GpuListed:
    clocks = {"clock": size(f"{clock} count", line), "clock_limit": size(f"{highest} count", line)}
    return GpuListed(where=where(line, source="nvidia-smi.txt"), index=index, **clocks, **fields)


def test_without_a_listing_nothing_is_said() -> None:
    assert answers(RULE, READY, tables=FELL) == []


def test_an_idle_card_lowers_its_clock() -> None:
    cleared(RULE, READY, outside=(row("0", 345, utilisation=size("0 percent")),))


def test_a_power_cap_near_full_clock_is_normal() -> None:
    cleared(RULE, READY, outside=(row("0", 1700, throttle="SW Power Cap", utilisation=size("100 percent")),))


def test_a_hot_card_that_harms_nobody_is_a_hint() -> None:
    verdict = found(RULE, READY, outside=(row("0", 1900, throttle="HW Thermal Slowdown"),))
    assert verdict.status is Status.HYPOTHESIS
    assert not verdict.harm


def test_a_fall_at_the_same_load_supports_it() -> None:
    verdict = found(RULE, READY, outside=(row("5", 435, throttle="HW Slowdown"),), tables=FELL)
    assert verdict.status is Status.SUPPORTED
    assert verdict.harm
    assert numbers(verdict)["SM clock (MHz) of GPU 5"] == 435
    # 1,400 ÷ 500
    assert numbers(verdict)["times less"] == 2.8


def test_a_slow_busy_card_needs_no_reason() -> None:
    found(RULE, READY, outside=(row("0", 600, utilisation=size("100 percent")),), tables=FELL)


def test_a_complaint_is_harm() -> None:
    said = Complaint(where=where(1, source="note.txt"), topic="slow", text="it is very slow")
    assert found(RULE, READY, outside=(row("0", 435, throttle="HW Power Brake Slowdown"), said)).harm


def test_another_listing_of_the_same_card_gives_its_number_and_heat() -> None:
    text = "|   5  NVIDIA H100 80GB HBM3     On   | 00000000:75:00.0 Off |"
    table = GpuListed(where=where(30, source="smi.txt"), text=text, index="5", temperature=size("93 count", 30))
    verdict = found(RULE, READY, outside=(row("00000000:75:00.0", 435, throttle="HW Slowdown"), table))
    assert verdict.summary.startswith("GPU 5 runs below its clocks (at 435 of 1,980 MHz, 93 °C, HW Slowdown)")
