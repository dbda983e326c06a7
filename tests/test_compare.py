"""Two runs side by side: what differs is shown, what is equal is counted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from analyzer.compare import compare
from analyzer.contract import Argument, Report
from analyzer.report.page import Look
from tests.report.build_report import cannot_tell, founding, founding_launch, healthy


def shown(before: Report, after: Report) -> str:
    return compare(before, after, Look(100))


def test_a_run_does_not_differ_from_itself() -> None:
    assert "→" not in shown(founding(), founding())


def test_a_changed_argument_is_shown_with_both_values() -> None:
    arguments = [Argument("hicache-size", "48", "both", "per rank", "GB"), founding_launch().arguments[1]]
    after = replace(founding(), launches=[replace(founding_launch(), arguments=arguments)])
    page = shown(founding(), after)
    assert "hicache-size: 300 → 48" in page
    assert "1 the same in both" in page


def test_a_gain_after_two_changes_is_credited_to_neither() -> None:
    arguments = [Argument("hicache-size", "48", "both", "per rank", "GB"), Argument("tp", "4", "both", None, None)]
    after = replace(founding(), launches=[replace(founding_launch(), arguments=arguments)])
    assert "no gain or loss can be credited to one of them alone" in " ".join(shown(founding(), after).split())


def test_findings_gone_and_new_are_shown() -> None:
    assert "launch-stalled: symptom, established → none" in shown(founding(), healthy())
    assert "launch-stalled: none → symptom, established" in shown(healthy(), founding())


def test_the_longest_process_stands_for_a_phase() -> None:
    launch = founding_launch()
    slow = replace(launch.processes[3].phases[2], seconds=285.0)
    phases = [*launch.processes[3].phases[:2], slow, *launch.processes[3].phases[3:]]
    processes = [*launch.processes[:3], replace(launch.processes[3], phases=phases), *launch.processes[4:]]
    after = replace(founding(), launches=[replace(launch, processes=processes)])
    assert "weight-load: 182 s → 285 s" in shown(founding(), after)


def test_figures_are_compared_by_quantile() -> None:
    launch = healthy().launches[0]
    faster = replace(launch.series[0], quantiles={"median": 1350.0})
    after = replace(healthy(), launches=[replace(launch, series=[faster, *launch.series[1:]])])
    assert "generation throughput of n0/TP0, median: 890 tok/s → 1,350 tok/s" in shown(healthy(), after)


@pytest.mark.parametrize("pair", [(founding, cannot_tell), (cannot_tell, cannot_tell)])
def test_a_run_without_a_launch_is_compared_by_its_findings(pair: tuple[object, object]) -> None:
    page = shown(pair[0](), pair[1]())  # type: ignore[operator]
    assert "UNKNOWN" in page
    assert "Arguments" not in page
    assert "Findings" in page
