"""`postmortem timeline` draws every launch, with figures under the same axis."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rich.cells import cell_len

from analyzer.contract import Series
from analyzer.report.page import Look
from analyzer.report.timeline import render
from tests.report.build_report import cannot_tell, founding, healthy, straggler


def test_without_a_launch_there_is_a_sentence() -> None:
    assert render(cannot_tell(), Look(100)) == "No launch was recognised: there is no timeline.\n"


@pytest.mark.parametrize("width", [80, 100, 160])
@pytest.mark.parametrize("ascii_", [False, True])
def test_it_fits(width: int, *, ascii_: bool) -> None:
    for report in (founding(), healthy(), straggler()):
        shown = render(report, Look(width, ascii=ascii_))
        assert max(map(cell_len, shown.split("\n"))) <= width
        assert not ascii_ or shown.isascii()


def test_memory_throughput_and_usage_stand_under_the_bars_in_this_order() -> None:
    shown = render(healthy(), Look(100))
    wanted = ["TIMELINE", "host memory used of n0", "generation throughput of n0/TP0", "token usage of n0/TP0"]
    places = [shown.index(name) for name in wanted]
    assert places == sorted(places)


def test_a_series_of_one_value_is_no_chart() -> None:
    report = healthy()
    launch = replace(report.launches[0], series=[Series("host memory used", "B", "n0", [1.0], [1.0], {})])
    assert "host memory" not in render(replace(report, launches=[launch]), Look(100))


def test_charts_beyond_six_are_counted() -> None:
    report = healthy()
    several = [replace(report.launches[0].series[0], of=f"n{n}") for n in range(9)]
    shown = render(replace(report, launches=[replace(report.launches[0], series=several)]), Look(100))
    assert shown.count("generation throughput of") == 6
    assert "and 3 more series" in shown


def test_every_launch_is_drawn() -> None:
    report = founding()
    second = replace(report.launches[0], id="L2")
    assert render(replace(report, launches=[*report.launches, second]), Look(100)).count("TIMELINE") == 2
