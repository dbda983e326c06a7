"""Every sample is answered as `samples/cases.toml` says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from analyzer.vocabulary import FINDINGS, Kind, Outcome, Phase, Role, Status
from tests.samples import CASES

if TYPE_CHECKING:
    from collections.abc import Callable

    from analyzer.contract import Report

    ReportOf = Callable[[str], Report]

every_sample = pytest.mark.parametrize("name", sorted(CASES))


@every_sample
def test_the_answer_uses_words_of_the_vocabulary(name: str) -> None:
    case = CASES[name]
    assert {*case.outcome} <= {*Outcome}
    assert {*case.status} <= {*Status}
    assert not case.phase or case.phase in {*Phase}
    assert {*case.found, *case.may, *case.cleared, *case.unknown, *filter(None, case.root)} <= {*FINDINGS}


@every_sample
def test_outcome_and_root_are_the_known_ones(name: str, report_of: ReportOf) -> None:
    case, verdict = CASES[name], report_of(name).verdict
    assert verdict.outcome in case.outcome
    assert (verdict.finding or "") in case.root
    assert not verdict.finding or verdict.status in case.status
    assert not case.phase or verdict.phase == case.phase


@every_sample
def test_nothing_else_is_found(name: str, report_of: ReportOf) -> None:
    case, findings = CASES[name], report_of(name).findings
    assert set(case.found) <= {finding.id for finding in findings}
    folded = {Role.SYMPTOM, Role.COLLATERAL}  # under their root: they accuse nothing
    assert {finding.id for finding in findings if finding.role not in folded} <= {*case.found, *case.may}


@every_sample
def test_what_was_ruled_out_and_what_is_unknown_is_said(name: str, report_of: ReportOf) -> None:
    case, report = CASES[name], report_of(name)
    assert set(case.cleared) <= {cleared.id for cleared in report.cleared}
    assert set(case.unknown) <= {unknown.id for unknown in report.unknown}


@every_sample
def test_the_root_shows_its_arithmetic(name: str, report_of: ReportOf) -> None:
    case = CASES[name]
    shown = " ".join(
        f"{step.expression} {step.shown}"
        for finding in report_of(name).findings
        if finding.id in case.root
        for step in finding.calculation
    )
    assert [text for text in case.sums if text not in shown] == []


@every_sample
def test_the_exit_code_follows_from_the_answer(name: str, report_of: ReportOf) -> None:
    from analyzer.cli.exit_codes import exit_code

    assert exit_code(report_of(name), None) == CASES[name].exit_code


@every_sample
def test_a_claim_quotes_lines_that_the_report_holds(name: str, report_of: ReportOf) -> None:
    report = report_of(name)
    cited = {line for finding in report.findings for claim in finding.claims for line in claim.lines}
    assert cited <= report.lines.keys()


@every_sample
def test_an_established_claim_rests_on_a_line(name: str, report_of: ReportOf) -> None:
    bare = [
        (finding.id, claim.part)
        for finding in report_of(name).findings
        for claim in finding.claims
        if claim.status == Status.ESTABLISHED and not claim.lines
    ]
    assert not bare


def test_a_cause_stands_behind_every_exit_code_three() -> None:
    kinds = {FINDINGS[root].kind for case in CASES.values() if case.exit_code == 3 for root in case.root}
    assert kinds <= {Kind.CAUSE, Kind.LIMIT}
