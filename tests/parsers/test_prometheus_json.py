"""The JSON of a Prometheus query."""

from __future__ import annotations

import json

import pytest

from analyzer.events import Fact, MemorySnapshot
from tests.parsers.build_blocks import claims, of, read, value
from tests.parsers.snapshots import SAMPLES

ONE_LINE = SAMPLES["prometheus_json"].strip()


@pytest.mark.parametrize("line", ['{"status":"success","data":{}}', '"metric" is a word', '{"metric": "x"}'])
def test_other_json_is_not_its(line: str) -> None:
    assert not claims("prometheus_json", line)


def test_each_sample_has_its_own_time_and_place() -> None:
    snapshots = of(MemorySnapshot, read("prometheus_json", ONE_LINE))
    assert [value(s.available) for s in snapshots] == [400_000_000_000, 9_663_676_416]
    assert [s.where.stamp.text for s in snapshots if s.where.stamp] == ["1771322760", "1771322820"]
    assert [ONE_LINE[s.where.ref.column :][:12] for s in snapshots] == ["[1771322760,", "[1771322820,"]


def test_laid_out_the_lines_of_the_samples_are_cited() -> None:
    laid_out = json.dumps(json.loads(ONE_LINE), indent=2).split("\n")
    begin = next(n for n, line in enumerate(laid_out) if "resultType" in line)
    snapshots = of(MemorySnapshot, read("prometheus_json", "\n".join(laid_out[begin:])))
    assert [value(s.available) for s in snapshots] == [400_000_000_000, 9_663_676_416]
    lines = [laid_out[begin:][s.where.ref.line : s.where.ref.line + 2] for s in snapshots]
    assert [[part.strip(' ",') for part in pair] for pair in lines] == [
        ["1771322760", "400000000000"],
        ["1771322820", "9663676416"],
    ]


def test_an_instant_answer_is_one_sample() -> None:
    text = '{"status":"success","data":{"resultType":"vector","result":[{"metric":{"__name__":"sglang:num_queue_reqs"},"value":[1771322760.5,"102"]}]}}'
    (fact,) = of(Fact, read("prometheus_json", text))
    assert (fact.name, fact.value) == ("metric.num_queue_reqs", "102")


def test_what_is_cut_off_is_left_out() -> None:
    snapshots = of(MemorySnapshot, read("prometheus_json", ONE_LINE[: ONE_LINE.index("9663676416") + 4]))
    assert [value(s.available) for s in snapshots] == [400_000_000_000]
