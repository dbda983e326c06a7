"""Names that lines bring along, such as their hosts': within bounds, as a text may have a million of them."""

from __future__ import annotations

from typing import Final

APART: Final = 64  # names of which each is kept by itself: hundreds of events of each kind are kept for each
LATEST: Final = 1024  # names of which something small is kept, more than a cluster has that logs into one file


class Apart:
    """The first names that are met, each by itself; later ones are all one. No name at all is none of them."""

    def __init__(self) -> None:
        self._known: set[str] = {""}

    def key(self, name: str) -> str | None:
        """By what to keep things of this name: itself, or `None` for all that came too late."""
        if name in self._known:
            return name
        if len(self._known) > APART:
            return None
        self._known.add(name)
        return name


class Latest:
    """The names that were met last. No name at all is never the one that must go."""

    def __init__(self) -> None:
        self._names: dict[str, None] = {}

    def meet(self, name: str) -> str | None:
        """Takes note of a name; gives the one that was not met for longest where there are too many now."""
        if not name:
            return None
        self._names.pop(name, None)
        self._names[name] = None
        if len(self._names) <= LATEST:
            return None
        oldest = next(iter(self._names))
        del self._names[oldest]
        return oldest
