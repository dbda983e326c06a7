"""The GPU-memory ledger: SGLang's own sum for the pool, what stood in other hands, and unequal loads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from analyzer.evidence import Rank
from analyzer.incident import Given
from analyzer.ledgers.gpu_memory import budget, capacity, held_before, is_much, on_gpu, unequal_loads, weights
from tests.build import incident, launch, size, tp
from tests.rules.launched import begun, card, joined, loaded, oom, pools_end

if TYPE_CHECKING:
    from analyzer.incident import Incident


def seen(*events: object, **surroundings: object) -> Incident:
    return incident(launch(*events, **surroundings))  # type: ignore[arg-type]


def test_without_the_load_lines_there_is_no_sum() -> None:
    empty = budget(seen())
    assert (empty.before, empty.after, empty.kept, empty.rest, empty.least_fraction) == (None,) * 5


def test_the_sum_takes_the_gpu_with_the_least() -> None:
    ranks = (
        begun("80 GiB", 4, tp(0)),
        begun("70 GiB", 5, tp(1)),
        loaded("20 GiB", "60 GiB", 6, tp(0)),
        loaded("12 GiB", "58 GiB", 7, tp(1)),
    )
    made = budget(seen(*ranks, values={"mem_fraction_static": 0.8}))
    assert made.kept is not None
    assert made.rest is not None
    assert made.least_fraction is not None
    # 70 × 0.2 = 14; 12 − 14 = −2; 1 − 12 ÷ 70
    assert made.kept.number() == 14 * 2**30
    assert made.rest.number() == -2 * 2**30
    assert made.least_fraction.number() == pytest.approx(1 - 12 / 70)


def test_drafts_count_until_the_pool_is_taken() -> None:
    first = (begun("80 GiB"), loaded("20 GiB", "60 GiB"))
    before = budget(seen(*first, loaded("18 GiB", "2 GiB", 6), pools_end("5 GiB")))
    after = budget(seen(*first, pools_end("5 GiB"), loaded("3 GiB", "2 GiB", 8, time="10:04:30")))
    assert before.after is not None
    assert after.after is not None
    assert (before.after.number(), after.after.number()) == (18 * 2**30, 20 * 2**30)


def test_the_capacity_is_the_smallest_that_anything_tells() -> None:
    told = seen(oom("10:04:20", total="79 GiB"), outside=(card("0", "80 GiB", "1 GiB"),))
    given = incident(launch(), given=Given(gpu_memory=size("48 GiB")))
    assert (capacity(told) or size("0 GiB")).number() == 79 * 2**30
    assert (capacity(given) or size("0 GiB")).number() == 48 * 2**30
    assert capacity(seen()) is None


def test_what_the_ranks_took_while_joining_is_not_in_other_hands() -> None:
    held = held_before(seen(joined("10 GiB"), begun("206 GiB"), outside=(card("0", "288 GiB", "0 GiB"),)))
    assert held is not None
    # 288 − 206 − 10
    assert held.number() == 72 * 2**30
    assert held_before(seen(begun("206 GiB"))) is None


def test_a_display_and_contexts_are_not_much() -> None:
    one = seen(begun("23 GiB"))
    eight = seen(*(begun("79 GiB", 4 + i, tp(i)) for i in range(8)))
    # 10% and 0.6 GiB for every rank: 2.4 + 0.6 = 3 of 24 GiB; 8 + 4.8 = 12.8 of 80 GiB
    assert not is_much(one, size("2.9 GiB"), size("24 GiB"))
    assert is_much(one, size("3.2 GiB"), size("24 GiB"))
    assert not is_much(eight, size("12 GiB"), size("80 GiB"))
    assert is_much(eight, size("13 GiB"), size("80 GiB"))


def test_equal_shards_that_take_unequal_memory_are_seen_and_stages_are_not_compared() -> None:
    equal = seen(loaded("9 GiB", "60.0 GiB", 6, tp(0)), loaded("9 GiB", "62.9 GiB", 7, tp(1)))
    unequal = seen(loaded("9 GiB", "60.0 GiB", 6, tp(0)), loaded("9 GiB", "64.0 GiB", 7, tp(1)))
    stages = seen(loaded("9 GiB", "60.0 GiB", 6, Rank(pp=0)), loaded("9 GiB", "64.0 GiB", 7, Rank(pp=1)))
    assert unequal_loads(equal) is None
    assert unequal_loads(stages) is None
    assert unequal_loads(unequal) is not None


def test_memory_released_while_loading_is_not_compared() -> None:
    assert unequal_loads(seen(loaded("9 GiB", "60 GiB", 6, tp(0)), loaded("9 GiB", "-1.86 GiB", 7, tp(1)))) is None


def test_the_rank_that_took_most_speaks_for_the_weights() -> None:
    made = weights(seen(loaded("9 GiB", "60 GiB", 6, tp(0)), loaded("9 GiB", "61 GiB", 7, tp(1))))
    assert made is not None
    assert made.number() == 61 * 2**30


def test_only_the_cpu_engine_is_not_on_a_gpu() -> None:
    assert on_gpu(seen(values={"device": "cuda"}))
    assert on_gpu(seen())
    assert not on_gpu(seen(values={"device": "cpu"}))
