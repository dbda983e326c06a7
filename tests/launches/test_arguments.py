"""What was typed and what SGLang made of it stand side by side."""

from __future__ import annotations

import pytest

from analyzer.events import ArgumentsPrinted, CommandLine
from analyzer.knowledge import Release
from analyzer.launches.arguments import Arguments, from_events
from tests.build import ref, where

RELEASE = Release.of("0.5.9")


def arguments(typed: str = "", **values: object) -> Arguments:
    printed = [ArgumentsPrinted(where=where(3), values=values)] if values else []
    lines = [CommandLine(where=where(7, source="ps.txt"), argv=tuple(typed.split()))] if typed else []
    return from_events(printed, lines)


def test_nothing_said_is_nothing_known() -> None:
    empty = arguments()
    assert not empty.known
    assert empty.get("tp_size") is None
    assert empty.amount("hicache_size", "GB") is None


def test_what_sglang_made_of_a_value_comes_before_what_was_typed() -> None:
    both = arguments("python -m sglang.launch_server --chunked-prefill-size 8192", chunked_prefill_size=2048)
    assert both.get("chunked_prefill_size") == 2048
    assert both.ref("chunked_prefill_size") == ref(3)


def test_a_typed_value_counts_where_the_log_prints_none() -> None:
    typed = arguments("python -m sglang.launch_server --hicache-size 300 --tp 8")
    size = typed.amount("hicache_size", "GB")
    assert size is not None
    assert size.value == 300 * 10**9
    assert typed.count("tp_size") == 8
    assert typed.ref("tp_size") == ref(7, "ps.txt")


def test_a_switch_is_no_number() -> None:
    assert arguments(enable_hierarchical_cache=True).amount("enable_hierarchical_cache", "count") is None
    assert arguments(enable_hierarchical_cache=True).flag("enable_hierarchical_cache")


def test_a_difference_that_sglang_does_not_make_itself_is_noted() -> None:
    said = {
        a.name: a for a in arguments("python -m sglang.launch_server --hicache-size 300", hicache_size=48).both(RELEASE)
    }
    assert said["hicache_size"].note == "the command line says 300, server_args says 48: another launch's command line?"
    assert said["hicache_size"].said_by == "both"


def test_an_equal_value_in_another_spelling_is_no_difference() -> None:
    said = {
        a.name: a
        for a in arguments("python -m sglang.launch_server --mem-fraction-static .9", mem_fraction_static=0.9).both(
            RELEASE
        )
    }
    assert said["mem_fraction_static"].note is None


def test_a_default_that_nobody_typed_is_not_listed() -> None:
    names = {a.name for a in arguments(tp_size=1, hicache_size=48).both(RELEASE)}
    assert names == {"hicache_size"}


@pytest.mark.parametrize(
    "sizes",
    [
        {"tp_size": 772, "dp_size": 2669},  # 2,060,468 ranks
        {"tp_size": 8192, "pp_size": 2},
        {"tp_size": 8, "nnodes": 10**30},
        {"tp_size": -8},
        {"tp_size": 10**4000},
    ],
)
def test_a_topology_that_no_server_has_is_noted_and_nothing_is_counted_by_it(sizes: dict[str, int]) -> None:
    made = arguments(**sizes)
    assert made.beyond
    assert [made.count(name, 1) for name in sizes] == [1] * len(sizes)
    notes = [a.note for a in made.both(RELEASE) if a.name in sizes]
    assert notes
    assert all(note is not None and "none are counted by them" in note and len(note) < 300 for note in notes)


def test_the_largest_topologies_are_believed() -> None:
    assert arguments(tp_size=320, dp_size=320, ep_size=320, nnodes=40, enable_dp_attention=True).count("tp_size") == 320
    assert arguments(tp_size=8, pp_size=4, dp_size=256).count("dp_size") == 256  # 8,192 ranks


def test_a_number_that_no_field_holds_is_none() -> None:
    assert arguments(max_running_requests=10**30).count("max_running_requests") is None
    assert arguments(page_size=float("inf")).count("page_size") is None
