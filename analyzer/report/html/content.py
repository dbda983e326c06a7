"""What the page says, for its template: places as links, texts with code in them, the timeline as a table."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from analyzer.immutable import immutable
from analyzer.report.appendix import span_of
from analyzer.report.bars import NAMES
from analyzer.report.escape import visible
from analyzer.report.select import places, quoted_text
from analyzer.report.units import figure

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from analyzer.contract import Calculation, Figure, Report
    from analyzer.report.html.cut import Cut
    from analyzer.report.html.drawing import Row

MOST_LINES = 300
MOST_CITING = 3


@immutable
class Cell:
    """One occurrence of a phase in the timeline's table."""

    took: str
    begins: str
    state: str
    label: str | None


@immutable
class Cited:
    """A line in its file: anchor (none beside a cited line), number, text, what rests on it, how many are left out."""

    id: str
    number: str
    text: str
    by: list[str]
    last: int
    skipped: int = 0


def phases_of(drawn: Sequence[Row]) -> list[str]:
    """The columns of the timeline's table: the phases in their usual order, then any other."""
    met = dict.fromkeys(span.phase for row in drawn for span in row.group.first.phases)
    return [*(phase for phase in NAMES if phase in met), *(phase for phase in met if phase not in NAMES)]


def nodes_of(drawn: Sequence[Row]) -> list[str]:
    """The nodes of all rows, in their order."""
    return list(dict.fromkeys(node for row in drawn for node in row.nodes))


def cells(row: Row, phase: str) -> list[Cell]:
    """What one row went through in a phase: nothing, or each occurrence of it."""
    spans = [(index, span) for index, span in enumerate(row.group.first.phases) if span.phase == phase]
    found = [(span_of(row.group, index), span) for index, span in spans]
    return [Cell(took, begins, span.state, span.label) for (begins, took), span in found]


class Quotes:
    """The cited lines of a report: those that the page quotes in their files' order, and links to them."""

    def __init__(self, report: Report, cut: Cut) -> None:
        self._report = report
        self._cut = cut
        cited = cut.first(report.lines, MOST_LINES, "cited lines")
        self._quoted = dict.fromkeys(cited.kept)
        self.more = cited.more
        self._by: dict[str, list[str]] = {}
        for finding in report.findings:
            for line_id in finding.lines:
                self._by.setdefault(line_id, []).append(finding.id)

    def by_source(self) -> list[tuple[str, list[Cited]]]:
        """Every source with its quoted lines in order; the one that is cited first comes first."""
        lines = self._report.lines
        apart: dict[str, list[str]] = {}
        for line_id in self._quoted:
            apart.setdefault(lines[line_id].source, []).append(line_id)
        return [
            (source, self._in_order(sorted(cited, key=lambda i: (lines[i].line, lines[i].last_line))))
            for source, cited in apart.items()
        ]

    def _in_order(self, line_ids: list[str]) -> list[Cited]:
        shown = self._beside(line_ids) | {self._report.lines[i].line: self._quote(i) for i in line_ids}
        made, at = [], 0
        for number, cited in sorted(shown.items()):
            made.append(replace(cited, skipped=max(0, number - at - 1)))
            at = max(at, cited.last)
        return made

    def _quote(self, line_id: str) -> Cited:
        line = self._report.lines[line_id]
        number = f"{line.line}" if line.last_line <= line.line else f"{line.line}-{line.last_line}"
        return Cited(line_id, number, self.text(line_id), self._by.get(line_id, [])[:MOST_CITING], line.last_line)

    def _beside(self, line_ids: list[str]) -> dict[int, Cited]:
        """What stands right before and after the lines, by number; not what belongs to one of them."""
        lines = [self._report.lines[line_id] for line_id in line_ids]
        found = {n: text for line in lines for n, text in enumerate(line.before, line.line - len(line.before))}
        found |= {n: text for line in lines for n, text in enumerate(line.after, line.last_line + 1)}
        inside = {n for n in found if any(line.line <= n <= line.last_line for line in lines)}
        return {n: Cited("", f"{n}", text, [], n) for n, text in found.items() if n not in inside}

    def at(self, line_ids: Iterable[str]) -> Markup:
        """Where lines stand, as a link to the first of them that the page quotes; empty where there is none."""
        wanted = list(line_ids)
        shown = escape(visible(self._cut.text(places(self._report, wanted))))
        target = next((line_id for line_id in wanted if line_id in self._quoted), None)
        return Markup('<a class="at" href="#line-{}">{}</a>').format(target, shown) if target else shown

    def text(self, line_id: str) -> str:
        """The text of a cited line, with its line ends; the id itself where no line has it."""
        return quoted_text(self._report, line_id) if line_id in self._report.lines else line_id

    def lines(self, text: str) -> Markup:
        """A quoted text whose line ends stay, and nothing else of it that is unseen."""
        parts = [escape(visible(part)) for part in self._cut.text(text).split("\n")]
        return Markup("\n").join(parts)


def prose(text: str | None, cut: Cut) -> Markup:
    """A sentence of the report; what stands between backticks in it as code."""
    parts = [escape(visible(part)) for part in cut.text(text or "").split("`")]
    if len(parts) % 2 == 0:  # a backtick without its partner
        return Markup("`").join(parts)
    return Markup("").join(Markup("<code>{}</code>").format(part) if n % 2 else part for n, part in enumerate(parts))


def step_sources(step: Calculation, steps: Sequence[Calculation]) -> list[tuple[int, Calculation]]:
    """The earlier steps that a step is computed from, with their numbers."""
    return [(number, other) for number, other in enumerate(steps, 1) if other.id in step.of]


def serving(item: Figure) -> str:
    """Least, median and most of a figure over all lines that print it."""
    values = (("least", item.least), ("median", item.median), ("most", item.most))
    return ", ".join(f"{name} {figure(value, item.unit)}" for name, value in values) + f" in {item.rows:,} lines"
