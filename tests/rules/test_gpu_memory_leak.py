"""GPU memory that only rises, told from a warm-up's step, from ups and downs and from one launch's growth."""

from __future__ import annotations

from analyzer.events import GpuListed, ServerReady
from tests.build import where
from tests.rules.answers import answers, cleared, found, numbers
from tests.rules.launched import card

RULE = "gpu-memory-leak"
READY = ServerReady(where=where(11, "10:04:40"))


def readings(*used: int, every: int = 10) -> list[GpuListed]:
    """One card's used GiB, so many minutes apart, from half past ten on."""
    times = [f"{10 + (30 + every * i) // 60}:{(30 + every * i) % 60:02d}:00" for i in range(len(used))]
    return [
        card("0", "80 GiB", f"{gib} GiB", 2 + i, time) for i, (gib, time) in enumerate(zip(used, times, strict=True))
    ]


def test_three_readings_show_no_slope() -> None:
    assert answers(RULE, READY, outside=readings(60, 65, 70)) == []


def test_readings_before_ready_are_the_launch_s() -> None:
    assert answers(RULE, ServerReady(where=where(11, "12:00:00")), outside=readings(10, 30, 50, 70)) == []


def test_a_step_after_which_it_stays_is_a_warm_up() -> None:
    assert "does not keep rising" in cleared(RULE, READY, outside=readings(60, 66, 66, 66, 66, 66))


def test_ups_and_downs_are_no_leak() -> None:
    assert "does not keep rising" in cleared(RULE, READY, outside=readings(60, 66, 62, 70, 64, 72))


def test_a_steady_rise_is_found_with_its_growth() -> None:
    verdict = found(RULE, READY, outside=readings(66, 68, 70, 72, 74, 76))
    assert numbers(verdict)["growth"] == 10 * 2**30
    assert "rises by 10 GiB in 0.8 hours" in verdict.summary
