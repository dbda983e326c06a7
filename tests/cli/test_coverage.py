"""`patterns coverage` answers for a wheel or a folder, as sums, as what is missing, or as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cli.run import run

if TYPE_CHECKING:
    from pathlib import Path

Capture = pytest.CaptureFixture[str]

SOURCE = """
logger.info(f"Load weight begin. avail mem={free:.2f} GB")
logger.error("No pattern has heard of \\x1b[31mthis")
raise ValueError("nobody expects --page-size here")
"""


@pytest.fixture
def release(tmp_path: Path) -> str:
    folder = tmp_path / "sglang-1.2" / "sglang" / "srt" / "managers"
    folder.mkdir(parents=True)
    (folder / "scheduler.py").write_text(SOURCE, "utf-8")
    return str(tmp_path / "sglang-1.2")


def test_a_release_is_told_by_its_sums(capsys: Capture, release: str) -> None:
    ran = run(capsys, "patterns", "coverage", release)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("SGLang 1.2: ")
    assert "launch                  1       1  100%" in ran.out


def test_what_is_missing_is_listed_without_control_characters(capsys: Capture, release: str) -> None:
    ran = run(capsys, "patterns", "coverage", "--missing", release)
    assert ran.code == 0
    error, refusal = ran.out.splitlines()
    assert error.startswith("error: srt/managers/scheduler.py:3: No pattern has heard of ")
    assert "\x1b" not in error
    assert refusal == "decisive raise: srt/managers/scheduler.py:4: ValueError: nobody expects --page-size here"


def test_several_releases_make_a_table(capsys: Capture, release: str) -> None:
    ran = run(capsys, "patterns", "coverage", "--table", release, release)
    assert ran.code == 0
    assert ran.out.splitlines()[2:] == ["| 1.2 | 1 of 1 | 0 of 0 | 0 of 0 | 0 of 1 | 0 of 1 | 0 of 0 | 1 of 1 |"] * 2
    assert ran.err.count("measured") == 2


def test_a_folder_without_source_cannot_be_read(capsys: Capture, tmp_path: Path) -> None:
    ran = run(capsys, "patterns", "coverage", str(tmp_path))
    assert (ran.code, ran.out) == (6, "")
    assert "no server source here" in ran.err


def test_two_answers_at_once_are_wrong_usage(capsys: Capture, release: str) -> None:
    assert run(capsys, "patterns", "coverage", "--missing", "--table", release).code == 2
