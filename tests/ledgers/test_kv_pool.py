"""The pool's own sizes give the cost of a token."""

from __future__ import annotations

from analyzer.events import CapacityPrinted, KvPoolAllocated
from analyzer.ledgers.kv_pool import device_pool
from tests.build import incident, launch, size, tp, where


def test_no_line_of_a_pool_gives_none() -> None:
    assert device_pool(incident(launch())) is None


def test_a_size_rounded_to_nothing_gives_no_price() -> None:
    line = KvPoolAllocated(where=where(5), tokens=size("4096 token"), kv_size=size("0.00 GiB"))
    pool = device_pool(incident(launch(line)))
    assert pool is not None
    assert pool.per_token is None


def test_size_over_tokens_is_the_price_of_a_token() -> None:
    line = KvPoolAllocated(where=where(5, rank=tp(0)), tokens=size("231174 token"), kv_size=size("15.13 GiB"))
    pool = device_pool(incident(launch(line)))
    assert pool is not None
    assert pool.per_token is not None
    assert abs(pool.per_token.number() - 15.13 * 2**30 / 231174) < 1e-6
    # 61 layers x (512 + 64) x 2 bytes = 70,272 lies within the rounding of 15.13
    assert abs(pool.per_token.number() - 70272) < pool.per_token.slack


def test_k_and_v_are_added() -> None:
    line = KvPoolAllocated(where=where(5), tokens=size("1024 token"), k_size=size("1.00 GiB"), v_size=size("1.00 GiB"))
    pool = device_pool(incident(launch(line)))
    assert pool is not None
    assert pool.size is not None
    assert pool.size.value == 2 * 2**30


def test_the_target_model_comes_before_its_draft() -> None:
    lines = [
        KvPoolAllocated(where=where(5), tokens=size("1000 token"), kv_size=size("1.00 GiB")),
        KvPoolAllocated(where=where(9), tokens=size("10 token"), kv_size=size("0.10 GiB")),
    ]
    pool = device_pool(incident(launch(*lines)))
    assert pool is not None
    assert pool.tokens is not None
    assert pool.tokens.value == 1000


def test_the_capacity_line_stands_in_for_a_missing_pool_line() -> None:
    pool = device_pool(incident(launch(CapacityPrinted(where=where(9), tokens=size("231174 token")))))
    assert pool is not None
    assert pool.tokens is not None
    assert pool.tokens.value == 231174
    assert pool.per_token is None
