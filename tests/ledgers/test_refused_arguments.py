"""The arguments that a refusal speaks of."""

from __future__ import annotations

import pytest

from analyzer.ledgers.refused_arguments import fields_in, meant, numbers_of, switches
from tests.build import incident, launch

START = "python3 -m sglang.launch_server --model-path /m --tp 8 --nnodes 3 --enable-hierarchical-cache"


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("the host and the port of the model are wrong", ()),
        ("tp_size must be divisible by number of nodes", ("tp_size", "nnodes")),
        (
            "--enable-lmcache and --enable-hierarchical-cache are exclusive",
            ("enable_lmcache", "enable_hierarchical_cache"),
        ),
        (
            "The arguments enable-hierarchical-cache and disable-radix-cache",
            ("enable_hierarchical_cache", "disable_radix_cache"),
        ),
        ("argument --tensor-parallel-size/--tp-size/--tp: invalid int value: 'eight'", ("tp_size",)),
        ("no-such-thing and another_thing", ()),
    ],
)
def test_compound_names_are_arguments_and_plain_words_are_not(text: str, fields: tuple[str, ...]) -> None:
    assert fields_in(text) == fields


def test_what_was_asked_for_is_a_number_with_its_line() -> None:
    made = numbers_of(incident(launch(argv=START)), ("tp_size", "nnodes", "dp_size", "model_path"))
    assert {amount.name: amount.number() for amount in made} == {"tp_size": 8, "nnodes": 3}


def test_only_switches_that_are_on_can_be_dropped() -> None:
    asked = incident(launch(argv=START))
    assert switches(asked, ("enable_hierarchical_cache", "disable_radix_cache", "tp_size")) == (
        "enable_hierarchical_cache",
    )


def test_a_misspelt_flag_is_near_to_what_was_meant_and_nonsense_to_nothing() -> None:
    assert meant("--mem-fraction-statik") == "--mem-fraction-static"
    assert meant("--zzzzqqqq") is None
