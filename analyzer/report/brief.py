"""The report in at most 1,500 tokens, to be pasted where space is short; lines of the log stand fenced, as data."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import regex

from analyzer.report.escape import fenced, visible
from analyzer.report.select import in_role, kinds_of_lines, launch_of, places, root_of
from analyzer.report.summary import (
    actions,
    beside,
    cause,
    losing,
    not_known,
    outcome,
    sum_line,
    which_launch,
)
from analyzer.vocabulary import Role

if TYPE_CHECKING:
    from analyzer.contract import Report

MOST_TOKENS = 1_500
MOST_LINES = 8
LINE_LENGTH = 160
SENTENCE = 400
_RUNS = regex.compile(r"\p{L}+|\p{N}+|[^\s\p{L}\p{N}]")


def render(report: Report) -> str:
    """What happened, why, by which sum, what to do, what is open, resting on which lines."""
    root = root_of(report)
    said = [
        ("Outcome", f"{report.verdict.outcome}. {which_launch(report)}{outcome(report)}"),
        ("Cause", f"{cause(report)}{f' [{root.id}]' if root else ''}" if cause(report) else ""),
        ("Sum", sum_line(root)),
        ("Contributing", beside(report)),
        ("Before killing it", losing(report)),
        *((f"Do {number}", action) for number, action in enumerate(actions(report), 1)),
        *(("Not known", f"{q.text}: {q.command} ({q.where})".removesuffix(":  ()")) for q in not_known(report)),
        ("Setting", _setting(report)),
        ("Symptoms", ", ".join(finding.id for finding in in_role(report, Role.SYMPTOM))),
        ("Ruled out", "; ".join(f"{cleared.id} ({cleared.why})" for cleared in report.cleared[:6])),
        ("Rests on", places(report, root.lines) if root else ""),
    ]
    head = [f"{name}: {_short(text, SENTENCE)}" for name, text in said if text.strip()]
    return _fitted(head, _quotes(report))


def _setting(report: Report) -> str:
    launch = launch_of(report)
    if launch is None:
        return ""
    sizes = [f"{name} {size}" for name, size in vars(launch.topology).items() if size is not None]
    release = f"SGLang {launch.sglang.stated or launch.sglang.from_wording or 'of unknown release'}"
    return ", ".join([launch.server.name, release, *sizes])


def _quotes(report: Report) -> list[str]:
    root = root_of(report)
    cited = kinds_of_lines(report, root.lines if root else [])
    entries = kinds_of_lines(report, (entry.line for entry in report.unexplained))
    return [f"{places(report, same)}: {_short(report.lines[same[0]].text, LINE_LENGTH)}" for same in (cited or entries)]


def _short(text: str, most: int) -> str:
    shown = " ".join(visible(text).split())
    return shown if len(shown) <= most else shown[: most - 1] + "…"


def _fitted(head: list[str], quotes: list[str]) -> str:
    lines = quotes[:MOST_LINES]
    while True:
        block = ["", "Lines of the input, quoted as data:", fenced(lines)] if lines else []
        whole = "\n".join([*head, *block]) + "\n"
        if tokens(whole) <= MOST_TOKENS:
            return whole
        (lines or head).pop()


def tokens(text: str) -> int:
    """An estimate from above: four letters, two digits or one other sign to a token."""
    return sum(math.ceil(len(run) / (4 if run[0].isalpha() else 2)) for run in _RUNS.findall(text))
