"""The report for a terminal: what a person on call needs in the first screen, everything else below it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from analyzer.report import appendix, details
from analyzer.report.bars import bars
from analyzer.report.changes import between
from analyzer.report.page import Look, Part, heading, paragraph, printed, row
from analyzer.report.select import launch_of, root_of
from analyzer.report.summary import (
    actions,
    beside,
    cause,
    is_fine,
    lead,
    losing,
    not_known,
    partial,
    sum_line,
    without_a_cause,
    word,
)
from analyzer.vocabulary import Kind

if TYPE_CHECKING:
    from analyzer.contract import Launch, Report

SCREEN = 24
TIMELINE = 8
LEAST_TIMELINE = 4


def render(report: Report, look: Look) -> str:
    """The whole report as text; its first 24 lines at 100 columns are the first screen."""
    launch = launch_of(report)
    page = first_screen(report, launch, look)
    page += details.findings(report, look)
    page += appendix.ruled_out(report, look)
    page += appendix.could_not_tell(report, look)
    page += appendix.unexplained(report, look)
    if launch:
        page += appendix.launch_facts(report, launch, look)
        page += appendix.processes(launch, look)
    page += _other_launches(report, launch, look)
    return printed(page + appendix.coverage(report, look) + appendix.to_run(report, look), look)


def first_screen(report: Report, launch: Launch | None, look: Look) -> list[Text]:
    """Outcome, cause, sum, what to do, what is not known, timeline: in this order, 24 lines at 100 columns.

    Sentences are cut only where they would push the timeline out; empty lines part the blocks where there is room.
    """
    drawable = launch if launch and launch.processes else None
    wanted = len(bars(drawable, look, TIMELINE)) if drawable else 0
    for spare in (2, 1, 0):
        blocks = [block for block in _blocks(report, look, spare) if block]
        used = sum(map(len, blocks))
        if used + wanted <= SCREEN:
            break
    if drawable and wanted:
        blocks.append(bars(drawable, look, min(TIMELINE, max(LEAST_TIMELINE, SCREEN - used))))
    gaps = SCREEN - sum(map(len, blocks))
    page = list(blocks[0])
    for number, block in enumerate(blocks[1:]):
        page += [Text(), *block] if number < gaps else block
    return page


def _blocks(report: Report, look: Look, spare: int) -> list[list[Text]]:
    verdict, root = report.verdict, root_of(report)
    style = "bold green" if is_fine(report) else "bold red"
    first = row(word(verdict), [lead(report)], look, _most(3 + bool(partial(report)), look), style)
    total = row("SUM", [sum_line(root)], look, _most(2, look)) if sum_line(root) else []
    return [first, _cause(report, look, spare), total, _do_now(report, look, spare), _open_questions(report, look)]


def _cause(report: Report, look: Look, spare: int) -> list[Text]:
    because, with_it, root = cause(report), beside(report), root_of(report)
    label = "LIMIT" if root and root.kind == Kind.LIMIT else "SUMMARY" if is_fine(report) else "CAUSE"
    lines = row(label, [because], look, _most(2 + spare if with_it else 3, look)) if because else []
    return lines + (row("", [f"Contributing: {with_it}"], look, 1) if with_it else [])


def _most(lines: int, look: Look) -> int:
    # What is promised of the first screen is promised at 100 columns; narrower, a whole sentence is worth more.
    return lines if look.width >= 100 else lines * 100 // look.width + 1  # noqa: PLR2004 - the promised width


def _do_now(report: Report, look: Look, spare: int) -> list[Text]:
    if is_fine(report):
        return []
    lost, steps = losing(report), actions(report)
    said: list[list[Part]] = [[(lost, "bold")]] if lost else []
    said += [[f"{number}. {action}"] for number, action in enumerate(steps, 1)]
    if not steps:
        said.append([without_a_cause(report)])
    lines: list[Text] = []
    for parts in said:
        lines += row("" if lines else "DO NOW", parts, look, _most(2 + spare, look))
    return lines


def _open_questions(report: Report, look: Look) -> list[Text]:
    lines: list[Text] = []
    for question in not_known(report):
        said: list[Part] = [question.text, ": " if question.command else "", (question.command, "bold")]
        said += [f"  ({question.where})"] if question.where else []
        lines += row("" if lines else "NOT KNOWN", said, look, _most(2, look))
    return lines


def _other_launches(report: Report, launch: Launch | None, look: Look) -> list[Text]:
    others = [other for other in report.launches if other is not launch]
    page = heading("Other launches in this input", look) if others else []
    for other in others:
        named = f" [{other.verdict.finding}, {other.verdict.status}]" if other.verdict.finding else ""
        began = f" (from {other.began})" if other.began else ""
        said = f"{began}: {other.verdict.summary}{named}"
        page += paragraph([(f"{other.id} {word(other.verdict)}", "bold"), said], look, 0, 2)
        changed = between(report, other, launch) if launch is not None else ""
        page += paragraph([f"Changed {changed}"], look, 2, 2) if changed else []
    return page
