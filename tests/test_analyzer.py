"""The package is a library: typed, quiet, and imported without waiting for what is not asked for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import analyzer
from analyzer import Given, Report, analyse
from tests.samples import ROOT, SAMPLES

if TYPE_CHECKING:
    from collections.abc import Sequence


def test_an_analysis_is_a_report_and_prints_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    paths: Sequence[str] = [str(SAMPLES / "job-time-limit")]
    report: Report = analyse(paths, Given())
    assert isinstance(report, Report)
    assert (report.verdict.outcome, report.verdict.finding) == ("killed", "job-limit-reached")
    assert capfd.readouterr() == ("", "")


def test_every_name_that_is_offered_is_there() -> None:
    assert all(getattr(analyzer, name) for name in analyzer.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'analyze'"):
        analyzer.analyze  # noqa: B018 - asking for it is the point


def test_the_package_alone_imports_nothing_that_is_slow() -> None:
    code = "import sys, analyzer; print([m for m in sys.modules if m.split('.')[0] in ('polars', 'rich', 'pydantic', 'jinja2')])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_the_package_says_that_it_is_typed() -> None:
    assert Path(analyzer.__file__).with_name("py.typed").is_file()
