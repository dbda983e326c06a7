"""Kills for want of memory: each of them once, however many records tell of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.immutable import immutable
from analyzer.ledgers.processes import CLOCKS, own_oom_kills, victim

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer import events as ev
    from analyzer.evidence import Ref
    from analyzer.incident import Incident
    from analyzer.launches import Timed

KERNEL = "the kernel's OOM killer"


@immutable
class Kill:
    """What one program did to one process or unit; `records` tell of it, the first one first."""

    records: tuple[Timed[ev.OomKill], ...]

    @property
    def first(self) -> Timed[ev.OomKill]:
        """The first record that says what was short, else the first one."""
        return next((t for t in self.records if t.event.scope), self.records[0])

    @property
    def done(self) -> bool:
        """Whether any record tells that it was done, and not only that it was to be."""
        return any(not t.event.intent for t in self.records)

    @property
    def lines(self) -> tuple[Ref, ...]:
        """Where its records stand."""
        return tuple(t.ref for t in self.records)

    @property
    def text(self) -> str:
        """What was done, as a sentence: `earlyoom ended python3 (pid 7)`."""
        event = self.first.event
        return f"{event.killer or KERNEL} {'ended' if self.done else 'set out to end'} {victim(event)}"


def own_kills(incident: Incident) -> list[Kill]:
    """The kills of this server's processes, those that were done first: of some only the announcement is told."""
    return told_of(own_oom_kills(incident))


def done(incident: Incident) -> list[Kill]:
    """Those of this server's processes that were done: a SIGTERM, and a mark, is no kill yet."""
    return [kill for kill in own_kills(incident) if kill.done]


def told_of(records: Sequence[Timed[ev.OomKill]]) -> list[Kill]:
    """The kills that records tell of, those that were done first; a unit may be ended again after a while."""
    found: dict[tuple[str, str, int | str], list[list[Timed[ev.OomKill]]]] = {}
    for item in records:
        event = item.event
        same = found.setdefault((item.node, event.killer, event.pid or event.command), [])
        if same and (event.pid or not _later(same[-1][-1], item)):
            same[-1].append(item)
        else:
            same.append([item])
    made = [Kill(tuple(one)) for same in found.values() for one in same]
    return sorted(made, key=lambda kill: not kill.done)


def _later(before: Timed[ev.OomKill], item: Timed[ev.OomKill]) -> bool:
    return before.at is not None and item.at is not None and item.at.seconds - before.at.seconds > CLOCKS
