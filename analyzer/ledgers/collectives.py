"""Collectives that timed out: who waited in which, and which ranks did not come."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer.immutable import immutable
from analyzer.ledgers import topology
from analyzer.ledgers.endings import came_first, ends_it, first_error
from analyzer.ledgers.health import fired

if TYPE_CHECKING:
    from analyzer.incident import Incident
    from analyzer.launches import Timed
    from analyzer.units import Amount, One, Second

_TOPIC = "collective-timeout"
# What only says in which step something failed: the time-out that it carries is what failed.
_STEPS = frozenset({"graph-capture-failed", "warmup-failed", "scheduler-crashed", "distributed-init-stalled"})
_FEW = 4  # where one rank in so many is silent, the silent ones stand out


@immutable
class Wait:
    """One collective that timed out.

    `waiting` are the ranks that say so, `behind` those that say that they never queued it, `absent` those that say
    nothing although the log of their node is here, `unheard` those on nodes whose log is not.
    """

    lines: tuple[Timed[ev.Failure], ...]
    waiting: tuple[int, ...]
    behind: tuple[int, ...]
    absent: tuple[int, ...]
    unheard: tuple[int, ...]

    @property
    def sequence(self) -> Amount[One] | None:
        """Its number in the group."""
        return next((t.event.sequence for t in self.lines if t.event.sequence is not None), None)

    @property
    def elapsed(self) -> Amount[Second] | None:
        """How long was waited for it."""
        return next((t.event.elapsed for t in self.lines if t.event.elapsed is not None), None)

    @property
    def operation(self) -> str:
        """Its kind, as NCCL names it."""
        named = (t.event.detail for t in self.lines if t.event.elapsed is not None and t.event.sequence is not None)
        return next(named, "")

    @property
    def guilty(self) -> tuple[int, ...]:
        """The ranks that did not come, where the logs of all ranks that matter are here."""
        if self.behind:
            return self.behind
        whole = len(self.waiting) + len(self.absent)
        if self.unheard or not self.absent or not self.waiting:
            return ()
        return self.absent if len(self.absent) * _FEW <= whole or len(self.absent) == 1 else ()


def timed_out(incident: Incident) -> Wait | None:
    """The collective that a watchdog gave up; `None` where none did, or where the watchdog carries another error."""
    other = {_place(t) for t in incident.of(ev.Failure) if t.event.topic not in _STEPS | {_TOPIC}}
    lines = [
        t for t in incident.failures(_TOPIC) if not t.event.victim and _place(t) not in other and ends_it(incident, t)
    ]
    if not lines:
        return None
    numbered = [t for t in lines if t.event.sequence is not None] or lines
    first = min((t.event.sequence.value for t in numbered if t.event.sequence is not None), default=None)
    behind = {
        r for t in numbered if first is not None and _never_queued(t, first) and (r := _rank(incident, t)) is not None
    }
    waiting = {r for t in numbered if (r := _rank(incident, t)) is not None} - behind
    absent, unheard = _silent(incident, waiting | behind)
    return Wait(tuple(lines), tuple(sorted(waiting)), tuple(sorted(behind)), absent, unheard)


def earlier(incident: Incident, wait: Wait) -> bool:
    """Whether a process had ended with an error of its own before anybody gave the collective up."""
    error = first_error(incident)
    return error is not None and came_first(error.item, wait.lines[0])


def gave_up_first(incident: Incident, wait: Wait) -> bool:
    """Whether the collective was given up before the scheduler's own watchdog fired: then that one waited for it."""
    barked = fired(incident)
    return bool(barked) and came_first(wait.lines[0], barked[0])


def out_of_step(wait: Wait) -> dict[str, tuple[Timed[ev.Failure], ...]]:
    """Lines by kind of collective, where ranks wait in different ones under the same number; else empty."""
    found: dict[str, list[Timed[ev.Failure]]] = {}
    number = wait.sequence.value if wait.sequence is not None else None
    for item in wait.lines:
        sequence = item.event.sequence
        if sequence is not None and sequence.value == number and item.event.elapsed is not None:
            found.setdefault(item.event.detail, []).append(item)
    return {name: tuple(items) for name, items in found.items()} if len(found) > 1 else {}


def _never_queued(item: Timed[ev.Failure], first: object) -> bool:
    queued, sequence = item.event.enqueued, item.event.sequence
    return queued is not None and sequence is not None and sequence.value == first and queued.value < sequence.value


def _rank(incident: Incident, item: Timed[ev.Failure]) -> int | None:
    """A rank of the world; a group's own numbers are the world's where there is one tensor-parallel group only."""
    if (incident.arguments.count("pp_size", 1) or 1) > 1 or topology.replicas(incident) > 1:
        return topology.world_rank(incident, item.rank) if item.rank.tp is not None else None
    return topology.rank_said(incident, item)


def _silent(incident: Incident, loud: set[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    size = topology.world(incident)
    if size is None or not loud:
        return (), ()
    away = set(topology.missing_nodes(incident))
    unheard = tuple(r for r in range(size) if topology.node_of(incident, r) in away)
    return tuple(r for r in range(size) if r not in loud and r not in unheard), unheard


def _place(item: Timed[ev.Failure]) -> tuple[str, int, int]:
    return item.ref.source, item.ref.line, item.ref.last_line
