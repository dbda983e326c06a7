"""Processes that read several sources at the same time; whatever has a state stays with the one that started them.

They are spawned, as polars and fork deadlock, and end with their pipe: on Ctrl-C, and when their parent is gone.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
from collections import deque
from contextlib import contextmanager, suppress
from types import ModuleType
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

_AHEAD = 2  # tasks that a worker is given before the first of them is done
_MOST = 8
_EVERY = 0.2  # seconds after which a waiting reader asks whether it is to go on
_ENVIRONMENT = {
    "POLARS_MAX_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MALLOC_MMAP_THRESHOLD_": str(256 * 1024 * 1024),
    "MALLOC_TRIM_THRESHOLD_": str(256 * 1024 * 1024),
}
T = TypeVar("T")
R = TypeVar("R")


def processors() -> int:
    """How many processors this process may use."""
    with suppress(AttributeError):  # there is no such call on macOS
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Crew(Generic[T, R]):
    """Workers that each make a function by `make(*given)` and then apply it to tasks; all must be picklable.

    They start with the first task. A crew of none does everything itself.
    """

    def __init__(self, count: int, make: Callable[..., Callable[[T], R]], given: tuple[Any, ...] = ()) -> None:
        self.count = min(count, _MOST)
        self._make = make
        self._given = given
        self._workers: list[tuple[BaseProcess, Connection]] = []

    def apply(self, tasks: Iterable[T], going: Callable[[], bool] = lambda: True) -> Iterator[R]:
        """The results, in the order of the tasks, which are taken a few ahead; no more of them once `going` is false.

        Raises `EOFError` when a worker dies.
        """
        if not self.count:
            yield from map(self._make(*self._given), tasks)
            return
        self._start()
        try:
            yield from self._results(tasks, going)
        except (BrokenPipeError, ConnectionResetError) as error:
            raise EOFError("a worker is gone") from error

    def _results(self, tasks: Iterable[T], going: Callable[[], bool]) -> Iterator[R]:
        waiting: deque[Connection] = deque()
        for number, task in enumerate(tasks):
            if len(waiting) == _AHEAD * self.count:
                if not _ready(waiting[0], going):
                    return
                yield _result(waiting.popleft())
            connection = self._workers[number % self.count][1]
            connection.send(task)
            waiting.append(connection)
        while waiting and _ready(waiting[0], going):
            yield _result(waiting.popleft())

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        with _nameless(), _alone():
            while len(self._workers) < self.count:
                ours, theirs = context.Pipe()
                process = context.Process(target=_work, args=(theirs, self._make, self._given), daemon=True)
                process.start()
                theirs.close()
                self._workers.append((process, ours))

    def close(self) -> None:
        """Ends the workers, whatever they are doing."""
        for process, connection in self._workers:
            process.terminate()
            connection.close()
        for process, _ in self._workers:
            process.join()
        self._workers = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@contextmanager
def _nameless() -> Iterator[None]:
    """Hides the main program: a worker needs nothing of it, and would run one that is not guarded."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


@contextmanager
def _alone() -> Iterator[None]:
    """The environment in which workers start: one thread each, and memory kept for the next piece."""
    before = {name: os.environ.get(name) for name in _ENVIRONMENT}
    os.environ.update(_ENVIRONMENT)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _ready(connection: Connection, going: Callable[[], bool]) -> bool:
    """Waits for a result; false where it is given up before."""
    while not connection.poll(_EVERY):
        if not going():
            return False
    return going()


def _result(connection: Connection) -> Any:
    result = connection.recv()
    if isinstance(result, Exception):
        raise result
    return result


def _work(connection: Connection, make: Callable[..., Callable[[Any], Any]], given: tuple[Any, ...]) -> None:
    """What a worker does: Ctrl-C is its parent's to answer."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        function = make(*given)
        gc.freeze()  # all that was imported need not be looked through again and again
        while True:
            task = connection.recv()
            try:
                result = function(task)
            except Exception as error:  # noqa: BLE001 - the parent raises it
                result = error
            connection.send(result)
