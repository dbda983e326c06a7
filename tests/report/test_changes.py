"""What two launches were started with differently."""

from __future__ import annotations

from dataclasses import replace

from analyzer.contract import Argument, Launch, Release
from analyzer.report.changes import at_once, between, changes, unasked
from tests.report.build_report import founding, founding_launch


def of(*arguments: Argument, stated: str = "0.5.9") -> Launch:
    return replace(founding_launch(), arguments=list(arguments), sglang=Release(stated, None))


SIZE = Argument("hicache_size", "300", "both", "per rank", "GB")
FRACTION = Argument("mem_fraction_static", "0.85", "both", None, "ratio")


def test_a_seed_that_sglang_draws_is_no_change() -> None:
    one, other = (Argument("random_seed", value, "server_args", None, None) for value in ("159097620", "766968390"))
    assert changes(of(one), of(other)) == []


def test_a_seed_that_was_typed_is_a_change() -> None:
    one, other = (Argument("random_seed", value, "both", None, None) for value in ("1", "2"))
    assert [change.name for change in changes(of(one), of(other))] == ["random_seed"]


def test_a_default_that_is_typed_out_changes_nothing() -> None:
    port = Argument("port", "30000", "both", None, None, default="30000")
    assert changes(of(), of(port)) == []
    assert [c.after for c in changes(of(), of(replace(port, value="30001")))] == ["30001"]


def test_what_one_launch_alone_prints_and_nobody_typed_is_counted_apart() -> None:
    settled = Argument("attention_backend", "fa3", "server_args", None, None)
    assert changes(of(SIZE), of(SIZE, settled)) == []
    assert unasked(of(SIZE), of(SIZE, settled)) == ["attention_backend"]


def test_another_release_is_a_change() -> None:
    assert [(c.before, c.after) for c in changes(of(SIZE), of(SIZE, stated="0.5.10"))] == [("0.5.9", "0.5.10")]


def test_one_change_may_be_credited_and_several_may_not() -> None:
    once = changes(of(SIZE, FRACTION), of(replace(SIZE, value="48"), FRACTION))
    twice = changes(of(SIZE, FRACTION), of(replace(SIZE, value="48"), replace(FRACTION, value="0.93")))
    assert at_once(once) == ""
    assert "2 settings changed at once (hicache_size, mem_fraction_static)" in at_once(twice)


def test_without_a_command_line_what_is_printed_may_have_been_typed() -> None:
    size = Argument("hicache_size", "48", "server_args", "per rank", "GB", default="0")
    fraction = Argument("mem_fraction_static", "0.93", "server_args", None, "ratio")
    found = changes(of(replace(fraction, value="0.85")), of(fraction, size))
    assert [(c.name, c.before, c.after) for c in found] == [
        ("mem_fraction_static", "0.85", "0.93"),
        ("hicache_size", "none", "48"),
    ]


def test_a_change_goes_from_the_earlier_launch_to_the_later() -> None:
    first, second = replace(of(SIZE), id="launch-1"), replace(of(replace(SIZE, value="48")), id="launch-2")
    report = replace(founding(), launches=[first, second])
    assert between(report, first, second) == between(report, second, first)
    assert between(report, second, first) == "from launch-1 to launch-2 hicache_size 300 → 48."
    assert between(report, first, replace(second, server=replace(second.server, role="router"))) == ""
    assert between(report, first, replace(second, arguments=[])) == ""
