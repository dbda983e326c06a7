"""Little memory beside the pools is a risk, seen on GPUs only."""

from __future__ import annotations

from tests.rules.answers import answers, cleared, found
from tests.rules.launched import begun, capacity

RULE = "thin-gpu-headroom"


def test_without_both_figures_nothing_is_said() -> None:
    assert answers(RULE, capacity(1000, "1 GiB")) == []


def test_the_cpu_engine_s_figures_are_the_host_s() -> None:
    assert answers(RULE, begun("20 GiB"), capacity(1000, "0.5 GiB"), values={"device": "cpu"}) == []


def test_a_tenth_of_the_gpu_is_enough() -> None:
    assert "8 GiB of the GPU are left" in cleared(RULE, begun("80 GiB"), capacity(1000, "8 GiB"))


def test_less_than_a_twentieth_is_a_risk() -> None:
    # 3.55 ÷ 78.6 = 4.5%
    verdict = found(RULE, begun("78.6 GiB"), capacity(1000, "3.55 GiB"), values={"mem_fraction_static": 0.93})
    assert (
        verdict.summary == "3.55 GiB of 78.6 GiB are left on the GPU beside the pools with --mem-fraction-static 0.93"
    )
