"""No room for the KV pool: the sum, the smallest fraction, and when no fraction works."""

from __future__ import annotations

import pytest

from analyzer.events import Failure, Notice, ServerReady
from analyzer.evidence import NO_RANK, Rank
from analyzer.vocabulary import Status
from tests.build import size, tp, where
from tests.rules.answers import answers, cleared, failure, found, numbers
from tests.rules.launched import begun, crash, loaded, oom, pooled, pools_end

RULE = "kv-pool-no-room"
TEXT = "RuntimeError: Not enough memory. Please try to increase --mem-fraction-static."


def refused(line: int = 30, rank: Rank = NO_RANK, time: str = "10:04:02") -> Failure:
    return failure(RULE, TEXT, line, time, rank)


def test_a_launch_that_allocated_its_pool_says_nothing() -> None:
    assert answers(RULE, begun("78 GiB"), loaded("40 GiB", "38 GiB"), pools_end("8 GiB")) == []


def test_a_refusal_that_another_launch_of_the_engine_survived_is_cleared() -> None:
    assert "worked on" in cleared(RULE, refused(), ServerReady(where=where(90, "10:30:00")))


def test_a_pool_that_the_ranks_allocated_is_cleared_by_their_lines() -> None:
    pools = (pooled(231_174, "15.13", 6, tp(0)), pooled(231_174, "15.13", 7, tp(1)))
    assert cleared(RULE, *pools) == "the KV pool was allocated on 2 ranks"


def test_a_refusal_counts_more_than_the_pool_of_another_rank() -> None:
    found(RULE, pooled(231_174, "15.13", 6, tp(0)), refused(rank=tp(1)))


def test_the_sum_is_sglang_s_own() -> None:
    verdict = found(
        RULE, begun("138.90 GiB"), loaded("28.50 GiB", "110.4 GiB"), refused(), values={"mem_fraction_static": 0.78}
    )
    made = numbers(verdict)
    # 28.5 − 138.9 × (1 − 0.78) = 28.5 − 30.558 = −2.058
    assert made["left for the KV pool"] == pytest.approx(-2.058 * 2**30)
    # 1 − 28.5 ÷ 138.9 = 0.79482
    assert made["smallest fraction that leaves a pool"] == pytest.approx(0.79482, abs=1e-5)
    assert "a pool begins above 0.795" in verdict.summary
    assert verdict.sum == "28.5 GiB − 138.9 GiB × (1 − 0.78) = -2.1 GiB for the KV pool"
    assert verdict.status is Status.ESTABLISHED


def test_what_the_ranks_print_is_not_asked_for_again() -> None:
    asked = [c.decides for c in found(RULE, refused()).confirm]
    assert asked[0].startswith("free before and after the weights")
    known = found(RULE, begun("78.5 GiB"), loaded("34 GiB", "44.5 GiB"), refused(), values={"mem_fraction_static": 0.4})
    assert [c.decides for c in known.confirm] == asked[1:]


def test_the_fraction_to_set_leaves_half_of_the_rest() -> None:
    verdict = found(
        RULE, begun("138.90 GiB"), loaded("28.50 GiB", "110.4 GiB"), refused(), values={"mem_fraction_static": 0.78}
    )
    # 1 − 14.25 ÷ 138.9 = 0.8974
    assert (verdict.remedy[0].before, verdict.remedy[0].after) == ("0.78", "0.89")


def test_no_fraction_is_offered_where_the_weights_take_nearly_all() -> None:
    # 3 of 78 GiB are 3.8%, less than the 5% that graphs and activations need
    verdict = found(RULE, begun("78 GiB"), loaded("3 GiB", "75 GiB"), refused(), values={"mem_fraction_static": 0.9})
    assert "no fraction works" in verdict.summary
    assert "mem_fraction_static" not in {remedy.argument for remedy in verdict.remedy}


def test_the_rank_with_the_least_counts_for_all() -> None:
    ranks = (
        begun("80 GiB", 4, tp(0)),
        begun("70 GiB", 5, tp(1)),
        loaded("9 GiB", "61 GiB", 6, tp(1)),
        loaded("19 GiB", "61 GiB", 7, tp(0)),
    )
    verdict = found(RULE, *ranks, refused(30, tp(1)), values={"mem_fraction_static": 0.8})
    # 9 − 70 × 0.2 = −5
    assert numbers(verdict)["left for the KV pool"] == pytest.approx(-5 * 2**30)


def test_a_draft_that_loads_after_the_pool_is_no_part_of_the_sum() -> None:
    draft = loaded("1 GiB", "2 GiB", 40, time="10:04:30")
    verdict = found(
        RULE,
        begun("80 GiB"),
        loaded("20 GiB", "60 GiB"),
        pools_end("5 GiB"),
        draft,
        refused(time="10:04:31"),
        values={"mem_fraction_static": 0.7},
    )
    # 20 − 80 × (1 − 0.7) = −4
    assert numbers(verdict)["left for the KV pool"] == -4 * 2**30


def test_a_profiled_number_below_zero_is_shown() -> None:
    clamp = Notice(where=where(29, "10:04:01"), topic="max-total-tokens-clamped", limit=size("-99594 token", 29))
    verdict = found(
        RULE,
        begun("188.3 GiB"),
        loaded("21.73 GiB", "166.6 GiB"),
        clamp,
        refused(),
        values={"mem_fraction_static": 0.85},
    )
    assert numbers(verdict)["tokens that SGLang profiled for the pool"] == -99594


def test_where_the_fraction_leaves_room_the_other_pools_are_what_is_too_large() -> None:
    # 20 − 80 × 0.1 = 12 GiB are left, and half of 20 would be a fraction of 0.875
    verdict = found(RULE, begun("80 GiB"), loaded("20 GiB", "60 GiB"), refused(), values={"mem_fraction_static": 0.9})
    assert verdict.remedy[0].argument == "max_running_requests"
    assert "too little is left" in verdict.summary


def test_unequal_loads_of_equal_shards_ask_for_a_look_at_others_before_a_higher_fraction() -> None:
    ranks = [begun("208 GiB", 4 + i, tp(i)) for i in range(2)]
    ends = [loaded("25 GiB", "183 GiB", 6, tp(0)), loaded("12 GiB", "196 GiB", 7, tp(1))]
    verdict = found(RULE, *ranks, *ends, refused(), values={"mem_fraction_static": 0.9})
    assert "look for other processes" in verdict.remedy[0].action
    assert verdict.not_known


def test_pipeline_stages_may_differ() -> None:
    ranks = [begun("208 GiB", 4 + i, Rank(pp=i, tp=0)) for i in range(2)]
    ends = [loaded("25 GiB", "183 GiB", 6, Rank(pp=0, tp=0)), loaded("12 GiB", "196 GiB", 7, Rank(pp=1, tp=0))]
    verdict = found(RULE, *ranks, *ends, refused(), values={"mem_fraction_static": 0.9})
    assert verdict.not_known == ()


def test_without_the_arguments_the_smallest_fraction_is_told_all_the_same() -> None:
    # 1 − 2 ÷ 23.1 = 0.9134
    verdict = found(RULE, begun("23.10 GiB"), loaded("2.00 GiB", "21.1 GiB"), refused())
    assert "2 GiB of 23.1 GiB are free after the weights; a pool begins above 0.913" in verdict.summary


def test_without_the_load_lines_the_message_alone_speaks() -> None:
    verdict = found(RULE, refused())
    assert "too little is left for the KV pool" in verdict.summary
    assert verdict.sum is None


def test_a_pool_that_cannot_be_allocated_is_found_too() -> None:
    full = oom("10:04:03", wanted="20 GiB", total="79 GiB", free="18 GiB", in_use="60.8 GiB")
    verdict = found(
        RULE,
        begun("78 GiB"),
        loaded("40 GiB", "38 GiB"),
        full,
        crash("10:04:03", "model_runner.py:init_memory_pool"),
        values={"mem_fraction_static": 0.9},
    )
    assert "could not be allocated" in verdict.summary


def test_a_profiled_number_below_zero_tells_it_before_the_refusal_does() -> None:
    def clamp(tokens: str) -> Notice:
        return Notice(where=where(29, "10:04:01"), topic="max-total-tokens-clamped", limit=size(tokens, 29))

    loads = begun("188 GiB"), loaded("22 GiB", "166 GiB")
    assert answers(RULE, *loads, clamp("99594 token")) == []
    verdict = found(RULE, *loads, clamp("-99594 token"), values={"mem_fraction_static": 0.85})
    assert verdict.status is Status.SUPPORTED
    assert numbers(verdict)["tokens that SGLang profiled for the pool"] == -99594
