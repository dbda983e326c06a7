"""The mark of left-out lines is known again, breaks what would join over it, and is nothing else."""

from __future__ import annotations

import pytest

from analyzer import bundle, parsers
from analyzer.catalog import Catalog
from analyzer.events import ExceptionRaised
from analyzer.records.left_out import left_out, mark


@pytest.mark.parametrize(
    "text", ["", "~~~", "~~~ postmortem left out lines 9 to", "[2026-02-17 10:06:42] ~~~ postmortem", "lines 3 to 9"]
)
def test_any_other_line_stands_for_no_lines(text: str) -> None:
    assert left_out(text) == 0


def test_a_mark_stands_for_the_lines_from_its_first_to_its_last() -> None:
    assert left_out(mark(96, 1200)) == 1200 - 96 + 1
    assert "96 to 1200 of the original" in mark(96, 1200)


def test_a_mark_that_was_made_up_stands_for_nothing() -> None:
    assert left_out("~~~ postmortem left out lines 9 to 3 of the original ~~~") == 0
    assert left_out(f"~~~ postmortem left out lines 1 to {'9' * 40} of the original ~~~") == 0


def test_no_traceback_goes_on_over_a_mark() -> None:
    log = (
        "[2026-02-17 10:00:00 TP0] Scheduler hit an exception: Traceback (most recent call last):\n"
        '  File "/app/run.py", line 3, in run\n'
        f"{mark(3, 90)}\n"
        "RuntimeError: of another traceback\n"
    )
    source = bundle.opened("server.log", log.encode()).sources[0]
    parsed = parsers.parse(source, Catalog.load())
    assert (parsed.lines, parsed.left_out) == (4, 88)
    assert [event.type for event in parsed.events if isinstance(event, ExceptionRaised)] == [""], "cut off"
