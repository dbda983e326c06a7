"""What is printed fits the terminal that it is printed on: width, colours, code page, pipe."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import unicodedata
from typing import TYPE_CHECKING

import pytest

from analyzer.compare import compare
from analyzer.report import brief, markdown, text, timeline
from analyzer.report.escape import printable
from analyzer.report.page import Look
from tests.cli.run import run
from tests.samples import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable

    from analyzer.contract import Report

    ReportOf = Callable[[str], Report]

POSTMORTEM = [sys.executable, "-m", "analyzer"]
FOUNDING, AFTERMATH, SEVERAL = "hicache-300-per-rank", "hicache-48-aftermath", "two-nodes-rank-zero"
SUB_COMMANDS = [[], ["analyze"], ["timeline"], ["report"], ["compare"], ["explain"], ["rules"], ["completion"],
                ["patterns"], ["patterns", "list"], ["patterns", "check"], ["patterns", "coverage"]]  # fmt: skip


def pages(report_of: ReportOf, look: Look) -> dict[str, str]:
    """What commands print for people in this look."""
    founding, aftermath = report_of(FOUNDING), report_of(AFTERMATH)
    return {
        "analyze": text.render(founding, look),
        "several": text.render(report_of(SEVERAL), look),
        "timeline": timeline.render(aftermath, look),
        "compare": compare(founding, aftermath, look),
    }


def printed(*arguments: str, **environment: str) -> bytes:
    """What a command writes into a pipe, with these variables set."""
    bare = {k: v for k, v in os.environ.items() if k not in {"NO_COLOR", "FORCE_COLOR", "COLUMNS", "PYTHONUTF8"}}
    done = subprocess.run([*POSTMORTEM, *arguments], cwd=ROOT, env=bare | environment, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (3, b"")
    return done.stdout


def cells(line: str) -> int:
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


@pytest.mark.parametrize("width", [60, 80, 120, 200])
def test_no_line_is_wider_than_the_page(width: int, report_of: ReportOf) -> None:
    for name, page in pages(report_of, Look(width)).items():
        lines = page.split("\n")
        assert max(map(cells, lines)) <= width, name
        assert len(lines) > 10


@pytest.mark.parametrize("width", [60, 100, 200])
def test_the_first_screen_answers_at_any_width(width: int, report_of: ReportOf) -> None:
    screen = text.render(report_of(FOUNDING), Look(width)).split("\n")
    labels = [line[:15].strip() for line in screen if line[:1].isupper()]
    assert labels[:6] == ["HUNG", "CAUSE", "SUM", "DO NOW", "NOT KNOWN", "TIMELINE"]


@pytest.mark.parametrize("encoding", ["cp437", "cp1252", "ascii"])
def test_a_code_page_that_lacks_our_signs_shows_readable_stand_ins(encoding: str, report_of: ReportOf) -> None:
    shown = pages(report_of, Look(100, ascii=True))
    shown |= {"md": markdown.render(report_of(FOUNDING)), "brief": brief.render(report_of(FOUNDING))}
    for name, page in shown.items():
        fitted = printable(page, encoding)
        assert fitted.encode(encoding)
        assert not re.search(r"\\x[0-9a-f]{2}|\\u[0-9a-f]{4}", fitted), f"{name}: every sign of ours has a stand-in"


def test_a_pipe_with_a_code_page_gets_no_colours_and_no_signs_that_it_lacks() -> None:
    shown = printed(f"samples/{FOUNDING}", PYTHONIOENCODING="cp437").decode("cp437")
    assert shown.isascii()
    assert "8 ranks x 300 GB per rank" in shown
    assert "\x1b" not in shown


def test_colours_can_be_forced_into_a_pipe() -> None:
    assert b"\x1b[" in printed(f"samples/{FOUNDING}", FORCE_COLOR="1", TERM="dumb", PYTHONIOENCODING="utf-8")


@pytest.mark.parametrize("words", SUB_COMMANDS, ids=" ".join)
def test_every_command_explains_itself_with_examples(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    help_ = run(capsys, *words, "--help").out
    assert help_.startswith("Usage: postmortem")
    assert "Examples:\n" in help_ or words == ["patterns"], "a group has those of its commands"
    assert max(map(len, help_.split("\n"))) <= 120


def test_quiet_is_one_line_that_can_be_carried(report_of: ReportOf) -> None:
    from analyzer.report import one_line

    line = one_line.render(report_of(FOUNDING))
    assert line.count("\n") == 1
    assert line.startswith("launch-hung in host-pool: Established: --hicache-size 300 counts per rank")
    assert len(line) < 600
