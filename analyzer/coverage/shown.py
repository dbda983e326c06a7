"""The measurement as text: the sums of a release for a terminal, rows of many releases for a Markdown table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from analyzer.coverage.filling import filled
from analyzer.coverage.groups import CORE, Group

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from analyzer.coverage.measure import Measured, Measurement, Tally

_HEAD: Final = f"{'':<16}{'messages':>9}{'named':>14}{'exception only':>16}{'shown only':>12}{'unnoticed':>11}"
_BY_FOLDER: Final = (Group.ERROR, Group.DECISIVE)
_WIDE: Final = 160
_READ: Final = "raise read as an exception"
_TABLE: Final = ("| SGLang | " + " | ".join([*Group, _READ]) + " |", "|---|" + "---|" * (len(Group) + 1))


def text(measured: Measurement) -> str:
    """What is recognised of a release, by group, and by folder for errors and raises that name their cause."""
    lines = [f"SGLang {measured.version or '(release not told)'}: what of its own messages is recognised", "", _HEAD]
    lines += [_row(group, measured.tally(group)) for group in Group]
    raises, read = measured.tracebacks()
    lines += ["", f"Of {raises} raises that end in a traceback, {read} are read with type, message, place and rank."]
    for group in _BY_FOLDER:
        lines += ["", f"{group}, by folder"]
        lines += [_row(folder, measured.tally(group, folder)) for folder in CORE]
    contests = [f"  {' and '.join(one.patterns)}: {one.message.place}" for one in measured.contests()]
    lines += ["", "Claimed by two patterns:", *contests] if contests else []
    lines += ["", *(f"{group}: {group.sentence}." for group in Group)]
    return "\n".join(lines) + "\n"


def missing(measured: Measurement) -> str:
    """The messages that are not named, but for inner raises and warnings, each with its place."""
    wanted = [m for m in measured.measured if m.counts and m.group not in {Group.INNER, Group.WARNING} and not m.named]
    return "".join(f"{line}\n" for one in wanted for line in _unnamed(one))


def table(all_measured: Iterable[Measurement]) -> str:
    """A Markdown table with a row for each release: how many are named, of how many; how many raises are read."""
    return "\n".join([*_TABLE, *map(row, all_measured)]) + "\n"


def row(measured: Measurement) -> str:
    """A release's row of the table."""
    tallies = (measured.tally(group) for group in Group)
    raises, read = measured.tracebacks()
    cells = [*(f"{t.named} of {t.messages}" for t in tallies), f"{read} of {raises}"]
    return f"| {measured.version} | " + " | ".join(cells) + " |"


def _row(name: str, tally: Tally) -> str:
    share = f"{tally.named} {100 * tally.named // tally.messages if tally.messages else 100:>4}%"
    return f"{name:<16}{tally.messages:>9}{share:>14}{tally.raised:>16}{tally.shown:>12}{tally.unnoticed:>11}"


def _unnamed(one: Measured) -> Iterator[str]:
    for wording, heard in zip(one.message.wordings, one.heard, strict=True):
        if not heard.patterns:
            named = f"{one.message.type}: " if one.message.type else ""
            said = filled(wording).partition("\n")[0]
            yield f"{one.group}: {one.message.place}: {named}{said}"[:_WIDE]
