"""The program ends as a program should: right codes, quiet pipes, no traceback, quick help."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from analyzer import cli
from tests.cli.run import answer, run
from tests.report.build_report import founding

if TYPE_CHECKING:
    from pathlib import Path

Capture = pytest.CaptureFixture[str]
HEAVY = {"polars", "plotext", "pydantic", "jinja2", "rich", "numpy", "numba", "llvmlite"}


def python(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, env={**os.environ, "COLUMNS": "100"}
    )


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["analyze", "--help"], ["report", "--help"]])
def test_help_loads_nothing_heavy(arguments: list[str]) -> None:
    code = f"import sys; from analyzer.cli import main; main({arguments!r}); print(sorted(sys.modules))"
    loaded = set(python(code).stdout.splitlines()[-1].strip("[]").replace("'", "").split(", "))
    of_typer = {"pydantic"} if len(arguments) > 1 else set()  # typer itself describes options by it
    assert loaded & HEAVY <= of_typer


def test_paths_alone_are_analyzed_without_what_reads_options(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing of a server")
    for given in (["analyze", str(tmp_path)], [str(tmp_path)]):
        code = f"import sys; from analyzer.cli import main; main({given!r}); print(sorted(sys.modules))"
        shown = python(code).stdout
        assert "UNKNOWN" in shown.partition("\n")[0]
        assert not HEAVY & set(shown.splitlines()[-1].strip("[]").replace("'", "").split(", ")) - {"rich"}


def test_what_could_be_a_command_is_one() -> None:
    """The names that decide without typer whether a first argument is a path are those that typer knows."""
    from analyzer.cli.app import command

    assert set(command().commands) == cli.COMMANDS


@pytest.mark.parametrize(
    "command",
    ["", "analyze", "timeline", "report", "compare", "explain", "rules", "patterns", "patterns list", "patterns check"],
)
def test_every_command_has_help(capsys: Capture, command: str) -> None:
    ran = run(capsys, *command.split(), "--help")
    assert ran.code == 0
    assert ran.out.startswith(f"Usage: postmortem{' ' if command else ''}{command}")


@pytest.mark.parametrize("command", ["analyze", "timeline", "report", "compare", "explain", "patterns check"])
def test_help_ends_a_sentence_with_examples(capsys: Capture, command: str) -> None:
    assert (
        f"postmortem {command.split(maxsplit=1)[0]}"
        in run(capsys, *command.split(), "--help").out.partition("Examples:")[2]
    )


def test_no_argument_shows_how_it_is_used(capsys: Capture) -> None:
    ran = run(capsys)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("Usage: postmortem")


@pytest.mark.parametrize(
    "arguments", [["x", "--nope"], ["x", "--format", "pdf"], ["x", "--width", "3"], ["compare", "a"]]
)
def test_wrong_usage_is_two_without_a_traceback(capsys: Capture, arguments: list[str]) -> None:
    ran = run(capsys, *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("postmortem: ")
    assert "Traceback" not in ran.err


def failing(error: BaseException) -> object:
    def make(_: object) -> object:
        raise error

    return make


def test_our_own_bug_is_one_and_asks_for_a_report(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(cli.TRACEBACK, raising=False)
    answer(monkeypatch, failing(ZeroDivisionError("division by zero")))  # type: ignore[arg-type]
    ran = run(capsys, "x")
    assert (ran.code, ran.out) == (1, "")
    assert "ZeroDivisionError" in ran.err
    assert "report it" in ran.err
    assert "Traceback" not in ran.err


def test_a_developer_can_ask_for_the_traceback(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(cli.TRACEBACK, "1")
    answer(monkeypatch, failing(ZeroDivisionError()))  # type: ignore[arg-type]
    assert "Traceback" in run(capsys, "x").err


def test_an_interrupt_is_130(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    answer(monkeypatch, failing(KeyboardInterrupt()))  # type: ignore[arg-type]
    assert run(capsys, "x").code == 130


def test_a_closed_pipe_is_141_and_quiet() -> None:
    code = "import sys; from analyzer.cli import main; sys.exit(main(['rules']))"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        assert program.stdout is not None
        assert program.stderr is not None
        program.stdout.close()
        assert program.stderr.read() == b""
    assert program.returncode == 141


def test_a_dumb_pipe_in_ascii_gets_ascii() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "analyzer", "rules"],
        capture_output=True, check=True, env={**os.environ, "PYTHONIOENCODING": "ascii", "TERM": "dumb"},
    )  # fmt: skip
    assert done.stdout.isascii()


def test_the_version_is_the_installed_one(capsys: Capture) -> None:
    ran = run(capsys, "--version")
    assert ran.code == 0
    assert ran.out.startswith("postmortem ")


def test_a_report_goes_through_a_pipe_without_colour(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    answer(monkeypatch, lambda _: founding())
    assert "\x1b" not in run(capsys, "x").out
