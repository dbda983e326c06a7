"""Findings one by one: every claim, step, line and remedy of the document is there."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
import regex

from analyzer.report.details import findings, in_full
from analyzer.report.page import Look, printed
from tests.report.build_report import founding, founding_finding, healthy, symptom

if TYPE_CHECKING:
    from analyzer.contract import Finding, Report

LOOK = Look(100)


def full(finding: Finding, report: Report | None = None) -> str:
    return printed(in_full(report or founding(), finding, "CAUSE", LOOK), LOOK)


def test_a_report_without_findings_says_nothing() -> None:
    assert findings(healthy(), LOOK) == []


def test_an_empty_finding_has_no_empty_sections() -> None:
    shown = full(replace(symptom("launch-stalled", "quiet"), lines=[]))
    assert shown.split("\n")[1:] == [
        "── CAUSE: launch-stalled (manifestation, established) ".ljust(100, "─"),
        "quiet",
        "How sure: established: the lines prove it",
        "",
    ]


def test_every_claim_stands_with_its_status_and_lines() -> None:
    shown = full(founding_finding())
    assert "  demand (established): every one of 8 ranks announces 300 GB" in shown
    assert "  end (unknown): whether a rank was killed is not known" in shown


def test_a_step_says_what_it_was_read_from_or_made_of() -> None:
    lines = [line for line in full(founding_finding()).split("\n") if regex.match(r"  \d\. ", line)]
    sources = {line.split(".")[0].strip(): line.rsplit("  ", 1)[-1].strip() for line in lines}
    assert {number: sources[number] for number in ("1", "2", "4")} == {
        "1": "server.log:88", "2": "server.log:88-95", "4": "free.txt:3",
    }  # fmt: skip
    assert sources["3"] == "from 1, 2"


def test_a_given_fact_says_that_it_was_given() -> None:
    step = replace(founding_finding().calculation[3], op="given", of=[])
    assert full(replace(founding_finding(), calculation=[step])).count("given") == 1


@pytest.mark.parametrize(("op", "label"), [("release", "known of the release"), ("assumed", "assumed")])
def test_a_constant_says_who_knows_it(op: str, label: str) -> None:
    step = replace(founding_finding().calculation[3], op=op, of=[])
    assert full(replace(founding_finding(), remedy=[], calculation=[step])).count(label) == 1


def test_a_remedy_shows_change_risk_assumption_sum_and_command_line() -> None:
    shown = full(founding_finding())
    for said in (
        "Change: --hicache-size 300 → 48",
        "Risk: HiCache adds prefix hits",
        "Assumes: nothing else on the host grows",
        "1. new total: 8 × 48 GB = 384 GB = 358 GiB",
        "--tp 8 --hicache-size 48",
    ):
        assert said in shown
    assert shown.index("Until it is fixed") < shown.index("Fix") < shown.index("So that it does not come again")


def test_a_line_that_speaks_against_it_is_shown_as_such() -> None:
    shown = full(replace(founding_finding(), contradicting=["l79"]))
    assert "Lines that speak against it\n  server.log:79  [2026-02-17 10:06:40 TP0] Capture cuda graph end." in shown


def test_what_followed_from_it_is_counted() -> None:
    collateral = replace(founding_finding().collateral[0], count=8, processes=[f"n0/TP{n}" for n in range(6)])
    shown = full(replace(founding_finding(), collateral=[collateral]))
    assert "8 × health check timed out after 600 s (on n0/TP0, n0/TP1, n0/TP2, n0/TP3 and 2 more)" in shown


def test_a_traceback_keeps_its_lines() -> None:
    report = founding()
    cited = replace(
        report.lines["l88"], text="Traceback (most recent call last):\n  File x\nValueError: y", last_line=90
    )
    shown = full(replace(founding_finding(), lines=["l88"]), replace(report, lines={"l88": cited}))
    assert "  server.log:88-90  Traceback (most recent call last):\n      File x\n    ValueError: y\n" in shown


def test_the_root_of_another_launch_is_not_taken_for_this_one_s() -> None:
    other = replace(founding_finding(), id="port-in-use", launch="L0")
    report = founding()
    shown = printed(findings(replace(report, findings=[*report.findings, other]), LOOK), LOOK)
    assert "CAUSE OF L0: port-in-use" in shown


def test_the_root_names_whom_it_is_for_and_its_fingerprint() -> None:
    report = founding()
    shown = full(report.findings[0], report)
    assert f"Owner: {report.verdict.owner}; fingerprint {report.verdict.fingerprint}" in " ".join(shown.split())
    assert "fingerprint" not in full(symptom("launch-stalled", "quiet"), report)
