"""A full pool with a queue, told from high usage alone and from a queue with room."""

from __future__ import annotations

import pytest

from analyzer.events import Complaint, StateCacheAllocated
from analyzer.vocabulary import Part, Status
from tests.build import size, tp, where
from tests.rules.answers import answers, cleared, found, numbers
from tests.rules.batches import decode
from tests.rules.launched import capacity

RULE = "kv-cache-saturated"


def test_a_handful_of_lines_is_no_state() -> None:
    assert answers(RULE, tables=decode(running_count=[9.0] * 4, usage_ratio=[0.99] * 4, queue_count=[5.0] * 4)) == []


def test_high_usage_without_a_queue_is_the_radix_cache_at_work() -> None:
    rows = decode(running_count=[9.0] * 10, usage_ratio=[0.97] * 10, queue_count=[0.0] * 10)
    assert "wait in 0 of 10" in cleared(RULE, tables=rows)


def test_a_queue_with_room_is_another_limit() -> None:
    rows = decode(running_count=[9.0] * 10, usage_ratio=[0.5] * 10, queue_count=[7.0] * 10)
    assert "full in 0 of 10" in cleared(RULE, tables=rows)


def test_full_with_a_queue_is_found_with_what_fits() -> None:
    rows = decode(
        running_count=[40.0] * 10, usage_ratio=[0.96] * 10, queue_count=[100.0] * 10, tokens_token=[112_000.0] * 10
    )
    verdict = found(RULE, capacity(116_171), tables=rows)
    # 116,171 ÷ (112,000 ÷ 40) = 41.49
    assert round(numbers(verdict)["requests that fit at once"], 2) == 41.49
    assert not verdict.harm


def test_a_decode_server_s_requests_wait_for_pre_allocation() -> None:
    rows = decode(running_count=[9.0] * 10, usage_ratio=[0.98] * 10, queue_count=[0.0] * 10, prealloc_count=[1.0] * 10)
    found(RULE, tables=rows)


SLOTS = StateCacheAllocated(where=where(20, "10:04:00", tp(0)), slots=size("24 count", 20))


@pytest.mark.parametrize(
    ("column", "named", "argument"),
    [
        ("swa_usage_ratio", "the pool of the sliding-window layers is full (swa token usage)", "swa_full_tokens_ratio"),
        ("mamba_usage_ratio", "the state cache is full (mamba usage)", "mamba_full_memory_ratio"),
    ],
)
def test_of_several_pools_the_fullest_counts_and_is_named(column: str, named: str, argument: str) -> None:
    full = {column: [0.99] * 10}
    rows = decode(running_count=[9.0] * 10, usage_ratio=[0.2] * 8 + [0.3] * 2, queue_count=[3.0] * 10, **full)
    verdict = found(RULE, capacity(116_171), SLOTS, tables=rows)
    assert verdict.summary == f"{named} and requests wait in 10 of 10 decode lines, while the KV pool stands at 20%"
    assert verdict.remedy[0].argument == argument
    assert numbers(verdict) == {"usage of the KV pool, median": 0.2}
    assert "HiCache" not in verdict.explanation


def test_the_slots_of_a_state_cache_are_its_limit() -> None:
    rows = decode(
        running_count=[24.0] * 10, usage_ratio=[0.21] * 10, mamba_usage_ratio=[1.0] * 10, queue_count=[20.0] * 10
    )
    limit = next(c for c in found(RULE, SLOTS, tables=rows).claims if c.part is Part.LIMIT)
    assert (limit.text, limit.lines) == ("24 state slots per rank", (SLOTS.where.ref,))
    verdict = found(RULE, tables=rows)
    limit = next(c for c in verdict.claims if c.part is Part.LIMIT)
    assert (limit.text, limit.lines) == ("the state cache per rank", ())
    assert "mamba_usage" in verdict.confirm[0].command


def test_a_full_kv_pool_beside_others_with_room_is_named_as_it_is() -> None:
    rows = decode(
        running_count=[9.0] * 10, usage_ratio=[0.97] * 10, mamba_usage_ratio=[0.4] * 10, queue_count=[3.0] * 10
    )
    verdict = found(RULE, tables=rows)
    assert verdict.summary.startswith("the KV pool is full and requests wait in 10 of 10 decode lines")
    assert {step.argument for step in verdict.remedy}.isdisjoint({"swa_full_tokens_ratio", "mamba_full_memory_ratio"})


def test_of_two_full_pools_the_one_that_is_full_more_often_is_named() -> None:
    rows = decode(
        running_count=[9.0] * 10,
        usage_ratio=[0.95] * 3 + [0.5] * 7,
        mamba_usage_ratio=[0.5] * 3 + [1.0] * 7,
        queue_count=[3.0] * 10,
    )
    assert found(RULE, tables=rows).summary.startswith("the state cache is full")


def test_a_pool_that_is_full_whenever_requests_wait_is_found_though_they_often_do_not() -> None:
    rows = decode(running_count=[9.0] * 12, usage_ratio=[0.97] * 4 + [0.6] * 8, queue_count=[2.0] * 4 + [0.0] * 8)
    found(RULE, tables=rows)


def test_a_complaint_makes_it_harm() -> None:
    rows = decode(running_count=[40.0] * 10, usage_ratio=[0.96] * 10, queue_count=[100.0] * 10)
    said = Complaint(where=where(1, source="note.txt"), topic="slow", text="how do we go faster?")
    assert found(RULE, tables=rows, outside=(said,)).harm


def test_a_fall_at_the_same_load_is_harm_whose_reason_is_not_established() -> None:
    rows = decode(
        running_count=[4.0] * 12,
        usage_ratio=[1.0] * 12,
        queue_count=[3.0] * 12,
        tokens_token=[9e5] * 12,
        throughput_token_per_s=[430.0] * 6 + [30.0] * 6,
    )
    verdict = found(RULE, tables=rows)
    assert verdict.harm
    assert verdict.status is Status.SUPPORTED
    # 430 ÷ 30
    assert round(numbers(verdict)["times less"], 2) == 14.33


def test_only_figures_that_feed_the_sum_are_in_it() -> None:
    rows = decode(
        running_count=[40.0] * 10, usage_ratio=[0.96] * 10, queue_count=[100.0] * 10, tokens_token=[112_000.0] * 10
    )
    named = set(numbers(found(RULE, capacity(116_171), tables=rows)))
    assert "requests that fit at once" in named
    assert not {name for name in named if name.endswith((", least", ", most"))}
