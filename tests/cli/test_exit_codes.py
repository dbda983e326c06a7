"""Every kind of verdict has its exit code."""

from __future__ import annotations

from dataclasses import replace

import pytest

from analyzer.cli.exit_codes import FailOn, exit_code, nothing_read, worst
from analyzer.contract import Report, Source
from analyzer.vocabulary import Outcome
from tests.report.build_report import cannot_tell, founding, founding_finding, healthy

FINE = (Outcome.READY, Outcome.STOPPED, Outcome.LAUNCHING)
WRONG = tuple(outcome for outcome in Outcome if outcome not in {*FINE, Outcome.UNKNOWN})


def verdict(outcome: str, kind: str | None = "cause", status: str = "established") -> Report:
    """A report whose root is of this kind and status; none where `kind` is `None`."""
    report = founding()
    known = kind is not None
    said = replace(
        report.verdict,
        outcome=outcome,
        finding="per-rank-host-memory-oversubscription" if known else None,
        status=status if known else None,
    )
    findings = [replace(founding_finding(), kind=kind, status=status)] if kind is not None else []
    return replace(report, verdict=said, findings=findings)


@pytest.mark.parametrize("outcome", FINE)
@pytest.mark.parametrize("kind", [None, "limit", "risk", "manifestation"])
def test_nothing_wrong_is_zero_whatever_else_was_seen(outcome: str, kind: str | None) -> None:
    assert exit_code(verdict(outcome, kind)) == 0


@pytest.mark.parametrize("outcome", [*WRONG, Outcome.UNKNOWN])
@pytest.mark.parametrize(
    ("kind", "status", "code"),
    [
        ("cause", "established", 3),
        ("cause", "supported", 3),
        ("limit", "supported", 3),
        ("cause", "hypothesis", 4),
        ("limit", "hypothesis", 4),
        ("manifestation", "established", 4),
        ("risk", "established", 4),
    ],
)
def test_something_wrong_is_three_with_a_known_cause_and_four_without(
    outcome: str, kind: str, status: str, code: int
) -> None:
    assert exit_code(verdict(outcome, kind, status)) == code


@pytest.mark.parametrize("outcome", WRONG)
def test_something_wrong_without_any_finding_is_four(outcome: str) -> None:
    assert exit_code(verdict(outcome, None)) == 4


def test_an_unknown_outcome_without_a_finding_is_five() -> None:
    assert exit_code(cannot_tell()) == 5


def unread(name: str) -> Source:
    return Source(name, "binary", "", 9, 0, 0, 0, truncated=False, first=None, last=None, errors=["is binary"])


def test_nothing_read_is_six() -> None:
    report = cannot_tell()
    assert exit_code(replace(report, coverage=replace(report.coverage, sources=[unread("a.bin")]))) == 6
    assert exit_code(replace(report, coverage=replace(report.coverage, sources=[]))) == 6


def test_an_empty_file_was_read() -> None:
    empty = replace(unread("empty.log"), errors=[], kind="empty")
    assert not nothing_read(replace(cannot_tell(), coverage=replace(cannot_tell().coverage, sources=[empty])))


def test_an_unreadable_input_among_others_keeps_the_code_unless_strict() -> None:
    report = founding()
    coverage = replace(report.coverage, sources=[*report.coverage.sources, unread("a.bin")], partial=True)
    assert exit_code(replace(report, coverage=coverage)) == 3
    assert exit_code(replace(report, coverage=coverage), strict=True) == 6


@pytest.mark.parametrize(
    ("fail_on", "status", "code"),
    [
        (FailOn.HYPOTHESIS, "hypothesis", 4),
        (FailOn.SUPPORTED, "hypothesis", 0),
        (FailOn.SUPPORTED, "supported", 3),
        (FailOn.ESTABLISHED, "supported", 0),
        (FailOn.ESTABLISHED, "established", 3),
        (FailOn.NEVER, "established", 0),
    ],
)
def test_fail_on_sets_how_sure_a_failure_has_to_be(fail_on: FailOn, status: str, code: int) -> None:
    assert exit_code(verdict("launch-hung", "cause", status), fail_on) == code


@pytest.mark.parametrize(("fail_on", "code"), [(FailOn.HYPOTHESIS, 4), (FailOn.SUPPORTED, 0), (FailOn.NEVER, 0)])
def test_something_wrong_without_a_finding_counts_as_a_hypothesis(fail_on: FailOn, code: int) -> None:
    assert exit_code(verdict("launch-hung", None), fail_on) == code


def test_fail_on_never_hides_that_nothing_can_be_told_but_not_that_nothing_was_read() -> None:
    assert exit_code(cannot_tell(), FailOn.NEVER) == 0
    assert exit_code(cannot_tell(), FailOn.ESTABLISHED) == 5
    assert exit_code(replace(cannot_tell(), coverage=replace(cannot_tell().coverage, sources=[])), FailOn.NEVER) == 6


def test_a_healthy_report_is_zero_with_every_threshold() -> None:
    assert {exit_code(healthy(), fail_on) for fail_on in FailOn} == {0}


@pytest.mark.parametrize(
    ("codes", "code"), [([], 0), ([0, 0], 0), ([0, 6], 6), ([6, 5], 5), ([5, 4, 0], 4), ([4, 3, 5], 3)]
)
def test_the_worst_of_several_is_what_is_most_surely_wrong(codes: list[int], code: int) -> None:
    assert worst(codes) == code
