"""The parts of a report are found by what they are."""

from __future__ import annotations

from dataclasses import replace

import pytest

from analyzer.contract import Line
from analyzer.report.select import in_role, kinds_of_lines, launch_of, place, places, quoted_text, root_of
from analyzer.vocabulary import Role
from tests.report.build_report import ALLOCATIONS, cannot_tell, founding, healthy, symptom


def test_a_report_without_a_launch_has_none() -> None:
    assert launch_of(cannot_tell()) is None


def test_a_verdict_without_a_finding_has_no_root() -> None:
    assert root_of(healthy()) is None


def test_the_root_is_that_of_the_verdict_s_launch() -> None:
    other = replace(founding().findings[0], launch="L0")
    report = replace(founding(), findings=[other, *founding().findings])
    root = root_of(report)
    assert root is not None
    assert root.launch == "L1"


def test_a_finding_in_a_role_is_listed_without_the_root() -> None:
    names = [finding.id for finding in in_role(founding(), Role.SYMPTOM)]
    assert names == ["host-memory-exhausted", "launch-stalled"]
    assert in_role(founding(), Role.ROOT) == []


def test_findings_of_the_verdict_s_launch_come_first() -> None:
    other = replace(symptom("port-in-use", "a port is taken"), launch="L0")
    report = replace(founding(), findings=[other, *founding().findings])
    assert in_role(report, Role.SYMPTOM)[-1].id == "port-in-use"


def test_an_unknown_line_has_no_place() -> None:
    assert place(founding(), "c3") is None


@pytest.mark.parametrize(
    ("ids", "said"),
    [
        ([], ""),
        (["c1"], ""),
        (["l88"], "server.log:88"),
        (ALLOCATIONS, "server.log:88-95"),
        (["l88", "l90", "f3"], "server.log:88, 90; free.txt:3"),
    ],
)
def test_places_are_gathered_by_source(ids: list[str], said: str) -> None:
    assert places(founding(), ids) == said


def test_many_places_are_counted() -> None:
    lines = {f"x{n}": Line("a.log", n, n, "", cut=False) for n in range(1, 20, 2)}
    assert places(replace(founding(), lines=lines), lines) == "a.log:1, 3, 5, 7 and 6 more"


def test_lines_that_differ_in_their_numbers_alone_are_one_kind() -> None:
    assert kinds_of_lines(founding(), [*ALLOCATIONS, "f3", "gone"]) == [ALLOCATIONS, ["f3"]]


def test_a_cut_line_says_so() -> None:
    report = replace(founding(), lines={"x": Line("a.log", 1, 1, "begins ", cut=True)})
    assert quoted_text(report, "x") == "begins …"
