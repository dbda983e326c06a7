"""A bar of bytes read, drawn on a terminal while a large input is read; Ctrl-C ends the reading, not the report."""

from __future__ import annotations

import signal
import sys
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

    from rich.progress import Progress

EVERY = 0.2
PATIENCE = 1.0


@contextmanager
def progress() -> Iterator[Reading]:
    """What is told of the reading. The bar is wiped at the end; a second Ctrl-C ends the program."""
    reading = Reading(drawn=sys.stderr.isatty())
    main = threading.current_thread() is threading.main_thread()
    before = signal.getsignal(signal.SIGINT) if main else None
    try:
        yield reading
    finally:
        reading.wipe()
        if main:
            signal.signal(signal.SIGINT, before)


class Reading:
    """Stays silent for the first second, so that small inputs show nothing."""

    def __init__(self, *, drawn: bool) -> None:
        self._drawn = drawn
        self._size: int | None = None
        self._read = 0
        self._begun = self._next = time.monotonic()
        self._bar: Progress | None = None
        self._stopped = False

    def begin(self, size: int | None) -> None:
        """Begins to read so many bytes; from now on Ctrl-C ends the reading."""
        self._size = size
        self._begun = time.monotonic()
        self._next = self._begun + PATIENCE
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, self._stop)

    def heard(self, size: int) -> bool:
        """Has read further bytes; `False` where the reading is to end."""
        self._read += size
        now = time.monotonic()
        if self._drawn and now >= self._next:
            self._next = now + EVERY
            self._draw()
        return not self._stopped

    def _stop(self, _signal: int, _frame: FrameType | None) -> None:
        self._stopped = True
        signal.signal(signal.SIGINT, signal.default_int_handler)

    def _draw(self) -> None:
        if self._bar is None:
            self._bar = _bar()
            self._bar.add_task("reading", total=self._size)
            self._bar.tasks[0].start_time = self._begun
            self._bar.start()
        self._bar.update(self._bar.task_ids[0], completed=self._read, refresh=True)

    def wipe(self) -> None:
        """Takes the bar away."""
        if self._bar is not None:
            self._bar.stop()


def _bar() -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    return Progress(
        *columns, TimeRemainingColumn(compact=True), console=Console(stderr=True), auto_refresh=False, transient=True
    )
