"""The first sentences claim what the document claims, and no more."""

from __future__ import annotations

from dataclasses import replace

import pytest

from analyzer.contract import Confirm, Finding, Report
from analyzer.report.summary import (
    actions,
    beside,
    cause,
    change,
    lead,
    losing,
    not_known,
    outcome,
    partial,
    said_of,
    sum_line,
    where,
    which_launch,
    without_a_cause,
    word,
)
from analyzer.vocabulary import Outcome
from tests.report.build_report import cannot_tell, founding, founding_finding, healthy, symptom


def with_root(**changes: object) -> Report:
    """The founding incident with a root that differs."""
    report = founding()
    root = replace(founding_finding(), **changes)  # type: ignore[arg-type]
    return replace(report, findings=[root, *report.findings[1:]])


@pytest.mark.parametrize("outcome_", list(Outcome))
def test_every_outcome_has_a_word_and_a_sentence(outcome_: Outcome) -> None:
    verdict = replace(founding().verdict, outcome=outcome_.value)
    assert word(verdict).isupper()
    assert said_of(verdict).endswith(".")


def test_an_outcome_of_a_later_version_is_shown_as_it_is() -> None:
    verdict = replace(founding().verdict, outcome="melted", phase="furnace")
    assert word(verdict) == "MELTED"
    assert said_of(verdict) == "melted, in furnace."


def test_nothing_wrong_needs_no_cause() -> None:
    assert cause(healthy()) == ""
    assert actions(healthy()) == []
    assert not_known(healthy()) == []


def test_a_manifestation_is_never_called_the_cause() -> None:
    said = cause(with_root(kind="manifestation", summary="no line for 359 s"))
    assert said == "Not known. What shows (established): no line for 359 s"


@pytest.mark.parametrize(
    ("status", "begins"),
    [
        ("established", "Established: "),
        ("supported", "Supported, not proven: "),
        ("hypothesis", "Hypothesis, not shown: "),
    ],
)
def test_a_cause_begins_with_how_sure_it_is(status: str, begins: str) -> None:
    assert cause(with_root(status=status, summary="it is full")) == f"{begins}it is full"


def test_without_a_finding_an_unexplained_line_is_the_place_to_begin() -> None:
    report = founding()
    report = replace(report, verdict=replace(report.verdict, finding=None, status=None))
    assert cause(report) == (
        "Not known. An error line that nothing explains: "
        "notes.txt:1  2026-02-17 10:12:41 deploy script: health check timed out after 600 s"
    )


def test_without_a_finding_and_a_line_the_summary_stands() -> None:
    assert cause(cannot_tell()) == "Not known. No line of an SGLang server was recognised."


def test_the_outcome_ends_with_the_last_sign_of_life() -> None:
    assert outcome(founding()) == (
        "The server hung before it was ready, in host-pool (allocates and pins the HiCache host pool). "
        "Last sign of life: 10:06:42 (server.log:95), 359 s before the health check gave up at 10:12:41."
    )


def test_a_reading_that_was_interrupted_is_said_first() -> None:
    report = founding()
    cut = replace(report.coverage.sources[0], lines=1234, errors=["server.log: interrupted: what follows was not read"])
    unread = replace(cut, name="other.log", lines=0)
    broken = replace(cut, name="third.log", errors=["third.log: cut off: the gzip data ends before its end mark"])
    said = lead(replace(report, coverage=replace(report.coverage, sources=[unread, cut, broken])))
    assert said.startswith(
        "Partial, as the reading was interrupted: server.log was read up to line 1,234, 1 more of the inputs not to "
        "their end. The server hung"
    )
    assert partial(replace(report, coverage=replace(report.coverage, sources=[broken]))) == partial(report) == ""


def test_a_single_launch_is_not_counted() -> None:
    assert which_launch(founding()) == ""


def test_one_of_several_launches_is_named() -> None:
    report = founding()
    earlier = replace(report.launches[0], id="L0")
    assert which_launch(replace(report, launches=[earlier, *report.launches])) == "Launch 2 of 2 (Kimi-K2.5). "


def test_a_server_beside_the_one_that_the_report_is_about_is_named_with_what_became_of_it() -> None:
    report = founding()
    one = report.launches[0]
    ready = replace(one.verdict, outcome="ready")
    beside = [
        replace(one, id=f"L{name}", server=replace(one.server, name=name), verdict=ready) for name in ("a", "b", "c")
    ]
    assert which_launch(replace(report, launches=[*report.launches, beside[0]])) == (
        "Launch 1 of 2 (Kimi-K2.5; beside it a: ready). "
    )
    many = which_launch(replace(report, launches=[*report.launches, *beside]))
    assert many == "Launch 1 of 4 (Kimi-K2.5; beside it a: ready, b: ready and 1 more). "


def test_the_sum_holds_what_was_asked_against_what_there_is() -> None:
    assert sum_line(founding_finding()) == (
        "8 × 300 GB = 2,400 GB = 2,235 GiB · host memory 449 GiB · short by 1,786 GiB · 5 times what there is"
    )


def test_a_step_that_the_comparison_does_not_use_stays_out_of_the_sum() -> None:
    steps = founding_finding().calculation
    aside = replace(steps[3], id="x", name="reserve", shown="10 GiB")
    apart = replace(steps[4], id="y", name="rest", of=["x"], shown="1 GiB")
    said = sum_line(replace(founding_finding(), calculation=[*steps, aside, apart]))
    assert "reserve" not in said
    assert "rest" not in said


def test_one_figure_alone_is_no_sum() -> None:
    code = replace(founding_finding().calculation[1], name="exit code", op="read", shown="-9", of=[])
    assert sum_line(replace(founding_finding(), calculation=[code])) == ""


def test_figures_without_a_computed_step_are_listed_and_counts_stand_before_what_they_count() -> None:
    steps = founding_finding().calculation
    code = replace(steps[1], name="exit code", op="read", shown="-9", of=[])
    said = sum_line(replace(founding_finding(), calculation=[code, steps[3], steps[1]]))
    assert said == "exit code -9 · host memory 449 GiB · 8 ranks on the host"


@pytest.mark.parametrize("finding", [None, symptom("launch-stalled", "quiet")])
def test_no_figures_no_sum(finding: Finding | None) -> None:
    assert sum_line(finding) == ""


def test_what_mitigates_comes_before_what_fixes_and_prevention_waits() -> None:
    assert actions(founding()) == [
        "Stop the launch: it cannot finish on this host.",
        "Restart with --hicache-size 48: it is per rank, and 8 × 48 GB leave 91 GiB for the rest.",
    ]


def test_an_action_that_does_not_say_its_change_gets_it() -> None:
    remedy = replace(founding_finding().remedy[0], action="make it smaller")
    assert change(remedy) == "--hicache-size 300 → 48"
    assert actions(with_root(remedy=[remedy])) == ["Make it smaller: --hicache-size 300 → 48."]


def test_what_had_no_value_before_has_no_arrow_and_what_is_no_flag_no_dashes() -> None:
    remedy = founding_finding().remedy[0]
    assert change(replace(remedy, argument="moe_a2a_backend", from_=None, to="none")) == "--moe-a2a-backend none"
    assert change(replace(remedy, argument="failureThreshold", from_="18", to="47")) == "failureThreshold 18 → 47"


def test_a_question_ends_with_its_own_mark() -> None:
    assert actions(with_root(remedy=[replace(founding_finding().remedy[1], action="is it alive?")])) == ["Is it alive?"]


def test_a_switch_is_left_out_and_not_set_to_a_value() -> None:
    switch = {"argument": "enable_hierarchical_cache", "from_": "on", "to": "off"}
    said = replace(founding_finding().remedy[0], action="start without --enable-hierarchical-cache", **switch)
    assert change(said) == "without --enable-hierarchical-cache"
    assert actions(with_root(remedy=[said])) == ["Start without --enable-hierarchical-cache."]
    unsaid = replace(said, action="start anew")
    assert actions(with_root(remedy=[unsaid])) == ["Start anew: without --enable-hierarchical-cache."]


def test_at_most_three_actions_are_given() -> None:
    remedy = replace(founding_finding().remedy[1])
    assert len(actions(with_root(remedy=[remedy] * 5))) == 3


def test_contributing_findings_beyond_three_are_counted() -> None:
    more = [symptom(f"finding-{n}", "", "contributing") for n in range(5)]
    report = replace(founding(), findings=[founding_finding(), *more])
    assert beside(report) == "finding-0, finding-1, finding-2 and 2 more"


def test_what_is_lost_is_a_sentence() -> None:
    assert losing(founding()) == "Killing it first loses which process holds the memory (`ps aux`)."


def test_an_open_question_comes_with_its_command() -> None:
    (question,) = not_known(founding())
    assert question.text == "Whether the kernel killed a rank"
    assert question.command == "sudo dmesg -T | grep -i 'killed process'"
    assert question.where == "on the host"


def test_without_a_root_the_questions_of_the_whole_report_are_asked() -> None:
    assert [question.where for question in not_known(cannot_tell())] == ["on the host"]


def test_a_question_without_a_command_is_still_asked() -> None:
    (question,) = not_known(with_root(confirm=[], not_known=["what became of the ranks."]))
    assert question == ("What became of the ranks", "", "")


def test_at_most_two_questions_are_asked() -> None:
    checks = [Confirm(f"c{n}", "container", read_only=True, decides=f"d{n}") for n in range(4)]
    assert [question.command for question in not_known(with_root(confirm=checks))] == ["c0", "c1"]


def test_a_command_that_changes_something_is_marked() -> None:
    assert (
        where(Confirm("kill -9 1", "container", read_only=False, decides="")) == "in the container; changes something"
    )


def test_without_a_cause_what_would_tell_is_kept() -> None:
    """Stacks while the processes live; the logs once they have ended."""
    hung, failed = (
        replace(founding(), verdict=replace(founding().verdict, outcome=o)) for o in ("launch-hung", "crashed")
    )
    assert "before anything is killed" in without_a_cause(hung)
    assert "log" in without_a_cause(failed)
    assert "killed" not in without_a_cause(failed)


def test_an_outcome_in_words_of_its_own_replaces_the_usual_sentence() -> None:
    verdict = replace(founding().verdict, said="had not come up, while its pools were still filling")
    assert said_of(verdict).startswith("The server had not come up, while its pools were still filling, in host-pool")


def test_a_fate_that_is_not_known_keeps_the_words_that_say_why() -> None:
    verdict = replace(founding().verdict, outcome="unknown", said="cannot be told: it ended with an error")
    assert said_of(verdict) == "What became of the server cannot be told: it ended with an error."


def test_a_phase_that_the_outcome_s_words_name_is_not_named_again() -> None:
    verdict = replace(founding().verdict, outcome="degraded", phase="serving", said=None)
    assert said_of(verdict) == "The server was serving with harm shown."
