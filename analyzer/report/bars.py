"""Phases as bars on one time axis, drawn by hand so that they are legible without colour and in ASCII."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import regex
from rich.text import Text

from analyzer.immutable import immutable
from analyzer.report.groups import USUAL_SPREAD, Group, Grouping, alike
from analyzer.report.page import LABEL, Look, clean, labelled, row

if TYPE_CHECKING:
    from analyzer.contract import Launch, PhaseSpan, Process, Span

TAIL = 9
_LEGIBLE = 12
_CLOCK = regex.compile(r"\d\d:\d\d:\d\d")
_STEPS = (1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 10800, 21600, 43200, 86400)

# Per phase: names from the longest to the single letter that is explained under the axis.
NAMES: dict[str, tuple[str, ...]] = {
    "arguments": ("arguments", "args", "A"),
    "model-download": ("model-download", "fetch", "M"),
    "distributed-init": ("distributed-init", "dist", "D"),
    "weight-load": ("weight-load", "load", "W"),
    "kv-pool": ("kv-pool", "kv", "K"),
    "graph-capture": ("graph-capture", "graph", "G"),
    "host-pool": ("host-pool", "host", "H"),
    "warm-up": ("warm-up", "warm", "U"),
    "serving": ("serving", "serve", "S"),
    "shutdown": ("shutdown", "stop", "X"),
}


@immutable
class Axis:
    """Seconds of a launch over the cells of a line."""

    end: float
    cells: int

    def cell(self, time: float) -> int:
        """The cell in which `time` falls."""
        return min(self.cells, max(0, round(time / self.end * self.cells)))


def axis_of(launch: Launch, look: Look) -> Axis:
    """An axis from the launch's first line to the last thing known of it."""
    times = [t for p in launch.processes for t in (p.last, *(x for s in p.phases for x in (s.start, s.end)))]
    times += [t for span in launch.spans for t in (span.start, span.end)]
    times += [series.time[-1] for series in launch.series if series.time]
    end = max((t for t in times if t is not None), default=0.0)
    return Axis(max(end, 1.0), look.width - LABEL - TAIL)


def bars(launch: Launch, look: Look, most: int) -> list[Text]:
    """At most `most` lines (at least 2): the axis, bars by group of processes, spans seen from outside, letters used.

    None where there is neither a phase nor a span to draw. A bar is solid up to the process's last line and dotted
    after it; an open phase ends in an arrow and says so.
    """
    axis = axis_of(launch, look)
    spans = [span for span in launch.spans if span.start is not None or span.end is not None]
    spans = spans[: max(0, min(3, most - 3))]
    grouping = alike(launch.processes, max(1, most - 2 - len(spans)))
    drawn = [_bar(group, axis, look) for group in grouping.groups]
    if not drawn and not spans:
        return []
    lines = [_ruler(launch, axis, look), *(line for line, _ in drawn), *(_span(s, axis, look) for s in spans)]
    letters = dict.fromkeys(letter for _, used in drawn for letter in used)
    return lines + _notes(list(letters), grouping, look, most - len(lines))


def _notes(letters: list[str], grouping: Grouping, look: Look, room: int) -> list[Text]:
    notes = [f"{letter} {_named(letter)}" for letter in letters]
    if grouping.spread > USUAL_SPREAD:
        notes.append(f"alike within {grouping.spread:.0f} s")
    if grouping.left_out:
        notes.append(f"{grouping.left_out} more processes not drawn")
    if not notes or room < 1:
        return []
    return row("", [(" · ".join(notes), "dim")], look, room)


def _named(letter: str) -> str:
    return next(names[0] for names in NAMES.values() if names[-1] == letter)


def _ruler(launch: Launch, axis: Axis, look: Look) -> Text:
    clock = _CLOCK.search(launch.began or "")
    cells = list((clock[0] if clock else "0 s").ljust(axis.cells))
    most = max(2, axis.cells / 10)
    step = next((s for s in _STEPS if axis.end / s <= most), math.ceil(axis.end / most / _STEPS[-1]) * _STEPS[-1])
    for tick in range(step, int(axis.end) + 1, step):
        label, at = "+" + elapsed(tick), axis.cell(tick)
        if at + len(label) <= axis.cells and "".join(cells[at - 2 : at + len(label)]).strip() == "":
            cells[at : at + len(label)] = label
    return labelled("TIMELINE", look) + Text("".join(cells))


def elapsed(seconds: float) -> str:
    """A time on the axis in short: `120 s`, `20 min`, `3 h`."""
    if seconds >= 7200 and seconds % 1800 == 0:  # noqa: PLR2004 - two hours
        return f"{seconds / 3600:g} h"
    return f"{seconds / 60:g} min" if seconds >= 600 and seconds % 60 == 0 else f"{seconds:g} s"  # noqa: PLR2004


def _bar(group: Group, axis: Axis, look: Look) -> tuple[Text, list[str]]:
    process = group.first
    line = labelled(group.label(LABEL - 1), look)
    letters: list[str] = []
    at = 0
    for span in process.phases:
        if span.start is None or at >= axis.cells:
            continue
        begin = min(max(at, axis.cell(span.start)), axis.cells - 1)
        finish = axis.cells if span.end is None else axis.cell(span.end)
        width = min(max(1, finish - begin), axis.cells - begin)
        name = _name(span.phase, width)
        letters += [name] if len(name) == 1 and span.phase in NAMES else []
        spoken = width if process.last is None else axis.cell(process.last) - begin
        line += Text(" " * (begin - at)) + _segment(span, clean(name, look), width, spoken, look)
        at = begin + width
    return line + Text(" " * (axis.cells - at)) + _tail(process, look), letters


def _name(phase: str, width: int) -> str:
    names = NAMES.get(phase, (phase, phase[:1].upper()))
    return next((name for name in names if len(name) < width), names[-1])


def _segment(span: PhaseSpan, name: str, width: int, spoken: int, look: Look) -> Text:
    head = (look.glyph("│", "|") + name)[-1 if width == 1 else 0 :][:width]
    rest = width - len(head)
    if span.state == "failed":
        return Text(head + look.glyph("─", "-") * rest, "bold red")
    if span.state != "open":
        return Text(head + ("?" if span.state == "unseen" else look.glyph("─", "-")) * rest)
    solid = min(rest, max(0, spoken - len(head)))
    return Text(head + look.glyph("─", "-") * solid) + Text(look.glyph("·", ".") * (rest - solid), "magenta")


def _tail(process: Process, look: Look) -> Text:
    state = next((s.state for s in reversed(process.phases) if s.start is not None), "")
    if state == "open":
        return Text(look.glyph("→ open", "> open"), "magenta")
    return Text(look.glyph("✗ failed", "X failed"), "bold red") if state == "failed" else Text()


def _span(span: Span, axis: Axis, look: Look) -> Text:
    begin = axis.cell(span.start) if span.start is not None else 0
    finish = axis.cell(span.end) if span.end is not None else axis.cells
    width = max(1, finish - begin)
    label = clean(span.label or "", look)
    left, right = look.glyph("├", "|"), look.glyph("┤", "|") if span.end is not None else look.glyph("→", ">")
    bar = look.glyph("●", "*") if width == 1 else left + _inside(label, width - 2, look) + right
    if label and label not in bar:
        room = axis.cells + TAIL - begin - width - 1
        bar = f"{bar} {label[:room]}" if room >= min(len(label), _LEGIBLE) else bar
        if label[:4] not in bar and begin > len(label):
            bar, begin = f"{label} {bar}", begin - len(label) - 1
    return labelled(span.name, look) + Text(" " * begin + bar)


def _inside(label: str, width: int, look: Look) -> str:
    rule = look.glyph("─", "-")
    if label and len(label) + 2 > width >= _LEGIBLE:
        label = label[: width - 3] + look.glyph("…", "~")
    return f" {label} ".center(width, rule) if label and len(label) + 2 <= width else rule * width
