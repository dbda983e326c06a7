"""Batch lines are folded into figures that keep their lines."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

from analyzer.ledgers.serving import (
    SERVING_FIGURES,
    all_figures,
    cached_share,
    figure,
    fullness,
    in_batches,
    tokens_per_request,
)
from analyzer.tables.summary import FIGURES
from tests.build import cut, incident, launch, rows

if TYPE_CHECKING:
    from analyzer.incident import Incident


def serving(**columns: list[Any]) -> Incident:
    return incident(launch(tables={"DecodeBatch": rows("DecodeBatch", **columns)}))


def test_a_server_that_printed_no_batch_has_no_figures() -> None:
    nothing = incident(launch())
    assert figure(nothing, "DecodeBatch", "running_count", "count", "running") is None
    assert fullness(nothing) is None
    assert tokens_per_request(nothing) is None
    assert cached_share(nothing) is None


def test_a_column_gives_least_median_most_and_mean() -> None:
    made = figure(
        serving(running_count=[28.0, 50.0, 30.0, 32.0]), "DecodeBatch", "running_count", "count", "running requests"
    )
    assert made is not None
    assert (made.least.value, made.median.value, made.most.value, made.mean.value) == (28, 31, 50, 35)
    assert made.rows == 4


def test_values_that_are_no_numbers_are_left_out() -> None:
    made = figure(serving(running_count=[1.0, float("nan"), None]), "DecodeBatch", "running_count", "count", "running")
    assert made is not None
    assert made.rows == 1


def test_a_full_pool_counts_only_with_a_queue() -> None:
    full = fullness(
        serving(
            usage_ratio=[0.97, 0.97, 0.4, 0.95], queue_count=[0.0, 5.0, 5.0, 5.0], running_count=[8.0, 8.0, 8.0, 7.0]
        )
    )
    assert full is not None
    assert (full.rows, full.queued, full.full) == (4, 3, 2)


def test_a_queue_beside_a_half_empty_pool_counts_as_capped_near_the_highest_number_running() -> None:
    running, waiting = [50.0, 45.0, 44.0, 50.0], [9.0, 9.0, 9.0, 0.0]
    full = fullness(serving(usage_ratio=[0.4] * 4, queue_count=waiting, running_count=running))
    assert full is not None
    assert full.capped == 2  # 45 is nine tenths of 50; 44 is less, and in the last line nobody waits


def test_tokens_per_request_is_the_mean_of_the_lines() -> None:
    made = tokens_per_request(serving(tokens_token=[1000.0, 9000.0, 0.0], running_count=[1.0, 3.0, 0.0]))
    assert made is not None
    assert made.value == 2000  # (1000 / 1 + 9000 / 3) / 2; an idle line says nothing


def test_the_cached_share_weighs_lines_by_their_tokens() -> None:
    prefill = rows("PrefillBatch", cached_token=[100.0, 0.0], new_token=[100.0, 200.0])
    made = cached_share(incident(launch(tables={"PrefillBatch": prefill})))
    assert made is not None
    assert made.value == 0.25  # 100 of 400


def test_requests_that_wait_for_pre_allocation_or_were_retracted_wait_too() -> None:
    full = fullness(
        serving(
            usage_ratio=[0.97] * 3,
            queue_count=[0.0] * 3,
            prealloc_count=[1.0, 0.0, 0.0],
            retracted_count=[0.0, 2.0, 0.0],
            running_count=[8.0] * 3,
        )
    )
    assert full is not None
    assert (full.rows, full.queued, full.full) == (3, 2, 2)


def test_of_several_pools_the_fullest_counts() -> None:
    full = fullness(
        serving(usage_ratio=[0.1, 0.1], swa_usage_ratio=[0.99, 0.2], queue_count=[5.0, 5.0], running_count=[8.0, 8.0])
    )
    assert full is not None
    assert full.full == 1


def test_every_figure_of_the_serving_is_folded() -> None:
    assert {(table, column) for table, column, _, _ in SERVING_FIGURES} == {
        (table, column) for table, columns in FIGURES.items() for column in columns
    }


@pytest.mark.parametrize("size", [1, 2, 5])
def test_figures_are_the_same_wherever_the_parts_end(size: int) -> None:
    decode = rows(
        "DecodeBatch",
        running_count=[8.0, 2.0, None, 8.0, 6.0],
        queue_count=[5.0, 0.0, 5.0, 3.0, 4.0],
        usage_ratio=[0.95, 0.5, 0.9, 0.5, None],
        tokens_token=[800.0, 100.0, None, 400.0, None],
        tp=[0, 1, 0, 1, 0],
    )
    prefill = rows("PrefillBatch", cached_token=[1.0, 2.0, None], new_token=[3.0, 6.0, 9.0], tp=[2, 2, None])
    tables = {"DecodeBatch": cut(decode, size), "PrefillBatch": cut(prefill, size, "PrefillBatch")}
    served = incident(launch(tables=tables))
    medians = {made.name: made.median.value for made in all_figures(served)}
    assert medians == {"running requests": 7, "queued requests": 4, "tokens in use": 400, "token usage": Fraction(0.7)}
    full = fullness(served)
    assert full is not None
    # lines 100, 101 and 103 print usage and running requests; two have a queue, one of them beside a full pool, one
    # beside room with as many running as ever
    assert (full.rows, full.queued, full.full, full.capped) == (3, 2, 1, 1)
    assert (full.first.line, full.last.line) == (100, 103)
    each, cached = tokens_per_request(served), cached_share(served)
    assert each is not None
    assert each.value == Fraction((100 + 50 + 50) / 3)
    assert cached is not None
    assert cached.value == 0.25  # 3 of 12
    assert in_batches(served) == {("n0", None, None, rank) for rank in range(3)}
