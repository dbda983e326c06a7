"""A counter of bytes read, drawn on a terminal while a large input is read."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

EVERY = 0.2
PATIENCE = 1.0
MB = 10**6


@contextmanager
def progress() -> Iterator[Callable[[int], None] | None]:
    """Gives a function that hears of every piece read, and wipes the counter at the end; `None` where none is drawn."""
    if not sys.stderr.isatty():
        yield None
        return
    counter = _Counter()
    try:
        yield counter.add
    finally:
        counter.wipe()


class _Counter:
    """Stays silent for the first second, so that small inputs show nothing."""

    def __init__(self) -> None:
        self._read = 0
        self._next = time.monotonic() + PATIENCE
        self._drawn = False

    def add(self, size: int) -> None:
        self._read += size
        now = time.monotonic()
        if now >= self._next:
            self._next, self._drawn = now + EVERY, True
            print(f"\rreading: {self._read / MB:,.0f} MB", end="", file=sys.stderr, flush=True)

    def wipe(self) -> None:
        if self._drawn:
            print("\r" + " " * 30 + "\r", end="", file=sys.stderr, flush=True)
