"""The sums are shown as they are, with what is missing named by its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from analyzer.catalog import Catalog
from analyzer.coverage import Measurement, Module, Release, measure, missing, row, table, text

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
"""
SOURCE = """
logger.info(f"Load weight begin. avail mem={free}")
logger.info(f"Load weight end. mem usage={used_mem}")
logger.warning("careful now")
raise ValueError("--page-size must divide " + name)
raise ValueError("rows are gone")
"""


@pytest.fixture
def measured(tmp_path: Path) -> Measurement:
    (tmp_path / "patterns.toml").write_text(PATTERNS, "utf-8")
    return measure(Catalog.load([tmp_path]), Release("1.2", (Module("srt/managers/scheduler.py", SOURCE),)))


def test_a_row_gives_how_many_are_named_of_how_many_and_how_many_raises_are_read(measured: Measurement) -> None:
    assert row(measured) == "| 1.2 | 1 of 2 | 0 of 0 | 0 of 1 | 0 of 0 | 0 of 1 | 0 of 1 | 2 of 2 |"


def test_a_table_has_a_head_and_a_row_for_each_release(measured: Measurement) -> None:
    head, rule, *rows = table([measured, measured]).splitlines()
    assert (
        head
        == "| SGLang | launch | batch | warning | error | decisive raise | inner raise | raise read as an exception |"
    )
    assert rule == "|---|---|---|---|---|---|---|---|"
    assert rows == [row(measured), row(measured)]


def test_the_text_has_a_line_for_each_group(measured: Measurement) -> None:
    lines = text(measured).splitlines()
    assert lines[0] == "SGLang 1.2: what of its own messages is recognised"
    assert "launch                  2       1   50%               0           0          1" in lines
    assert "inner raise             1       0    0%               1           0          0" in lines
    assert "Of 2 raises that end in a traceback, 2 are read with type, message, place and rank." in lines


def test_a_release_that_is_not_told_is_said_to_be(measured: Measurement) -> None:
    assert text(Measurement("", measured.measured)).startswith("SGLang (release not told)")


def test_what_is_missing_is_named_but_for_warnings_and_inner_raises(measured: Measurement) -> None:
    assert missing(measured).splitlines() == [
        "launch: srt/managers/scheduler.py:3: Load weight end. mem usage=12.345",
        "decisive raise: srt/managers/scheduler.py:5: ValueError: --page-size must divide thing",
    ]
