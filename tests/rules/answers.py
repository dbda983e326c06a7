"""What a rule answers on events that a test lays out by hand, or on log lines that go the whole way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import analyzer.rules  # noqa: F401 - registers the rules
from analyzer.events import ExceptionRaised, Failure
from analyzer.evidence import NO_RANK, Rank, Where
from analyzer.rule import RULES
from analyzer.verdict import Cleared, Found
from tests.build import incident, launch, ref, stamp, where

if TYPE_CHECKING:
    from pathlib import Path

    from analyzer.contract import Finding, Report
    from analyzer.events import Event
    from analyzer.verdict import Verdict


def answers(rule: str, *events: Event, as_of: str | None = None, **surroundings: Any) -> list[Verdict]:
    """All verdicts of a rule; `surroundings` are those of `tests.build.launch`."""
    return list(RULES[rule].run(incident(launch(*events, **surroundings), as_of=as_of)))


def found(rule: str, *events: Event, as_of: str | None = None, **surroundings: Any) -> Found:
    """The one finding of a rule that must find."""
    [verdict] = answers(rule, *events, as_of=as_of, **surroundings)
    assert isinstance(verdict, Found), verdict
    return verdict


def cleared(rule: str, *events: Event, as_of: str | None = None, **surroundings: Any) -> str:
    """Why a rule that must clear says that it is not this."""
    [verdict] = answers(rule, *events, as_of=as_of, **surroundings)
    assert isinstance(verdict, Cleared), verdict
    return verdict.why


def numbers(verdict: Found) -> dict[str, float]:
    """The figures of a finding by name, in base units."""
    return {amount.name: amount.number() for amount in verdict.numbers}


def failure(topic: str, text: str, line: int, time: str, rank: Rank = NO_RANK, **fields: Any) -> Failure:
    """An error line of the server about a topic; `pattern` is the id of the pattern that recognised it."""
    place = Where(ref(line), stamp(time), rank=rank, pattern=fields.pop("pattern", ""))
    return Failure(where=place, text=text, topic=topic, **fields)


def raised(type_: str, message: str, line: int, time: str, rank: Rank = NO_RANK, **fields: Any) -> ExceptionRaised:
    """A traceback of a process, joined to the record of its head."""
    fields.setdefault("process", "scheduler")
    return ExceptionRaised(
        where=where(line, time, rank), text=f"{type_}: {message}", type=type_, message=message, **fields
    )


def report_on(folder: Path, **files: str) -> Report:
    """The report on files written into a folder; `server_log` is `server.log`."""
    from analyzer.pipeline import analyse

    for name, text in files.items():
        stem, _, ending = name.rpartition("_")
        (folder / f"{stem}.{ending}").write_text(text, "utf-8")
    return analyse([str(folder)])


def root_of(report: Report) -> Finding:
    """The finding that the verdict names."""
    return next(finding for finding in report.findings if finding.id == report.verdict.finding)
