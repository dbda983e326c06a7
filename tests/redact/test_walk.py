"""Every text of a report is rewritten; references, words of ours and figures stay."""

from __future__ import annotations

from dataclasses import replace

from analyzer.contract import Argument
from analyzer.redact.walk import rewritten, texts_of
from tests.report.build_report import founding


def test_references_enumerations_and_figures_stay() -> None:
    before, after = founding(), rewritten(founding(), lambda text: f"<{text}>")
    finding, same = before.findings[0], after.findings[0]
    assert (same.id, same.kind, same.role, same.status, same.lines) == (
        finding.id, finding.kind, finding.role, finding.status, finding.lines,
    )  # fmt: skip
    assert list(after.lines) == list(before.lines)
    assert [step.of for step in same.calculation] == [step.of for step in finding.calculation]
    assert [process.id for process in after.launches[0].processes] == [p.id for p in before.launches[0].processes]
    assert after.hosts[0].memory == before.hosts[0].memory
    assert after.verdict.outcome == "launch-hung"


def test_everything_that_an_input_may_have_said_is_rewritten() -> None:
    after = rewritten(founding(), lambda text: f"<{text}>")
    launch = after.launches[0]
    assert after.tool.command.startswith("<postmortem")
    assert launch.server.name.startswith("<")
    assert all(source.startswith("<") for source in launch.sources)
    assert all(series.of.startswith("<") and series.name.startswith("<") for series in launch.series)
    assert all(line.text.startswith("<") and line.source.startswith("<") for line in after.lines.values())
    assert all(source.name.startswith("<") for source in after.coverage.sources)
    assert after.findings[0].summary.startswith("<")
    assert all(remedy.action.startswith("<") for remedy in after.findings[0].remedy)


def test_what_stands_beside_a_cited_line_is_rewritten_with_it() -> None:
    beside = replace(founding().lines["l88"], before=["host-a"], after=["host-b"])
    line = rewritten(replace(founding(), lines={"l88": beside}), lambda text: f"<{text}>").lines["l88"]
    assert (line.before, line.after) == (["<host-a>"], ["<host-b>"])


def test_an_argument_is_read_as_a_command_line_has_it() -> None:
    report = founding()
    launch = replace(report.launches[0], arguments=[Argument("api_key", "a=b", "both", None, None)])
    seen = replace(report, launches=[launch])
    assert "api_key=a=b" in texts_of(seen)
    changed = rewritten(seen, lambda text: text.replace("a=b", "secret-1")).launches[0].arguments[0]
    assert (changed.name, changed.value) == ("api_key", "secret-1")
