"""Findings one by one: claims, calculation, lines, what speaks against it, remedies, commands that confirm."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.report.page import Look, heading, paragraph, quote, sided
from analyzer.report.select import MOST_CONTRIBUTING, in_role, kinds_of_lines, place, places, quoted_text, root_of
from analyzer.report.summary import change, meaning, ordered, where
from analyzer.vocabulary import Role

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.text import Text

    from analyzer.contract import Calculation, Finding, Remedy, Report

MOST_LINES = 12
_TITLES = {"cause": "CAUSE", "limit": "LIMIT", "manifestation": "WHAT SHOWS"}
_OTHERS = {
    Role.CONTRIBUTING: "Contributed as well",
    Role.SYMPTOM: "Symptoms",
    Role.COLLATERAL: "Consequences",
    Role.BYSTANDER: "Seen, but no part of this",
}
_FROM_OUTSIDE = {"given": "given", "release": "known of the release", "assumed": "assumed"}
_REMEDIES = {"mitigate": "Until it is fixed", "fix": "Fix", "prevent": "So that it does not come again"}


def findings(report: Report, look: Look) -> list[Text]:
    """The root and at most three contributing findings in full, every other in one sentence."""
    root = root_of(report)
    contributing = in_role(report, Role.CONTRIBUTING)
    page = in_full(report, root, _TITLES.get(root.kind, "SEEN"), look) if root else []
    for finding in contributing[:MOST_CONTRIBUTING]:
        page += in_full(report, finding, "CONTRIBUTING", look)
    page += _brief(report, Role.CONTRIBUTING, contributing[MOST_CONTRIBUTING:], look)
    for role in (Role.SYMPTOM, Role.COLLATERAL, Role.BYSTANDER):
        page += _brief(report, role, in_role(report, role), look)
    others = in_role(report, Role.ROOT)
    for finding in others:
        page += in_full(report, finding, f"CAUSE OF {finding.launch or 'ANOTHER LAUNCH'}", look)
    return page


def in_full(report: Report, finding: Finding, title: str, look: Look) -> list[Text]:
    """Everything that the document holds of one finding."""
    page = heading(f"{title}: {finding.id} ({finding.kind}, {finding.status})", look)
    page += paragraph([finding.summary], look)
    page += paragraph([finding.explanation], look) if finding.explanation else []
    page += paragraph([("How sure: ", "bold"), meaning(finding.status)], look)
    page += _identity(report, finding, look)
    page += _claims(report, finding, look)
    page += _calculation(report, finding.calculation, "Calculation", look)
    page += _lines(report, finding.lines, "Lines", look)
    page += _lines(report, finding.contradicting, "Lines that speak against it", look)
    page += _collateral(report, finding, look)
    for kind, name in _REMEDIES.items():
        page += _remedies(report, [r for r in ordered(finding) if r.kind == kind], name, look)
    page += _titled("Not known", ((question, "") for question in finding.not_known), look)
    return page + _titled(
        "To confirm", ((f"{c.decides}: {c.command}  ({where(c)})", "") for c in finding.confirm), look
    )


def _identity(report: Report, finding: Finding, look: Look) -> list[Text]:
    """For whom it is, and by which name the same kind of incident is found again; known of the root."""
    verdict = report.verdict
    if finding is not root_of(report) or verdict.owner is None:
        return []
    named = f"; fingerprint {verdict.fingerprint}" if verdict.fingerprint else ""
    return paragraph([("Owner: ", "bold"), f"{verdict.owner}{named}"], look)


def _titled(title: str, items: Iterable[tuple[str, str]], look: Look, indent: int = 0) -> list[Text]:
    lines = [line for text, side in items for line in sided([text], side, look, indent + 2, 2)]
    return [*paragraph([(title, "bold")], look, indent), *lines] if lines else []


def _claims(report: Report, finding: Finding, look: Look) -> list[Text]:
    claims = ((f"{c.part} ({c.status}): {c.text}", places(report, c.lines)) for c in finding.claims)
    return _titled("What it rests on", claims, look)


def _calculation(report: Report, steps: Sequence[Calculation], title: str, look: Look, indent: int = 0) -> list[Text]:
    numbers = {step.id: number for number, step in enumerate(steps, 1)}
    rows = ((f"{n}. {step.name}: {step.expression}{_note(step)}", _source(report, step, numbers))
            for n, step in enumerate(steps, 1))  # fmt: skip
    return _titled(title, rows, look, indent)


def _note(step: Calculation) -> str:
    return f" ({step.note})" if step.note else ""


def _source(report: Report, step: Calculation, numbers: dict[str, int]) -> str:
    used = ", ".join(str(numbers[i]) for i in step.of if i in numbers)
    read = places(report, step.of)
    if step.op in _FROM_OUTSIDE:
        return read or _FROM_OUTSIDE[step.op]
    return "; ".join(part for part in (read, f"from {used}" if used else "") if part)


def _lines(report: Report, ids: Sequence[str], title: str, look: Look) -> list[Text]:
    alike = kinds_of_lines(report, ids)
    page = [line for same in alike[:MOST_LINES] for line in _line(report, same, look)]
    more = len(alike) - MOST_LINES
    page += paragraph([f"and {more} more kinds of lines"], look, 2) if more > 0 else []
    return [*paragraph([(title, "bold")], look), *page] if page else []


def _line(report: Report, same: Sequence[str], look: Look) -> list[Text]:
    page = quote([(f"{place(report, same[0])}  ", "bold")], quoted_text(report, same[0]), look, 2)
    others = f"{len(same) - 1} more like it: {places(report, same[1:])}"
    return page + (paragraph([(others, "dim")], look, 4, 2) if len(same) > 1 else [])


def _collateral(report: Report, finding: Finding, look: Look) -> list[Text]:
    rows = ((f"{c.count} × {c.text}{_on(c.processes)}", places(report, [c.first] if c.first else []))
            for c in finding.collateral)  # fmt: skip
    return _titled("What followed from it", rows, look)


def _on(processes: list[str]) -> str:
    shown = ", ".join(processes[:4])
    more = len(processes) - 4
    return f" (on {shown}{f' and {more} more' if more > 0 else ''})" if processes else ""


def _remedies(report: Report, remedies: Sequence[Remedy], title: str, look: Look) -> list[Text]:
    page = [line for remedy in remedies for line in _remedy(report, remedy, look)]
    return [*paragraph([(title, "bold")], look), *page] if page else []


def _remedy(report: Report, remedy: Remedy, look: Look) -> list[Text]:
    page = paragraph([f"{remedy.action.rstrip('.')}."], look, 2, 2)
    notes = [("Change", change(remedy)), ("Risk", remedy.risk or ""), ("Assumes", "; ".join(remedy.assumptions))]
    page += [line for name, text in notes if text for line in paragraph([(f"{name}: ", "bold"), text], look, 4, 2)]
    page += _calculation(report, remedy.calculation, "How that number comes about:", look, 4)
    if remedy.command_line:
        page += [*paragraph([("Command line:", "bold")], look, 4), *paragraph([remedy.command_line], look, 4, 2)]
    return page


def _brief(report: Report, role: Role, found: Sequence[Finding], look: Look) -> list[Text]:
    if not found:
        return []
    page = heading(_OTHERS[role], look)
    for finding in found:
        page += sided([(finding.id, "bold"), f" ({finding.status}): {finding.summary}"], places(report, finding.lines),
                      look, 0, 2)  # fmt: skip
    return page
