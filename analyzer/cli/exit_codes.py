"""What `analyze` tells a script: one number for one report."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from analyzer.report.select import interrupted, root_of
from analyzer.vocabulary import Kind, Outcome, Status

if TYPE_CHECKING:
    from collections.abc import Iterable

    from analyzer.contract import Report

FINE = 0
CAUSE_KNOWN = 3
CAUSE_OPEN = 4
CANNOT_TELL = 5
NOTHING_READ = 6
STOPPED = 130
_WORST_FIRST = (STOPPED, CAUSE_KNOWN, CAUSE_OPEN, CANNOT_TELL, NOTHING_READ, FINE)


class FailOn(StrEnum):
    """From which status on a finding makes the command fail."""

    HYPOTHESIS = "hypothesis"
    SUPPORTED = "supported"
    ESTABLISHED = "established"
    NEVER = "never"


def exit_code(report: Report, fail_on: FailOn | None = None, *, strict: bool = False) -> int:
    """0 fine, 3 wrong, its cause known, 4 its cause open, 5 cannot tell, 6 nothing could be read, 130 interrupted.

    `fail_on` turns 3 and 4 into 0 where the verdict is weaker; `never` turns 5 into 0 as well. `strict` gives 6 when
    any input could not be read to its end.
    """
    if written(report) == STOPPED:
        return STOPPED
    if nothing_read(report) or (strict and report.coverage.partial):
        return NOTHING_READ
    code = _verdict(report)
    if fail_on is None or code == FINE:
        return code
    if fail_on is FailOn.NEVER:
        return FINE
    return FINE if code != CANNOT_TELL and _strength(report) < Status(fail_on.value).strength else code


def written(*reports: Report) -> int:
    """The code of a command whose document is written whatever it says: 0, or 130 where a reading was interrupted."""
    return STOPPED if any(interrupted(s) for report in reports for s in report.coverage.sources) else FINE


def nothing_read(report: Report) -> bool:
    """Whether not a single input could be read."""
    return all(source.errors and not source.lines for source in report.coverage.sources)


def _verdict(report: Report) -> int:
    outcome, root = report.verdict.outcome, root_of(report)
    if outcome in {fine for fine in Outcome if fine.fine}:
        return FINE
    if outcome == Outcome.UNKNOWN and root is None:
        return CANNOT_TELL
    known = (
        root is not None and root.kind in {Kind.CAUSE, Kind.LIMIT} and _strength(report) >= Status.SUPPORTED.strength
    )
    return CAUSE_KNOWN if known else CAUSE_OPEN


def _strength(report: Report) -> int:
    # An outcome without a finding is as good as a hypothesis: something is wrong, and nobody knows why.
    status = report.verdict.status
    return max(Status(status).strength if status in list(Status) else 0, Status.HYPOTHESIS.strength)


def worst(codes: Iterable[int]) -> int:
    """The code for several reports together."""
    return min(codes, key=_WORST_FIRST.index, default=FINE)
