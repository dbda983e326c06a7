"""Progress is drawn on a terminal alone, and only when it takes long."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING

from analyzer.cli import progress as module
from analyzer.cli.progress import progress

if TYPE_CHECKING:
    import pytest


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_pipe_hears_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with progress() as told:
        assert told is None


def test_a_quick_read_draws_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = Terminal()
    monkeypatch.setattr(sys, "stderr", shown)
    with progress() as told:
        assert told is not None
        told(5_000_000)
    assert shown.getvalue() == ""


def test_a_slow_read_is_counted_and_wiped(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = Terminal()
    monkeypatch.setattr(sys, "stderr", shown)
    monkeypatch.setattr(module, "PATIENCE", -1.0)
    with progress() as told:
        assert told is not None
        told(5_000_000)
    assert shown.getvalue().startswith("\rreading: 5 MB")
    assert shown.getvalue().endswith(" \r")
