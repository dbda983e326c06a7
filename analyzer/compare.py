"""Two launches side by side: arguments, phases, capacity, figures over time, findings gone and new."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from analyzer.report.changes import ABSENT, DRAWN, at_once, changes, unasked
from analyzer.report.page import Look, heading, paragraph, printed
from analyzer.report.select import launch_of
from analyzer.report.summary import partial, said_of, word
from analyzer.report.units import figure
from analyzer.units.shown import duration

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.text import Text

    from analyzer.contract import Launch, Report


def compare(before: Report, after: Report, look: Look) -> str:
    """The launch that each verdict speaks of, A before and B after; what is equal in both is left out."""
    page = _verdict("A", before, look) + _verdict("B", after, look)
    one, other = launch_of(before), launch_of(after)
    if one and other:
        page += _arguments(one, other, look)
        page += _table("Phases, the longest of all processes", _phases(one), _phases(other), look)
        page += _table("Capacity", _capacity(one), _capacity(other), look)
        page += _table("Figures over time", _figures(one), _figures(other), look)
    page += _table("Findings", _findings(before), _findings(after), look)
    return printed(page, look)


def _verdict(name: str, report: Report, look: Look) -> list[Text]:
    said = report.verdict.summary or said_of(report.verdict)
    return paragraph([(f"{name}  {word(report.verdict)}  ", "bold"), partial(report), said], look, 0, 3)


def _table(title: str, before: Mapping[str, str], after: Mapping[str, str], look: Look) -> list[Text]:
    names = [name for name in dict.fromkeys([*before, *after]) if before.get(name) != after.get(name)]
    page = heading(title, look)
    for name in names:
        change = f"{before.get(name, ABSENT)} {look.glyph('→', '->')} {after.get(name, ABSENT)}"
        page += paragraph([(f"{name}: ", "bold"), change], look, 0, 2)
    same = len({*before, *after}) - len(names)
    note = "nothing known of either" if not names and not same else f"{same} the same in both" if same else ""
    return page + (paragraph([note], look) if note else [])


def _arguments(before: Launch, after: Launch, look: Look) -> list[Text]:
    found, arrow = changes(before, after), look.glyph("→", "->")
    page = heading("Arguments", look)
    for change in found:
        page += paragraph([(f"{change.name}: ", "bold"), f"{change.before} {arrow} {change.after}"], look, 0, 2)
    named = {a.name for launch in (before, after) for a in launch.arguments}
    alone = unasked(before, after)
    same = len(named - {change.name for change in found} - {*alone, *DRAWN})
    notes = [f"{same} the same in both"] if same else []
    notes += [f"{len(alone)} that nobody typed are printed by one of them alone: {', '.join(alone)}"] if alone else []
    notes += ["nothing known of either"] if not named else []
    notes += [at_once(found)] if at_once(found) else []
    return page + [line for note in notes for line in paragraph([note], look)]


def _phases(launch: Launch) -> dict[str, str]:
    longest: dict[str, tuple[float, str]] = {}
    for span in (span for process in launch.processes for span in process.phases):
        seconds = span.seconds if span.seconds is not None else -1.0
        shown = duration(Fraction(seconds)) if seconds >= 0 else ""
        said = shown if span.state == "done" else f"{shown} {span.state}".strip()
        longest[span.phase] = max(longest.get(span.phase, (-1.0, "")), (seconds, said))
    return {phase: said for phase, (_, said) in longest.items()}


def _capacity(launch: Launch) -> dict[str, str]:
    held = launch.capacity
    counts = {
        "KV tokens": held.kv_tokens,
        "running requests at most": held.max_running_requests,
        "context length": held.context_length,
        "KV tokens on the host": held.host_kv_tokens,
    }
    sizes = {"KV bytes per token": held.kv_bytes_per_token, "KV pool": held.kv_bytes}
    shown = {name: f"{count:,}" for name, count in counts.items() if count is not None}
    return shown | {name: figure(size, "B") for name, size in sizes.items() if size is not None}


def _figures(launch: Launch) -> dict[str, str]:
    return {
        f"{series.name} of {series.of}, {name}": figure(value, series.unit)
        for series in launch.series
        for name, value in series.quantiles.items()
    }


def _findings(report: Report) -> dict[str, str]:
    return {finding.id: f"{finding.role}, {finding.status}" for finding in report.findings}
