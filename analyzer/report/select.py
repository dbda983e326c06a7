"""Which part of the document answers a question: the launch in question, its root, what comes after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import regex

from analyzer.report.escape import uncoloured
from analyzer.vocabulary import INTERRUPTED, Role

if TYPE_CHECKING:
    from collections.abc import Iterable

    from analyzer.contract import Finding, Launch, Report, Source

MOST_CONTRIBUTING = 3
_DIGITS = regex.compile(r"\d+")


def launch_of(report: Report) -> Launch | None:
    """The launch that the verdict speaks of; the last one when it names none."""
    named = [launch for launch in report.launches if launch.id == report.verdict.launch] or report.launches
    return named[-1] if named else None


def root_of(report: Report) -> Finding | None:
    """The finding that the verdict names."""
    named = [f for f in report.findings if f.id == report.verdict.finding]
    return min(named, key=lambda f: (f.launch != report.verdict.launch, f.role != Role.ROOT), default=None)


def in_role(report: Report, role: Role) -> list[Finding]:
    """The findings of one role besides the one that the verdict names, those of its launch first."""
    root = root_of(report)
    found = [f for f in report.findings if f.role == role and f is not root]
    return sorted(found, key=lambda f: f.launch != report.verdict.launch)


def interrupted(source: Source) -> bool:
    """Whether somebody ended the reading of an input before its end."""
    return any(error.endswith(INTERRUPTED) for error in source.errors)


def place(report: Report, line_id: str) -> str | None:
    """`source:line` of a cited line; `None` for an id that is no line."""
    line = report.lines.get(line_id)
    if line is None:
        return None
    return f"{line.source}:{_span(line.line, line.last_line)}"


def places(report: Report, ids: Iterable[str], most: int = 4) -> str:
    """Cited lines in short, one source after the other: `server.log:88, 90-92 and 5 more; free.txt:3`."""
    by_source: dict[str, list[tuple[int, int]]] = {}
    for line in (report.lines[i] for i in ids if i in report.lines):
        by_source.setdefault(line.source, []).append((line.line, line.last_line))
    return "; ".join(f"{source}:{spans(found, most)}" for source, found in by_source.items())


def quoted_text(report: Report, line_id: str) -> str:
    """The text of a cited line without colours, with a mark where it was cut; a traceback keeps its line ends."""
    cited = report.lines[line_id]
    text = uncoloured(cited.text).rstrip()
    return f"{text} …" if cited.cut else text


def kinds_of_lines(report: Report, ids: Iterable[str]) -> list[list[str]]:
    """Cited lines gathered by what they say apart from their digits, in the order of their first."""
    alike: dict[str, list[str]] = {}
    for line_id in dict.fromkeys(ids):
        if line_id in report.lines:
            alike.setdefault(_DIGITS.sub("0", report.lines[line_id].text), []).append(line_id)
    return list(alike.values())


def spans(found: list[tuple[int, int]], most: int) -> str:
    """Numbers from a first to a last each, in short: `88, 90-92 and 5 more`."""
    joined: list[tuple[int, int]] = []
    for first, last in sorted(set(found)):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(last, joined[-1][1]))
        else:
            joined.append((first, last))
    shown = ", ".join(_span(*span) for span in joined[:most])
    more = len(joined) - most
    return f"{shown} and {more} more" if more > 0 else shown


def _span(first: int, last: int) -> str:
    return f"{first}" if last <= first else f"{first}-{last}"
