"""A full pool with a queue, told from high usage alone and from a queue with room."""

from __future__ import annotations

from analyzer.events import Complaint
from analyzer.vocabulary import Status
from tests.build import where
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


def test_of_several_pools_the_fullest_counts() -> None:
    rows = decode(running_count=[9.0] * 10, usage_ratio=[0.2] * 10, swa_usage_ratio=[0.99] * 10, queue_count=[3.0] * 10)
    found(RULE, tables=rows)


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
