"""Command lines as argparse would read them."""

from __future__ import annotations

import shlex
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.knowledge.argv import parse_argv, value_of
from analyzer.knowledge.release import Release


def parsed(command: str) -> dict[str, Any]:
    return parse_argv(shlex.split(command))


@pytest.mark.parametrize("command", ["", "python3 -m sglang.launch_server", "-m -v", "-- --", "sglang serve", "a b c"])
def test_a_line_without_flags_gives_nothing(command: str) -> None:
    assert parsed(command) == {}


def test_values_come_by_field_in_the_type_of_the_argument() -> None:
    assert parsed(
        "python3 -m sglang.launch_server --model-path /models/Kimi-K2.5 --tp 8 --trust-remote-code --port=30000"
        " --mem-fraction-static 0.93 --enable-hierarchical-cache --hicache-size 300"
    ) == {
        "model_path": "/models/Kimi-K2.5",
        "tp_size": 8,
        "trust_remote_code": True,
        "port": 30000,
        "mem_fraction_static": 0.93,
        "enable_hierarchical_cache": True,
        "hicache_size": 300,
    }


def test_a_list_takes_all_words_up_to_the_next_flag() -> None:
    assert parsed("--cuda-graph-bs 1 2 4 --lora-paths a=x b=y --tp 2") == {
        "cuda_graph_bs": [1, 2, 4],
        "lora_paths": ["a=x", "b=y"],
        "tp_size": 2,
    }


def test_the_last_of_a_repeated_flag_counts_whatever_its_spelling() -> None:
    assert parsed("--tp 4 --dp 2 --tensor-parallel-size 8") == {"dp_size": 2, "tp_size": 8}


def test_an_unknown_flag_is_kept_with_what_follows_it() -> None:
    assert parsed("--no-such 3 --neither --dp 2") == {"--no-such": "3", "--neither": True, "dp_size": 2}


def test_a_negative_number_is_a_value() -> None:
    assert parsed("--chunked-prefill-size -1") == {"chunked_prefill_size": -1}


def test_a_flag_without_its_value_gives_none() -> None:
    assert parsed("--tp --dp 2") == {"tp_size": None, "dp_size": 2}


def test_a_negated_switch_is_false() -> None:
    assert parsed("--no-mm-enable-dp-encoder") == {"mm_enable_dp_encoder": False}


def test_the_model_may_stand_bare_after_serve() -> None:
    assert parsed("/usr/bin/sglang serve meta-llama/Llama-3.1-8B --tp 2") == {
        "model_path": "meta-llama/Llama-3.1-8B",
        "tp_size": 2,
    }


def test_a_spelling_that_moved_is_read_by_release() -> None:
    argv = ["--cuda-graph-max-bs", "64"]
    assert parse_argv(argv, Release.of("0.5.9")) == {"cuda_graph_max_bs": 64}
    assert parse_argv(argv, Release.of("0.5.23")) == {"cuda_graph_max_bs_decode": 64}


@pytest.mark.parametrize(
    ("text", "takes", "value"),
    [
        ("8", "int", 8),
        ("128k", "int", 128_000),
        ("1Ki", "int", 1024),
        ("25.6k", "int", 25_600),
        ("0.5", "int", "0.5"),
        ("8K", "int", "8K"),
        ("$TP", "int", "$TP"),
        ("9" * 100, "int", "9" * 100),
        ("0.9", "float", 0.9),
        ("most", "float", "most"),
        ('{"a": 1}', "json", {"a": 1}),
        ("{a: 1}", "json", "{a: 1}"),
        ("auto", "str", "auto"),
        ("3", "list:int", 3),
    ],
)
def test_a_word_is_read_by_type_and_kept_where_it_does_not_fit(text: str, takes: str, value: object) -> None:
    assert value_of(text, takes) == value


@given(st.lists(st.one_of(st.text(max_size=10), st.sampled_from(["--tp", "--hicache-size=", "sglang", "serve", "-1"]))))
@settings(derandomize=True, max_examples=200)
def test_any_words_are_read(words: list[str]) -> None:
    assert isinstance(parse_argv(words), dict)
