"""The commands hang together: each is there under its name, and a path where a command could stand is analysed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from analyzer.cli.app import command
from analyzer.cli.completion import VARIABLE
from tests.cli.run import answer, run
from tests.report.build_report import founding

if TYPE_CHECKING:
    from pathlib import Path

COMMANDS = {"analyze", "timeline", "report", "compare", "explain", "rules", "patterns", "completion"}


def test_every_command_is_there_and_named_in_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert set(command().commands) == COMMANDS
    help_ = run(capsys, "--help").out
    assert all(f"  {name} " in help_ for name in COMMANDS)


def test_what_is_no_command_is_a_path(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pipeline = answer(monkeypatch, lambda _: founding())
    monkeypatch.chdir(tmp_path)
    (tmp_path / "reports").mkdir()  # nearly a command, and there
    for path in ("reports", "logs", "server.log"):
        assert run(capsys, path).code == 3
    assert [paths for paths, _, _ in pipeline.asked] == [["reports"], ["logs"], ["server.log"]]


@pytest.mark.parametrize(("typed", "meant"), [("anlyze", "analyze"), ("analyse", "analyze"), ("pattern", "patterns")])
def test_a_command_that_was_typed_wrong_is_no_path(
    typed: str, meant: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = run(capsys, typed, "server.log")
    assert (ran.code, ran.out) == (2, "")
    assert f"did you mean postmortem {meant}?" in ran.err


def test_the_program_says_its_version(capsys: pytest.CaptureFixture[str]) -> None:
    ran = run(capsys, "--version")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("postmortem ")


def test_a_shell_that_asks_is_answered_and_nothing_else_runs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {VARIABLE: "complete_bash", "COMP_WORDS": "postmortem com", "COMP_CWORD": "1"}.items():
        monkeypatch.setenv(name, value)
    ran = run(capsys)
    assert (ran.code, ran.out.split(), ran.err) == (0, ["compare", "completion"], "")


def test_a_command_that_was_typed_wrong_points_to_its_own_help(capsys: pytest.CaptureFixture[str]) -> None:
    ran = run(capsys, "analyze", "x.log", "--format", "nope")
    assert "Value error" not in ran.err
    assert ran.err.endswith("\nTry: postmortem analyze --help\n")
    assert run(capsys, "report", "x.log").err.endswith("\nTry: postmortem report --help\n")
