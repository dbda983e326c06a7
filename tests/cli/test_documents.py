"""`timeline`, `report` and `compare` exit 0 once the document is written, whatever the verdict."""

from __future__ import annotations

import sys
from dataclasses import replace
from types import ModuleType
from typing import TYPE_CHECKING

import pytest

from analyzer.report import json
from tests.cli.run import answer, run
from tests.report.build_report import cannot_tell, founding, healthy

if TYPE_CHECKING:
    from pathlib import Path

    from analyzer.contract import Report

Capture = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch


@pytest.fixture(autouse=True)
def _pipeline(monkeypatch: Patch) -> None:
    answer(monkeypatch, lambda paths: healthy() if "good" in str(paths) else founding())


def redacting(monkeypatch: Patch) -> None:
    """A redaction that leaves its mark."""

    def redact(report: Report) -> Report:
        return replace(report, tool=replace(report.tool, redacted={"host": 1}, command="postmortem report HOST-1"))

    module = ModuleType("analyzer.redact")
    module.redact = redact  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "analyzer.redact", module)


def test_a_timeline_is_drawn_for_a_failed_launch_and_exits_zero(capsys: Capture) -> None:
    ran = run(capsys, "timeline", "bad", "--width", "80")
    assert ran.code == 0
    assert "n0/TP0-7" in ran.out


def test_a_report_is_redacted_and_written(capsys: Capture, monkeypatch: Patch, tmp_path: Path) -> None:
    redacting(monkeypatch)
    for name in ("out.md", "out.json"):
        ran = run(capsys, "report", "bad", "-o", str(tmp_path / name))
        assert (ran.code, ran.out) == (0, "")
        assert "wrote" in ran.err
        assert "HOST-1" in (tmp_path / name).read_text("utf-8")


@pytest.mark.parametrize("name", ["out.html", "out.txt", "out"])
def test_a_report_in_another_format_is_refused(capsys: Capture, tmp_path: Path, name: str) -> None:
    ran = run(capsys, "report", "bad", "-o", str(tmp_path / name))
    assert ran.code == 2
    assert ".md or .json" in ran.err
    assert not (tmp_path / name).exists()


def test_nothing_is_written_unredacted(capsys: Capture, monkeypatch: Patch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "analyzer.redact", None)
    ran = run(capsys, "report", "bad", "-o", str(tmp_path / "out.md"))
    assert (ran.code, ran.out) == (2, "")
    assert not (tmp_path / "out.md").exists()


def test_a_report_needs_a_file(capsys: Capture) -> None:
    assert run(capsys, "report", "bad").code == 2


def test_two_runs_are_compared(capsys: Capture) -> None:
    ran = run(capsys, "compare", "bad", "good")
    assert ran.code == 0
    assert ran.out.startswith("A  HUNG")
    assert "B  READY" in ran.out


def test_a_json_report_is_compared_as_it_is(capsys: Capture, tmp_path: Path) -> None:
    (tmp_path / "before.json").write_text(json.dumps(cannot_tell()), "utf-8")
    assert run(capsys, "compare", str(tmp_path / "before.json"), "good").out.startswith("A  UNKNOWN")


def test_a_json_log_is_an_input_like_any_other(capsys: Capture, tmp_path: Path) -> None:
    (tmp_path / "log.json").write_text('{"message": "x"}\n', "utf-8")
    assert run(capsys, "compare", str(tmp_path / "log.json"), "good").out.startswith("A  HUNG")


def test_a_missing_json_report_is_unreadable(capsys: Capture, tmp_path: Path) -> None:
    ran = run(capsys, "compare", str(tmp_path / "none.json"), "good")
    assert ran.code == 6
    assert "No such file" in ran.err
