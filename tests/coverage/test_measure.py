"""The sums count each message once, in its group and its folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from analyzer.catalog import Catalog
from analyzer.coverage import Contest, Group, Measurement, Module, Release, Tally, measure

if TYPE_CHECKING:
    from pathlib import Path

PATTERNS = """
[source]
program = "sglang"
[[pattern]]
id = "weights"
harmless = "a step"
literal = "Load weight begin"
regex = 'Load weight begin'
sample = [{ line = "Load weight begin" }]
[[pattern]]
id = "flush"
harmless = "a cache"
literal = "flush"
regex = 'Failed to flush'
sample = [{ line = "Failed to flush" }]
[[pattern]]
id = "failure"
harmless = "a failure"
literal = "Failed to"
regex = 'Failed to flush the'
sample = [{ line = "Failed to flush the" }]
"""
SCHEDULER = """
logger.info(f"Load weight begin. avail mem={free}")
logger.error("Failed to flush the cache")
logger.error("Failed to " + ("flush it" if x else "sleep"))
logger.error("quiet words")
raise ValueError("--page-size must divide 64")
assert x, "rows are gone"
"""
MODEL = 'logger.info(f"Load weight end. mem usage={used}")\nlogger.error("no such layer")\n'


@pytest.fixture
def measured(tmp_path: Path) -> Measurement:
    (tmp_path / "patterns.toml").write_text(PATTERNS, "utf-8")
    release = Release("1.2", (Module("srt/managers/scheduler.py", SCHEDULER), Module("srt/models/llama.py", MODEL)))
    return measure(Catalog.load([tmp_path]), release)


def test_launch_lines_count_anywhere_and_errors_in_the_folders_that_an_operator_meets(measured: Measurement) -> None:
    assert measured.tally(Group.LAUNCH) == Tally(2, 1, 0, 0)
    assert measured.tally(Group.ERROR).messages == 3
    assert measured.tally(Group.ERROR, "models").messages == 1


def test_a_message_is_named_only_where_all_its_wordings_are(measured: Measurement) -> None:
    tally = measured.tally(Group.ERROR)
    assert (tally.named, tally.shown, tally.unnoticed) == (1, 1, 1)


def test_a_raise_without_a_pattern_is_read_as_an_exception(measured: Measurement) -> None:
    assert measured.tally(Group.DECISIVE) == Tally(1, 0, 1, 0)
    assert measured.tally(Group.INNER) == Tally(1, 0, 1, 0)


def test_a_contest_is_told_once_with_its_place(measured: Measurement) -> None:
    (contest,) = measured.contests()
    assert isinstance(contest, Contest)
    assert contest.patterns == ("failure", "flush")
    assert contest.message.place == "srt/managers/scheduler.py:3"
