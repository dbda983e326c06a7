"""Tracebacks whose head is missing."""

from __future__ import annotations

from dataclasses import replace

from analyzer.events import ChildFailed, ExceptionRaised
from analyzer.parsers.orphans import adopted
from tests.build import where

PARENT = ChildFailed(where=where(12, "10:00:01"), text="Received sigquit from a child process.")


def raised(line: int, process: str = "", *, handled: bool = False) -> ExceptionRaised:
    """A traceback that ends in the given line."""
    return ExceptionRaised(where=where(line), type="RuntimeError", process=process, handled=handled)


def test_an_exception_that_code_went_on_after_stays_nobody_s() -> None:
    events = [raised(9, handled=True), PARENT]
    assert adopted(events) == events


def test_an_exception_beside_a_named_one_stays_nobody_s() -> None:
    events = [raised(3, "scheduler"), raised(9), PARENT]
    assert adopted(events) == events


def test_an_exception_long_before_the_parent_s_report_stays_nobody_s() -> None:
    far = replace(PARENT, where=where(90, "10:00:01"))
    events = [raised(9), far]
    assert adopted(events) == events


def test_without_a_report_of_the_parent_nothing_changes() -> None:
    assert [e.process for e in adopted([raised(9)]) if isinstance(e, ExceptionRaised)] == [""]


def test_the_nameless_exception_before_the_report_is_the_child_s() -> None:
    [early, late, _] = adopted([raised(3), raised(9), PARENT])
    assert isinstance(early, ExceptionRaised)
    assert isinstance(late, ExceptionRaised)
    assert (early.process, late.process) == ("", "scheduler")
