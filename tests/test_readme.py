"""README.md shows what the program really prints, and names only what is there."""

from __future__ import annotations

import re
import textwrap
import tomllib
from typing import TYPE_CHECKING

import pytest

from analyzer.catalog import Catalog, check
from tests.readme import BLOCKS, COMMAND, README, block
from tests.samples import ROOT

if TYPE_CHECKING:
    from pathlib import Path

TEXT = README.read_text("utf-8")
SHELL = re.findall(r"```sh\n(.*?)```", TEXT, re.DOTALL)


@pytest.mark.parametrize("name", BLOCKS)
def test_a_generated_part_is_current(name: str) -> None:
    assert block(TEXT, name) == BLOCKS[name](), "`python -m tests.readme` writes it anew"


def test_the_first_command_installs_and_shows_a_verdict_in_one_line() -> None:
    line = SHELL[0].strip()
    assert "\n" not in line
    assert line.startswith("python3 -m venv .venv && .venv/bin/pip install -q '.[test]' && ")
    assert line.endswith(f".venv/bin/postmortem {' '.join(COMMAND)}")
    assert (ROOT / COMMAND[1]).is_dir()


def test_the_second_command_runs_the_tests() -> None:
    assert SHELL[1] == ".venv/bin/python -m pytest -q\n"


def test_the_extra_that_the_first_command_installs_holds_what_the_second_needs() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    assert {re.split(r"[<>=]", name)[0] for name in extras["test"]} == {
        "hypothesis",
        "markdown-it-py",
        "numba",
        "pytest",
    }


def test_every_linked_file_is_there() -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", TEXT)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_the_first_screen_of_the_report_fits_a_hundred_columns() -> None:
    assert [line for line in block(TEXT, "verdict").split("\n") if len(line) > 100] == []


def test_the_variant_that_is_shown_is_one_that_the_check_accepts(tmp_path: Path) -> None:
    variant = textwrap.dedent(re.findall(r" *```toml\n(.*?)```", TEXT, re.DOTALL)[0])
    pattern = """
        [[pattern]]
        id = "weights-loaded"
        event = "WeightsLoaded"
        speaker = "scheduler"
        [pattern.captures]
        elapsed = "s"
        free = "GiB"
        """
    (tmp_path / "mine.toml").write_text(textwrap.dedent(pattern) + variant, "utf-8")
    assert not check(Catalog.load([tmp_path]))
