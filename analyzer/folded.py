"""Events kept within bounds: of many of one kind the first and the last hundred, with the count of those between."""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass, field, replace
from operator import itemgetter
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    from analyzer.events import Event

    Make = Callable[[], Event]
    Order = tuple[int, int]  # the line, and how many events came before

KEPT: Final = 100  # first and last events of one kind that stay


@dataclass(slots=True)
class _Fold:
    """The events of one kind. Of the last ones an event is made only when no more can come: few are last for long."""

    count: int = 0
    first: list[tuple[Order, Make]] = field(default_factory=list)
    last: deque[tuple[Order, Make]] = field(default_factory=lambda: deque(maxlen=KEPT))

    def add(self, order: Order, make: Make) -> None:
        self.count += 1
        if len(self.first) < KEPT:
            event = make()
            self.first.append((order, lambda: event))
        else:
            self.last.append((order, make))

    def merge(self, items: list[tuple[Order, Make]], passed: int) -> None:
        self.count += len(items) + passed
        kept = sorted([*self.first, *items, *self.last], key=itemgetter(0))
        self.first = kept[:KEPT]
        self.last = deque(kept[KEPT:], maxlen=KEPT)

    def kept(self) -> list[tuple[Order, Event]]:
        kept = [(order, make()) for order, make in self.first]
        between = self.count - len(self.first) - len(self.last)
        if between:
            order, event = kept[-1]
            kept[-1] = order, replace(event, count=event.count + between)
        return [*kept, *((order, make()) for order, make in self.last)]


class Folded:
    """Gathers the events of one source by what makes them alike, in the order in which they are read."""

    def __init__(self) -> None:
        self._folds: defaultdict[Hashable, _Fold] = defaultdict(_Fold)
        self._added = 0

    def add(self, key: Hashable, line: int, make: Make) -> None:
        """Adds the event of a line."""
        self._added += 1
        self._folds[key].add((line, self._added), make)

    def merge(self, key: Hashable, events: Iterable[tuple[int, Make]], passed: int) -> None:
        """Adds events of many lines, in order, which may stand before others that were added.

        `passed` further ones stand behind the first hundred of these and before the last hundred, and are counted.
        """
        self._added += 1
        self._folds[key].merge([((line, self._added), make) for line, make in events], passed)

    def events(self) -> list[Event]:
        """What was kept, in order; the last event before a gap carries the count of those inside it."""
        kept = [item for fold in self._folds.values() for item in fold.kept()]
        return [event for _, event in sorted(kept, key=itemgetter(0))]
