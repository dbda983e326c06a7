"""The answer of `/get_server_info`."""

from __future__ import annotations

import json

import pytest

from analyzer.events import ArgumentsPrinted, ReleaseStated
from tests.parsers.build_blocks import claims, facts, of, read
from tests.parsers.snapshots import SAMPLES


@pytest.mark.parametrize(
    "line",
    [
        '{"model_path":"/m","tokenizer_path":"/m","is_generation":true}',
        '{"text":"\\"model_path\\": 1"}',
        '"model_path"',
    ],
)
def test_other_json_is_not_its(line: str) -> None:
    assert not claims("server_info", line)


def test_it_is_no_launch() -> None:
    assert not of(ArgumentsPrinted, read("server_info", SAMPLES["server_info"]))


def test_release_and_capacity_are_told() -> None:
    block = read("server_info", SAMPLES["server_info"])
    assert of(ReleaseStated, block)[0].version == "0.5.5.post3"
    assert facts(block) == {
        "server-info.status": "ready",
        "server-info.max_total_num_tokens": "20000",
        "server-info.model_path": "/models/m",
        "server-info.tp_size": "2",
        "server-info.mem_fraction_static": "0.88",
        "server-info.gen-throughput": "812.5",
    }


def test_the_object_may_be_laid_out_over_lines() -> None:
    laid_out = json.dumps(json.loads(SAMPLES["server_info"]), indent=2).removeprefix("{\n")
    block = read("server_info", laid_out + "\nServer started")
    assert facts(block)["server-info.tp_size"] == "2"
    assert block.lines == laid_out.count("\n") + 1


def test_a_cut_object_tells_nothing() -> None:
    block = read("server_info", SAMPLES["server_info"].strip()[:-1])
    assert (block.events, block.understood) == ([], 0)


def test_its_first_key_may_be_another() -> None:
    text = '{"tokenizer_path":"/m","model_path":"/m","tp_size":8,"internal_states":[],"version":"0.5.9"}'
    assert facts(read("server_info", text))["server-info.tp_size"] == "8"
