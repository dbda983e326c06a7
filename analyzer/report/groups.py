"""Processes that went through the same phases at about the same times, gathered under one label."""

from __future__ import annotations

import math
from itertools import zip_longest
from typing import TYPE_CHECKING

import regex

from analyzer.immutable import immutable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from analyzer.contract import PhaseSpan, Process

_NUMBERED = regex.compile(r"^(\D*)(\d+)$")
USUAL_SPREAD = 2.0


@immutable
class Group:
    """Processes that behave alike; the first stands for all."""

    members: tuple[Process, ...]

    @property
    def first(self) -> Process:
        """The one that is drawn."""
        return self.members[0]

    def label(self, width: int) -> str:
        """Their ids in short, `n0/TP0-7`; a count where that is wider than `width`."""
        label = ids(process.id for process in self.members)
        return label if len(label) <= width else f"{len(self.members)} processes"[:width]


@immutable
class Grouping:
    """Groups in the order of drawing, the seconds within which their members are alike, and how many were left out."""

    groups: tuple[Group, ...]
    spread: float
    left_out: int


def alike(processes: Sequence[Process], most: int) -> Grouping:
    """At most `most` groups of the processes that have phases.

    The spread begins at two seconds and doubles until the groups are few enough, so that the odd one out stays alone
    for longest. Processes with different phases or states never share a group: where these are too many, the failed
    ones and the large groups are kept and the others counted.
    """
    drawn = [process for process in processes if process.phases]
    spread, end = USUAL_SPREAD, _longest(drawn)
    groups = _within(drawn, spread)
    while len(groups) > most and spread < end:
        spread *= 2
        groups = _within(drawn, spread)
    kept = sorted(groups, key=_weight)[:most]
    left_out = len(drawn) - sum(len(group.members) for group in kept)
    return Grouping(tuple(sorted(kept, key=_order)), spread, left_out)


def _weight(group: Group) -> tuple[bool, int]:
    failed = any(span.state == "failed" for span in group.first.phases)
    return (not failed, -len(group.members))


def _within(processes: Sequence[Process], spread: float) -> list[Group]:
    found: list[list[Process]] = []
    for process in processes:
        home = next((members for members in found if _close(members[0], process, spread)), None)
        if home is None:
            found.append([process])
        else:
            home.append(process)
    return [Group(tuple(members)) for members in found]


def _order(group: Group) -> tuple[int, str]:
    # The launcher and its helpers have few phases: they come after the ranks.
    return (-len(group.first.phases), group.first.id)


def _longest(processes: Sequence[Process]) -> float:
    return max((time for p in processes for s in p.phases for time in (s.start, s.end) if time is not None), default=0)


def _close(one: Process, other: Process, spread: float) -> bool:
    if [(s.phase, s.state) for s in one.phases] != [(s.phase, s.state) for s in other.phases]:
        return False
    return all(_near(a, b, spread) for a, b in zip(one.phases, other.phases, strict=True))


def _near(one: PhaseSpan, other: PhaseSpan, spread: float) -> bool:
    pairs = ((one.start, other.start), (one.end, other.end))
    return all(a == b if a is None or b is None else abs(a - b) <= spread for a, b in pairs)


def ids(names: Iterable[str]) -> str:
    """Process ids in short, and no more than these: numbers at the same place become a range (`n0/TP0-7`)."""
    return ", ".join(_short([name.split("/") for name in names]))


def _short(paths: list[list[str]]) -> list[str]:
    columns = [list(dict.fromkeys(column)) for column in zip_longest(*paths)]
    sizes = [len(column) for column in columns if len(column) > 1]
    in_step = set(sizes) == {len(paths)}  # DP0/TP0, DP1/TP1: one number goes with the other
    if (in_step or math.prod(sizes) == len(paths)) and not any(None in column for column in columns):
        return ["/".join(map(_joined, columns))]
    if len(columns[0]) == 1:
        return ["/".join(path) for path in paths]
    apart = ([path for path in paths if path[0] == head] for head in columns[0])
    return [label for same in apart for label in _short(same)]


def _joined(column: list[str]) -> str:
    numbered = [_NUMBERED.match(name) for name in column]
    if len(column) == 1 or not all(numbered) or len({m[1] for m in numbered if m}) != 1:
        return ",".join(column)
    numbers = sorted(int(m[2]) for m in numbered if m)
    prefix = next(m[1] for m in numbered if m)
    return f"{prefix}{','.join(_runs(numbers))}"


def _runs(numbers: list[int]) -> list[str]:
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return [f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs]
