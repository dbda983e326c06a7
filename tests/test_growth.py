"""What reading and judging cost grows with the size of the input, not with its square: steps are counted, not seconds.

A step is a function that is entered, or a line that is run; each turn of a loop runs its line once more, also where the
loop is a comprehension.
"""

from __future__ import annotations

import gc
import sys
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

import pytest
import regex

from analyzer.bundle.gather import Bundle
from analyzer.bundle.source import InMemory, Source
from analyzer.events import ExitCode, WeightLoadBegun, Workload
from analyzer.launches.ends import set_aside
from analyzer.pipeline import analyse
from analyzer.report import html, markdown, text, timeline
from analyzer.report.page import Look
from tests.build import launch, where
from tests.judging import files

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from analyzer.launches import Launch

STAMP = regex.compile(rb"(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)")
START = datetime(2026, 2, 17, 10, 0, 0)
GROWTH = 2.6  # of twice the growth: two where it is linear, four where it is quadratic
FREE = (
    "              total        used        free      shared  buff/cache   available\n"
    "Mem:            449          {used}          300           1           3          300\n"
)


def log_of(sample: str) -> bytes:
    return next(data for name, data in files(sample).items() if name.endswith(".log")).rstrip(b"\n") + b"\n"


def moved(log: bytes, by: timedelta) -> bytes:
    def later(found: regex.Match[bytes]) -> bytes:
        return f"{datetime.fromisoformat(found[0].decode()) + by:%Y-%m-%d %H:%M:%S}".encode()

    return STAMP.sub(later, log)


def restarts(count: int) -> dict[str, bytes]:
    log = log_of("port-in-use")
    return {"server.log": b"".join(moved(log, timedelta(hours=n)) for n in range(count))}


def snapshots(count: int) -> dict[str, bytes]:
    taken = [f"{START + timedelta(hours=n):%a %b %d %H:%M:%S UTC %Y}\n{FREE.format(used=9 + n)}" for n in range(count)]
    return {"free.txt": "".join(taken).encode()}


def restarts_and_snapshots(count: int) -> dict[str, bytes]:
    return restarts(count) | snapshots(count)


def files_of_snapshots(count: int) -> dict[str, bytes]:
    one = log_of("port-in-use")
    return {"server.log": one} | {f"free-{n}.txt": snapshots(n + 1)["free.txt"][-260:] for n in range(count)}


def nodes(count: int) -> dict[str, bytes]:
    log = files("straggler-on-another-node")["node0.log"]
    made = {}
    for n in range(count):
        own = log.replace(b"nnodes=2", b"nnodes=%d" % count).replace(b"node_rank=0", b"node_rank=%d" % n)
        own = own.replace(b"tp_size=16", b"tp_size=%d" % (8 * count))
        made[f"node{n}.log"] = regex.sub(rb" TP(\d+)\]", lambda m, n=n: b" TP%d]" % (int(m[1]) + 8 * n), own)  # type: ignore[misc]
    return made


def words(number: int) -> str:
    """Letters alone, another word for each number: what is alike but for digits is folded."""
    return "".join(chr(97 + int(digit)) for digit in str(number))


def errors(count: int) -> dict[str, bytes]:
    said = [f"[{START} TP{n % 8}] ERROR {words(n)} failed for {words(n * 7919)}\n" for n in range(10 * count)]
    return {"server.log": log_of("port-in-use") + "".join(said).encode()}


def exceptions(count: int) -> dict[str, bytes]:
    said = [
        f"[{START} TP{n % 8}] Scheduler hit an exception: Traceback (most recent call last):\n"
        f'  File "/opt/sglang/srt/managers/scheduler.py", line {n}, in {words(n)}\n    {words(n)}()\n'
        f"RuntimeError: {words(n)} of {words(n * 7919)}\n\n"
        for n in range(10 * count)
    ]
    return {"server.log": log_of("port-in-use") + "".join(said).encode()}


def pods(count: int) -> dict[str, bytes]:
    rows = [f"{words(n)}-{n}  0/1  {('OOMKilled', 'Error', 'Evicted')[n % 3]}  {n % 5}  3d" for n in range(20 * count)]
    listed = "\n".join(["NAME  READY  STATUS  RESTARTS  AGE", *rows, ""])
    return {"server.log": log_of("port-in-use"), "pods.txt": listed.encode()}


def containers(image: str, count: int) -> dict[str, bytes]:
    head = ("CONTAINER ID", "IMAGE", "COMMAND", "CREATED", "STATUS", "PORTS", "NAMES")
    ended = [f"Exited ({(137, 1)[n % 2]}) 3 hours ago" for n in range(40 * count)]
    rows = [(f"{n:012x}", image, '"python3"', "2 days ago", how, "", words(n)) for n, how in enumerate(ended)]
    listed = "".join("".join(cell.ljust(26) for cell in row).rstrip() + "\n" for row in (head, *rows))
    return {"server.log": log_of("port-in-use"), "docker-ps.txt": listed.encode()}


def servers(count: int) -> dict[str, bytes]:
    return containers("lmsysorg/sglang:v0.5.9", count)


def neighbours(count: int) -> dict[str, bytes]:
    return containers("vendor/etl:3", count)


def uptimes(count: int, hosts: int = 60) -> dict[str, bytes]:
    """The same command again and again, on hosts whose lines are mixed."""
    said = [
        f"gpu-{words(n % hosts)}: {START + timedelta(minutes=n):%H:%M:%S} up 3 days,  2 users,  load average: 1.{n % 90 + 10}, 1.00, 1.00\n"
        for n in range(200 * count)
    ]
    return {"server.log": log_of("port-in-use"), "uptime.txt": "".join(said).encode()}


def calls(made: dict[str, bytes]) -> int:
    """How many functions and generators of ours are entered for a report in four forms."""
    count = 0

    def entered(frame: FrameType, event: str, _: object) -> None:
        nonlocal count
        if event == "call" and "analyzer" in frame.f_code.co_filename:
            count += 1

    sys.setprofile(entered)
    try:
        report_on(made)
    finally:
        sys.setprofile(None)
    return count


def turns(run: Callable[[], object]) -> int:
    """How many lines of ours are run, each as often as it is."""
    count = 0

    def ran(_: FrameType, event: str, __: object) -> object:
        nonlocal count
        count += event == "line"
        return ran

    def entered(frame: FrameType, _: str, __: object) -> Callable[[FrameType, str, object], object] | None:
        return ran if "analyzer" in frame.f_code.co_filename else None

    traced = sys.gettrace()
    sys.settrace(entered)
    try:
        run()
    finally:
        sys.settrace(traced)
    return count


def report_on(made: dict[str, bytes]) -> None:
    inputs = Bundle([Source(name, len(data), InMemory(data)) for name, data in made.items()])
    gc.disable()  # nothing of the collector's is counted
    try:
        report = analyse(inputs)
        for render in (html.render, markdown.render):
            render(report)
        for shown in (text.render, timeline.render):
            shown(report, Look(100))
    finally:
        gc.enable()


@pytest.mark.parametrize(
    "make", [restarts, restarts_and_snapshots, snapshots, files_of_snapshots, nodes, errors, exceptions, pods]
)
def test_twice_the_input_is_at_most_twice_the_work(make: Callable[[int], dict[str, bytes]]) -> None:
    calls(make(2))  # patterns are compiled, templates read
    few, more, many = (calls(make(count)) for count in (5, 10, 20))
    assert many - more <= GROWTH * (more - few)


@pytest.mark.parametrize("make", [pods, servers, neighbours, uptimes])
def test_twice_the_rows_are_at_most_twice_the_turns_of_loops(make: Callable[[int], dict[str, bytes]]) -> None:
    report_on(make(2))
    few, more, many = (turns(partial(report_on, make(count))) for count in (5, 10, 20))
    assert many - more <= GROWTH * (more - few)


def speaking(count: int) -> Launch:
    """Servers in pods that are shown, each with lines of its own in the log, and each of which ended."""
    names = [f"sglang-{words(n)}" for n in range(10 * count)]
    said = [WeightLoadBegun(where=where(n, "10:03:00", node=name)) for n, name in enumerate(names)]
    shown = [
        Workload(where=where(n, source="pods.txt"), owner=f"pod {name}", server=True) for n, name in enumerate(names)
    ]
    ended = [ExitCode(where=where(n, source="pods.txt"), owner=f"pod {name}") for n, name in enumerate(names)]
    return launch(*said, outside=(*shown, *ended))


def test_whose_the_ends_of_many_servers_are_is_told_in_a_time_that_grows_with_their_number() -> None:
    set_aside(speaking(2))
    few, more, many = (turns(partial(set_aside, speaking(count))) for count in (5, 10, 20))
    assert many - more <= GROWTH * (more - few)
