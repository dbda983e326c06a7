"""A program that is ended from outside leaves no folder and no process behind, and says by which signal it ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from analyzer.cli.ending import clearing_away
from tests.processes import alive

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")

# The program in the middle of a reading: its folder is made, two workers wait for more.
READING = """
import multiprocessing, operator, signal, sys, time
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # under nohup it is ignored, which a child inherits
from analyzer.cli import main
from analyzer.parsers import apart
from analyzer.scan.crew import Crew

def read(sources, catalog, on_bytes, spill, workers):
    with Crew(2, operator.itemgetter, (0,)) as crew:
        list(crew.apply([[1], [2]]))
        print(spill.folder, *(process.pid for process in multiprocessing.active_children()), flush=True)
        until = time.monotonic() + 30
        while on_bytes(0) and time.monotonic() < until:
            time.sleep(0.01)
        print("heard", flush=True)
        time.sleep(30)

apart.read = read
sys.exit(main(["timeline", sys.argv[1]]))
"""


@pytest.mark.parametrize("how", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_no_folder_and_no_worker_is_left(how: str, tmp_path: Path) -> None:
    log = tmp_path / "server.log"
    log.write_text("a line\n", "utf-8")
    process = subprocess.Popen(
        [sys.executable, "-c", READING, str(log)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    assert process.stdout is not None
    folder, *workers = process.stdout.readline().split()
    assert Path(folder).is_dir()
    assert len(workers) == 2
    if how == "SIGINT":  # the first only ends the reading
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "heard\n"
    process.send_signal(getattr(signal, how))
    _, complaints = process.communicate(timeout=20)
    assert process.returncode == (130 if how == "SIGINT" else -getattr(signal, how))
    assert complaints == ""
    assert list(tmp_path.iterdir()) == [log]
    assert not any(alive(int(pid)) for pid in workers)


def test_a_signal_that_is_ignored_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with clearing_away():
            signal.raise_signal(signal.SIGHUP)
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def test_afterwards_the_signals_are_as_before() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with clearing_away():
        assert signal.getsignal(signal.SIGTERM) is not before
    assert signal.getsignal(signal.SIGTERM) is before
