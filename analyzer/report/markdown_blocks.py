"""What a Markdown document is made of: tables, folded quotes, calculations, remedies; each cut to its room, said so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from analyzer.immutable import immutable
from analyzer.report.escape import code, fenced, markdown
from analyzer.report.select import kinds_of_lines, place, places, quoted_text
from analyzer.report.summary import change, meaning, ordered, sentence, where

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from analyzer.contract import Calculation, Finding, Remedy, Report

_FROM_OUTSIDE: Final = {"given": "given", "release": "known of the release", "assumed": "assumed"}


@immutable
class Room:
    """How much a document may show: rows of a table, quoted lines of a finding, characters of a text or a command."""

    rows: int = 60
    quotes: int = 40
    text: int = 4_000
    command: int = 6_000


def said(text: str, room: Room) -> str:
    """A text of the report as Markdown prose or table cell, cut where it is too long."""
    return markdown(text if len(text) <= room.text else f"{text[: room.text]}… (cut)")


def table(head: list[str], rows: Sequence[list[str]], room: Room) -> str:
    """A table; below it how many rows were cut. Empty without rows."""
    if not rows:
        return ""
    lines = [head, ["---"] * len(head), *rows[: room.rows]]
    text = "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
    return text + more(len(rows) - room.rows, "rows")


def more(count: int, what: str) -> str:
    """A remark on what was cut; empty where nothing was."""
    return f"\n\n*{count:,} more {what} are left out.*" if count > 0 else ""


def folded(title: str, body: str) -> str:
    """A part that a reader opens; `title` is a word of ours. Empty without a body."""
    return f"<details><summary>{title}</summary>\n\n{body}\n\n</details>" if body else ""


def command(line: str, room: Room) -> str:
    """A command line as a block to copy."""
    return fenced([line if len(line) <= room.command else f"{line[: room.command]} … (cut)"], "sh")


def at(report: Report, line_ids: Iterable[str]) -> str:
    """Where lines stand, in short."""
    found = places(report, line_ids)
    return code(found, in_table=True) if found else ""


def quotes(report: Report, title: str, line_ids: Iterable[str], room: Room) -> str:
    """Cited lines, those that say the same apart from their digits shown once and counted."""
    alike = kinds_of_lines(report, line_ids)
    count = sum(map(len, alike))
    if not alike:
        return ""
    shown = [line for same in alike[: room.quotes] for line in _quoted(report, same)]
    left = sum(map(len, alike[room.quotes :]))
    return folded(f"{title} ({count})", fenced(shown) + more(left, "lines"))


def _quoted(report: Report, same: Sequence[str]) -> list[str]:
    text = f"{place(report, same[0])}: {quoted_text(report, same[0])}".split("\n")
    others = [f"    {len(same) - 1} more like it: {places(report, same[1:])}"] if len(same) > 1 else []
    return text + others


def finding(report: Report, item: Finding, room: Room, *, summary: bool = True) -> list[str]:
    """Everything that the document holds of one finding."""
    claims = [[c.part, c.status, said(c.text, room), at(report, c.lines)] for c in item.claims]
    followed = [[str(c.count), said(c.text, room), at(report, [c.first] if c.first else [])] for c in item.collateral]
    return [
        f"## {item.id} ({item.role}, {item.status})",
        said(sentence(item.summary), room) if summary else "",
        said(item.explanation, room) if item.explanation else "",
        f"*{sentence(meaning(item.status))}*",
        table(["part", "status", "what", "line"], claims, room),
        calculation(report, "Calculation", item.calculation, room),
        *(part for one in ordered(item) for part in remedy(report, one, room)),
        confirming(item, room),
        titled("What followed from it", table(["times", "what", "first line"], followed, room)),
        quotes(report, "Lines it rests on", item.lines, room),
        quotes(report, "Lines that speak against it", item.contradicting, room),
    ]


def titled(title: str, body: str) -> str:
    """A part under a title in bold; empty without a body."""
    return f"**{title}**\n\n{body}" if body else ""


def remedy(report: Report, item: Remedy, room: Room) -> list[str]:
    """Something to do: what it is, what to type, what it risks, how its number comes about."""
    changed = change(item)
    notes = [("Change", changed if item.command_line is None else ""), ("Risk", item.risk or ""),
             ("Assumes", "; ".join(item.assumptions))]  # fmt: skip
    return [
        f"**{item.kind.capitalize()}.** {said(sentence(item.action), room)}",
        command(item.command_line, room) if item.command_line else "",
        "\n".join(f"- {name}: {said(text, room)}" for name, text in notes if text),
        folded("How that number comes about", calculation(report, "", item.calculation, room)),
    ]


def confirming(item: Finding, room: Room) -> str:
    """What is open, and the commands that would decide."""
    checks = [f"- {said(c.decides, room)} ({where(c)}): {code(c.command)}" for c in item.confirm]
    return titled("To confirm", "\n".join([*(f"- Open: {said(q, room)}" for q in item.not_known), *checks]))


def calculation(report: Report, title: str, steps: Sequence[Calculation], room: Room) -> str:
    """The arithmetic step by step, every number with the lines, steps or reason that it comes from."""
    numbers = {step.id: number for number, step in enumerate(steps, 1)}
    rows = [
        [str(number), said(step.name, room), _how(step, room), _source(report, step, numbers)]
        for number, step in enumerate(steps, 1)
    ]
    body = table(["", "what", "how", "from"], rows, room)
    return titled(title, body) if title else body


def _how(step: Calculation, room: Room) -> str:
    note = f" ({step.note})" if step.note and step.note not in step.expression else ""
    return said(f"{step.expression}{note}", room)


def _source(report: Report, step: Calculation, numbers: dict[str, int]) -> str:
    used = ", ".join(f"({numbers[i]})" for i in step.of if i in numbers)
    parts = [at(report, step.of), used]
    return ", ".join(part for part in parts if part) or _FROM_OUTSIDE.get(step.op, "")
