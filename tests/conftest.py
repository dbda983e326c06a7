"""What all tests share: one way for property tests to run, and the report of every sample, made once."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from tests.samples import CASES, SAMPLES

if TYPE_CHECKING:
    from collections.abc import Callable

    from analyzer.contract import Report

# The same examples on every machine and no database, so that a run leaves nothing behind; no deadline on busy cores.
settings.register_profile("project", database=None, deadline=None, derandomize=True, max_examples=200)
settings.load_profile("project")


@functools.cache
def _report(name: str) -> Report:
    from analyzer.pipeline import Given, analyse

    return analyse([str(SAMPLES / name)], Given(), f"postmortem analyze samples/{name}")


@pytest.fixture(scope="session")
def report_of() -> Callable[[str], Report]:
    """The report of a sample by its folder's name."""
    return _report


@pytest.fixture(scope="session")
def sample_reports() -> dict[str, Report]:
    """The reports of all samples by name."""
    return {name: _report(name) for name in CASES}
