"""Progress is drawn on a terminal alone, and only when it takes long; Ctrl-C ends the reading and not the report."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from analyzer.cli import progress as module
from analyzer.cli.progress import progress

if TYPE_CHECKING:
    from pathlib import Path

LINE = b"[2026-02-17 10:02:51 TP1] Decode batch. #running-req: 8, #token: 20253, token usage: 0.07, #queue-req: 0, \n"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_pipe_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = io.StringIO()
    monkeypatch.setattr(sys, "stderr", shown)
    monkeypatch.setattr(module, "PATIENCE", -1.0)
    with progress() as told:
        told.begin(10_000_000)
        assert told.heard(5_000_000)
    assert shown.getvalue() == ""


def test_a_quick_read_draws_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = Terminal()
    monkeypatch.setattr(sys, "stderr", shown)
    monkeypatch.setattr(module, "PATIENCE", 600.0)
    with progress() as told:
        told.begin(10_000_000)
        told.heard(5_000_000)
    assert shown.getvalue() == ""


@pytest.mark.parametrize(("size", "expected"), [(20_000_000, "5.0/20.0 MB"), (None, "5.0/? MB")])
def test_a_slow_read_shows_bytes_rate_and_time_left(
    size: int | None, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = Terminal()
    monkeypatch.setattr(sys, "stderr", shown)
    monkeypatch.setattr(module, "PATIENCE", -1.0)
    monkeypatch.setattr(module, "EVERY", -1.0)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    with progress() as told:
        told.begin(size)
        for _ in range(5):
            told.heard(1_000_000)
            time.sleep(0.01)
    assert expected in shown.getvalue()
    assert "/s" in shown.getvalue()


def test_the_first_interruption_ends_the_reading_and_the_next_the_program() -> None:
    before = signal.getsignal(signal.SIGINT)
    with progress() as told:
        told.begin(None)
        assert told.heard(1)
        signal.raise_signal(signal.SIGINT)
        assert not told.heard(1)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


# The program, which draws its bar at once and then reads no further before it is interrupted, however fast it reads.
WAITING = """
import sys, time
from analyzer.cli import main, progress

progress.PATIENCE = 0.0
draw = progress.Reading._draw

def drawn(self):
    draw(self)
    while not self._stopped:
        time.sleep(0.01)

progress.Reading._draw = drawn
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo terminals")
def test_on_a_terminal_the_bar_comes_and_goes_and_an_interrupted_report_is_partial(tmp_path: Path) -> None:
    pty = pytest.importorskip("pty")
    log = tmp_path / "server.log"
    log.write_bytes(LINE * 600_000)  # 67 MB, of which some blocks are read ahead
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", WAITING, "analyze", "--format", "json", str(log)],
        stdout=subprocess.PIPE,
        stderr=slave,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
    )
    os.close(slave)
    shown = b""
    while b"reading" not in shown:
        shown += os.read(master, 1000)
    process.send_signal(signal.SIGINT)
    told, _ = process.communicate(timeout=60)
    os.close(master)
    report = json.loads(told)
    (source,) = report["coverage"]["sources"]
    assert process.returncode == 130
    assert report["coverage"]["partial"]
    assert source["truncated"]
    assert 0 < source["bytes"] < log.stat().st_size
    assert any("interrupted" in error for error in source["errors"])
