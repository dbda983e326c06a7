"""The ends that a program is given from outside: SIGTERM of a job's limit, SIGHUP of a closed terminal."""

from __future__ import annotations

import os
import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

_SIGNALS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]  # Windows has no SIGHUP


class Ended(BaseException):
    """A signal, on its way out through everything that has a folder or a process to clear away."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@contextmanager
def clearing_away() -> Iterator[None]:
    """What is inside clears away its folders and processes on a signal too; then the signal ends the program after all.

    A signal that whoever started the program has it ignore (`nohup`) stays ignored.
    """
    ours = threading.current_thread() is threading.main_thread()
    caught = [number for number in _SIGNALS if ours and signal.getsignal(number) is signal.SIG_DFL]
    for number in caught:
        signal.signal(number, _end)
    try:
        yield
    except Ended as ended:
        os.kill(os.getpid(), ended.number)
        raise
    finally:
        _let_go(caught)


def _end(number: int, _frame: FrameType | None) -> None:
    _let_go(_SIGNALS)  # the next one does not wait
    raise Ended(number)


def _let_go(numbers: list[int]) -> None:
    for number in numbers:
        signal.signal(number, signal.SIG_DFL)
