"""Workers give the results of their tasks in order, and none is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from analyzer.scan.crew import Crew, processors
from tests.processes import alive

if TYPE_CHECKING:
    from collections.abc import Callable


def adder(more: int) -> Callable[[int], tuple[int, int]]:
    return lambda number: (number + more, os.getpid())


def test_a_crew_of_none_does_it_itself() -> None:
    with Crew[int, tuple[int, int]](0, adder, (5,)) as crew:
        assert list(crew.apply(range(3))) == [(number, os.getpid()) for number in (5, 6, 7)]


CODE = """
import math, os, sys, time
from analyzer.scan.crew import Crew
from operator import attrgetter, itemgetter
{body}
"""


def run(body: str) -> str:
    """What a program without a guard prints; its workers use functions of the standard library."""
    done = subprocess.run([sys.executable, "-c", CODE.format(body=body)], capture_output=True, text=True, check=True)
    return done.stdout


def test_results_come_in_the_order_of_the_tasks_also_from_a_program_without_a_guard() -> None:
    body = """
with Crew(2, itemgetter, (0,)) as crew:
    print(list(crew.apply([[n] for n in range(9)])))
    print(list(crew.apply([[n] for n in range(2)])))
"""
    assert run(body) == f"{list(range(9))}\n[0, 1]\n"


def test_what_a_worker_raises_is_raised_and_a_worker_that_dies_ends_the_reading() -> None:
    body = """
with Crew(1, itemgetter, (3,)) as crew:
    try:
        list(crew.apply([[1]]))
    except IndexError:
        print("raised")
with Crew(1, attrgetter, ("x",)) as crew:
    crew._start()
    crew._workers[0][0].kill()
    crew._workers[0][0].join()
    try:
        list(crew.apply([1]))
    except (EOFError, OSError):
        print("ended")
"""
    assert run(body) == "raised\nended\n"


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_no_worker_is_left_when_the_program_is_interrupted_or_killed(how: signal.Signals) -> None:
    body = """
with Crew(2, itemgetter, (0,)) as crew:
    list(crew.apply([[1], [2]]))
    print(*[process.pid for process, _ in crew._workers], flush=True)
    time.sleep(30)
"""
    process = subprocess.Popen(
        [sys.executable, "-c", CODE.format(body=body)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdout is not None
    workers = [int(pid) for pid in process.stdout.readline().split()]
    assert len(workers) == 2
    process.send_signal(how)
    process.wait()
    process.stdout.close()
    until = time.monotonic() + 10
    while any(map(alive, workers)) and time.monotonic() < until:
        time.sleep(0.05)
    assert not any(map(alive, workers))


def test_there_is_at_least_one_processor() -> None:
    assert processors() >= 1
