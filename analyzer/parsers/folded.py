"""Events made in code, kept within bounds: of many of one kind the first and the last hundred, with the count."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable

    from analyzer.events import Event

KEPT = 100


@dataclass(slots=True)
class _Fold:
    first: list[Event] = field(default_factory=list)
    last: deque[Event] = field(default_factory=lambda: deque(maxlen=KEPT))
    between: int = 0


class Folded:
    """Gathers events by what makes them alike."""

    def __init__(self) -> None:
        self._folds: dict[Hashable, _Fold] = {}

    def add(self, key: Hashable, event: Event) -> None:
        """Keeps the event, or counts it where its kind has had its two hundred."""
        fold = self._folds.setdefault(key, _Fold())
        if len(fold.first) < KEPT:
            fold.first.append(event)
            return
        fold.between += len(fold.last) == KEPT
        fold.last.append(event)

    def events(self) -> list[Event]:
        """What was kept; the last event before a gap carries the count of those inside it."""
        kept: list[Event] = []
        for fold in self._folds.values():
            *early, latest = fold.first
            kept += [*early, replace(latest, count=latest.count + fold.between), *fold.last]
        return kept
