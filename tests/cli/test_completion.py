"""A shell is told how to ask, and its questions are answered; nothing is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.cli.run import run
from tests.samples import ROOT

if TYPE_CHECKING:
    from pathlib import Path

POSTMORTEM = [sys.executable, "-m", "analyzer"]


def answered(home: Path, *words: str) -> list[str]:
    """What may stand at the cursor, as bash asks for it."""
    asked = {"_POSTMORTEM_COMPLETE": "complete_bash", "COMP_WORDS": " ".join(words), "COMP_CWORD": str(len(words) - 1)}
    done = subprocess.run(
        POSTMORTEM, env=os.environ | asked | {"HOME": str(home)}, cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    return done.stdout.split()


def test_commands_and_options_are_completed(tmp_path: Path) -> None:
    assert answered(tmp_path, "postmortem", "re") == ["report"]
    assert answered(tmp_path, "postmortem", "report", "--te") == ["--template"]
    assert list(tmp_path.iterdir()) == [], "nothing is written to the home folder"


@pytest.mark.parametrize(
    ("shell", "says"), [("bash", "complete -o default"), ("zsh", "compdef"), ("fish", "complete --command postmortem")]
)
def test_a_shell_gets_its_script(capsys: pytest.CaptureFixture[str], shell: str, says: str) -> None:
    ran = run(capsys, "completion", shell)
    assert (ran.code, ran.err) == (0, "")
    assert says in ran.out
    assert "_POSTMORTEM_COMPLETE" in ran.out


def test_another_shell_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "completion", "cmd").code == 2


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")
def test_bash_takes_the_script(tmp_path: Path) -> None:
    (tmp_path / "postmortem").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m analyzer "$@"\n')
    (tmp_path / "postmortem").chmod(0o755)
    script = 'eval "$(postmortem completion bash)"; COMP_WORDS=(postmortem exp); COMP_CWORD=1; _postmortem_completion postmortem; echo "${COMPREPLY[@]}"'
    path = {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-c", script], env=os.environ | path, cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["explain"]
