"""The table of what is recognised of each release is current: the rows of two small releases are made again."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from analyzer.catalog import Catalog
from analyzer.coverage import Group, Measurement, measure, open_release, row
from tests.samples import ROOT

if TYPE_CHECKING:
    from pathlib import Path

TABLE = ROOT / "patterns" / "COVERAGE.md"
RELEASES = ("0.4.6.post5", "0.5.2")
TARGET = 0.9
WAIT = 120  # seconds for two megabytes


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The two wheels, fetched once; without a registry the tests are skipped and say so."""
    folder = tmp_path_factory.mktemp("wheels")
    wanted = [f"sglang=={version}" for version in RELEASES]
    for asked in wanted:
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:", "--retries", "0"]
        try:
            subprocess.run([*command, "-d", str(folder), asked], check=True, capture_output=True, timeout=WAIT)
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired, OSError) as error:
            pytest.skip(f"the registry gave no {asked}, so the table was not made again: {error}")
    return folder


@pytest.fixture(scope="module")
def measured(wheels: Path) -> dict[str, Measurement]:
    paths = {version: next(wheels.glob(f"sglang-{version}-*.whl")) for version in RELEASES}
    catalog = Catalog.load()
    return {version: measure(catalog, open_release(str(path))) for version, path in paths.items()}


@pytest.mark.parametrize("version", RELEASES)
def test_a_release_s_row_is_current(measured: dict[str, Measurement], version: str) -> None:
    assert row(measured[version]) in TABLE.read_text("utf-8").splitlines(), "make it again: see the file's last lines"


@pytest.mark.parametrize("version", RELEASES)
def test_every_launch_and_batch_line_is_named(measured: dict[str, Measurement], version: str) -> None:
    for group in (Group.LAUNCH, Group.BATCH):
        tally = measured[version].tally(group)
        assert tally.named == tally.messages > 0


@pytest.mark.parametrize("version", RELEASES)
def test_nine_tenths_of_the_errors_that_name_their_cause_are_named(
    measured: dict[str, Measurement], version: str
) -> None:
    tallies = [measured[version].tally(group) for group in (Group.ERROR, Group.DECISIVE)]
    assert sum(t.named for t in tallies) >= TARGET * sum(t.messages for t in tallies)


@pytest.mark.parametrize("version", RELEASES)
def test_no_raise_passes_by_without_a_trace(measured: dict[str, Measurement], version: str) -> None:
    for group in (Group.DECISIVE, Group.INNER):
        tally = measured[version].tally(group)
        assert tally.named + tally.raised == tally.messages


@pytest.mark.parametrize("version", RELEASES)
def test_every_traceback_is_read_as_it_was_raised(measured: dict[str, Measurement], version: str) -> None:
    raises, read = measured[version].tracebacks()
    assert read == raises > 0


@pytest.mark.parametrize("version", RELEASES)
def test_no_two_patterns_claim_one_message_by_accident(measured: dict[str, Measurement], version: str) -> None:
    assert list(measured[version].contests()) == []
