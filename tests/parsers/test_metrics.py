"""SGLang's `/metrics`."""

from __future__ import annotations

import pytest

from analyzer.events import Fact
from tests.parsers.build_blocks import claims, of, read, value
from tests.parsers.snapshots import SAMPLES


@pytest.mark.parametrize(
    "line", ["sglang:v0.5.9", "# HELP me", "sglang: 0.5.9", "sglang_router 0.2", "# TYPE of the model"]
)
def test_other_lines_are_no_metrics(line: str) -> None:
    assert not claims("metrics", line)


def test_kept_gauges_are_facts_with_their_rank() -> None:
    told = {fact.name: value(fact.amount) for fact in of(Fact, read("metrics", SAMPLES["metrics"]))}
    assert told == {"metric.num_running_reqs tp_rank=0": 12}


def test_small_and_large_numbers_are_read_in_scientific_form() -> None:
    text = "sglang:token_usage 9.87e-01\nsglang:max_total_num_tokens 1.16171e+05"
    assert [value(fact.amount) for fact in of(Fact, read("metrics", text))] == [0.987, 116171]


def test_what_is_no_number_is_passed_over() -> None:
    assert not of(Fact, read("metrics", "sglang:token_usage NaN\nsglang:gen_throughput +Inf"))
