"""A lower fraction by what was lacking, not below the one that leaves a pool."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.ledgers.gpu_remedy import defragment, lower_fraction
from tests.build import incident, launch, size
from tests.rules.launched import begun, loaded, oom, pooled

if TYPE_CHECKING:
    from analyzer.incident import Incident


def seen(*events: object, **surroundings: object) -> Incident:
    return incident(launch(*events, **surroundings))  # type: ignore[arg-type]


def test_without_a_fraction_or_what_was_free_there_is_no_sum() -> None:
    assert lower_fraction(seen(begun("80 GiB")), None) is None
    assert lower_fraction(seen(values={"mem_fraction_static": 0.9}), None) is None


def test_a_fraction_that_leaves_no_pool_is_not_offered() -> None:
    # a pool begins above 1 − 8 ÷ 80 = 0.9
    assert (
        lower_fraction(seen(begun("80 GiB"), loaded("8 GiB", "72 GiB"), values={"mem_fraction_static": 0.91}), None)
        is None
    )


def test_what_was_lacking_and_a_margin_are_taken_off() -> None:
    launched = seen(
        begun("80 GiB"), loaded("40 GiB", "40 GiB"), pooled(400_000, "32"), values={"mem_fraction_static": 0.9},
        argv="python3 -m sglang.launch_server --mem-fraction-static 0.9",
    )  # fmt: skip
    made = lower_fraction(launched, size("4 GiB"))
    assert made is not None
    # 0.9 − 4 ÷ 80 − 0.02 = 0.83; 80 × 0.07 = 5.6 GiB, at 32 GiB ÷ 400,000 a token 70,000 of them
    assert (made.before, made.after) == ("0.9", "0.83")
    assert made.command_line == "python3 -m sglang.launch_server --mem-fraction-static 0.83"
    assert "leaves 5.6 GiB more of each GPU" in made.action
    assert "70,000 tokens" in made.action


def test_where_the_error_gives_no_figure_a_usual_share_is_taken() -> None:
    made = lower_fraction(seen(begun("80 GiB"), values={"mem_fraction_static": 0.9}), None)
    assert made is not None
    # 0.9 − 0.05 − 0.02
    assert made.after == "0.83"


def test_memory_reserved_in_pieces_has_a_setting_of_its_own() -> None:
    assert defragment(oom("10:06:00", wanted="2 GiB", reserved="0.3 GiB")) is None
    assert defragment(oom("10:06:00")) is None
    made = defragment(oom("10:06:00", wanted="2 GiB", reserved="14 GiB"))
    assert made is not None
    assert "PyTorch holds 14 GiB that it does not use" in made.action
