"""A fall of the throughput that lasts, at a load that stays; all others are no fall."""

from __future__ import annotations

import pytest

from analyzer.ledgers.throughput import Drop, sustained_drop
from tests.build import cut, incident, launch
from tests.rules.batches import decode


def fall(**columns: list[float]) -> Drop | None:
    return sustained_drop(incident(launch(tables=decode(**columns))))


def test_a_server_without_batch_lines_has_no_fall() -> None:
    assert sustained_drop(incident(launch())) is None


def test_a_steady_run_has_none() -> None:
    assert fall(running_count=[8.0] * 20, tokens_token=[9000.0] * 20, throughput_token_per_s=[100.0, 90.0] * 10) is None


def test_fewer_requests_at_the_end_are_slower_by_nature() -> None:
    rates, running = [100.0] * 10 + [30.0] * 10, [8.0] * 10 + [2.0] * 10
    assert fall(running_count=running, tokens_token=[9000.0] * 20, throughput_token_per_s=rates) is None


def test_longer_contexts_are_slower_by_nature() -> None:
    rates, tokens = [100.0] * 10 + [40.0] * 10, [10_000.0] * 10 + [60_000.0] * 10
    assert fall(running_count=[8.0] * 20, tokens_token=tokens, throughput_token_per_s=rates) is None


def test_a_dip_that_recovers_is_no_fall() -> None:
    rates = [100.0] * 8 + [20.0] * 4 + [100.0] * 8
    assert fall(running_count=[8.0] * 20, tokens_token=[9000.0] * 20, throughput_token_per_s=rates) is None


def test_a_third_less_is_no_fall() -> None:
    assert (
        fall(running_count=[8.0] * 20, tokens_token=[9e3] * 20, throughput_token_per_s=[90.0] * 10 + [60.0] * 10)
        is None
    )


def test_a_fall_that_lasts_is_dated_and_measured() -> None:
    rates = [1400.0] * 12 + [500.0] * 8
    drop = fall(running_count=[32.0] * 20, tokens_token=[68_000.0] * 20, throughput_token_per_s=rates)
    assert drop is not None
    assert (drop.before.value, drop.after.value, drop.times.number()) == (1400, 500, 2.8)
    # the rows stand on lines 100 to 119, the thirteenth is the first slow one
    assert [ref.line for ref in drop.lines] == [111, 112]
    assert drop.text == "generation fell from 1,400 tok/s to 500 tok/s at the same load"


def test_a_long_run_is_looked_at_in_steps() -> None:
    rates = [1400.0] * 3000 + [500.0] * 3000
    drop = fall(running_count=[32.0] * 6000, tokens_token=[68_000.0] * 6000, throughput_token_per_s=rates)
    assert drop is not None
    assert drop.times.number() == 2.8
    # 6,000 lines are 200 steps of 30, each with its first line
    assert [ref.line for ref in drop.lines] == [100 + 99 * 30, 100 + 100 * 30]


@pytest.mark.parametrize("size", [1, 7, 450, 5000])
def test_ranks_that_take_turns_are_looked_at_one_by_one_wherever_the_parts_end(size: int) -> None:
    # every second line is of a rank that stays at 100 tok/s; the 451 lines of the other fall after its 300th,
    # and are taken two at a time: 150 steps before, 75 and a last line after
    lines = 900
    rates = [100.0 if n % 2 else (1400.0 if n < 600 else 500.0) for n in range(lines)] + [500.0]
    table = decode(
        running_count=[8.0] * (lines + 1),
        tokens_token=[9000.0] * (lines + 1),
        throughput_token_per_s=rates,
        tp=[n % 2 for n in range(lines + 1)],
    )["DecodeBatch"]
    drop = sustained_drop(incident(launch(tables={"DecodeBatch": cut(table, size)})))
    assert drop is not None
    assert (drop.before.value, drop.after.value) == (1400, 500)
    assert [ref.line for ref in drop.lines] == [100 + 149 * 4, 100 + 150 * 4]
    assert (drop.before.origin.rows, drop.after.origin.rows) == (150, 76)  # type: ignore[union-attr]
