"""Flight recorders of several ranks, joined: who never queued the collective that others wait for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer.immutable import immutable
from analyzer.parsers.flight_recorder import PREFIX

if TYPE_CHECKING:
    from analyzer.incident import Incident
    from analyzer.launches import Timed

_FIELDS = 4


@immutable
class Flight:
    """How far a rank came in one group: the numbers of the collective last queued and last completed, what waits."""

    rank: int
    group: str
    queued: int
    done: int
    operation: str
    item: Timed[ev.Fact]

    @property
    def waits(self) -> bool:
        """Whether something that it queued has not completed."""
        return self.done < self.queued


@immutable
class Gap:
    """One group in which `late` never queued the number that `waiting` wait for."""

    number: int
    late: tuple[Flight, ...]
    waiting: tuple[Flight, ...]


def flights(incident: Incident) -> list[Flight]:
    """Every group of every rank whose recorder is here; of two dumps of a rank the last."""
    found: dict[tuple[int, str], Flight] = {}
    for item in incident.of(ev.Fact):
        rank = item.event.name.removeprefix(PREFIX)
        if not item.event.name.startswith(PREFIX) or not rank.isdecimal():
            continue
        for line in item.event.value.split("\n"):
            told = line.split(" ")
            if len(told) == _FIELDS:
                one = Flight(int(rank), told[0], int(told[1]), int(told[2]), told[3], item)
                found[one.rank, one.group] = one
    return list(found.values())


def gap(incident: Incident) -> Gap | None:
    """The group in which few ranks are behind and all others wait; `None` where no recorder shows one."""
    for members in _groups(incident).values():
        number = min((f.done + 1 for f in members if f.waits), default=None)
        if number is None:
            continue
        late = tuple(f for f in members if f.queued < number)
        waiting = tuple(f for f in members if f.waits and f.done + 1 == number)
        if late and len(late) <= len(waiting) and len(late) + len(waiting) == len(members):
            return Gap(number, late, waiting)
    return None


def split(incident: Incident) -> dict[str, tuple[Flight, ...]]:
    """Operations that ranks of one group wait in under one number, where they differ; else empty."""
    for members in _groups(incident).values():
        waiting = [f for f in members if f.waits and f.operation != "-"]
        found: dict[str, tuple[Flight, ...]] = {}
        for one in waiting:
            found[one.operation] = (*found.get(one.operation, ()), one)
        if len(found) > 1 and len({f.done for f in waiting}) == 1:
            return found
    return {}


def _groups(incident: Incident) -> dict[str, list[Flight]]:
    groups: dict[str, list[Flight]] = {}
    for one in flights(incident):
        groups.setdefault(one.group, []).append(one)
    return {name: sorted(members, key=lambda f: f.rank) for name, members in groups.items() if len(members) > 1}
