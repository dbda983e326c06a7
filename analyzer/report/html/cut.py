"""The page's bounds: how much of everything is shown, and a count of what is not."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable

T = TypeVar("T")
LONGEST, SHORTEST = 2_000, 250  # signs of a text, and what is left of it where everything is cut


class Part(NamedTuple, Generic[T]):
    """The beginning of a list, and a sentence about the rest; empty where there is none."""

    kept: list[T]
    more: str


class Cut:
    """Keeps beginnings, and remembers what it left out; `divisor` makes every bound that much smaller."""

    def __init__(self, divisor: int = 1) -> None:
        self._divisor = divisor
        self._left: Counter[str] = Counter()

    def first(self, items: Iterable[T], most: int, what: str) -> Part[T]:
        """At most `most` of the items; `what` names them in the plural."""
        every = list(items)
        kept = every[: self.bound(most)]
        left = len(every) - len(kept)
        return Part(kept, self.without(left, what))

    def without(self, left: int, what: str) -> str:
        """Notes that so many were left out, and says it; empty where none were."""
        if not left:
            return ""
        self._left[what] += left
        return f"and {left:,} more {what}, not on this page"

    def bound(self, most: int) -> int:
        """The bound that holds in place of `most`."""
        return max(1, most // self._divisor)

    def text(self, text: str) -> str:
        """A text that is at most so long, with a count of the rest."""
        most = max(SHORTEST, self.bound(LONGEST))
        if len(text) <= most:
            return text
        self._left["signs of long texts"] += len(text) - most
        return f"{text[:most]} … (and {len(text) - most:,} more signs)"

    @property
    def said(self) -> str:
        """Everything that was left out so far, in one sentence; empty where nothing was."""
        counts = ", ".join(f"{count:,} {what}" for what, count in sorted(self._left.items()))
        return f"Left out to keep this page small: {counts}. The JSON report holds them." if counts else ""
