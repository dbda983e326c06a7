"""Runs the program in this process, with a pipeline that gives a report made by hand."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from analyzer.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import pytest

    from analyzer.contract import Report


class Ran(NamedTuple):
    """What a command gave."""

    code: int
    out: str
    err: str


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> Ran:
    """The exit code and both outputs of one command line."""
    capsys.readouterr()
    code = main(arguments)
    out, err = capsys.readouterr()
    return Ran(code, out, err)


class Pipeline(ModuleType):
    """Stands in for `analyzer.pipeline`: notes what it is asked and answers with `make`."""

    def __init__(self, make: Callable[[Sequence[str]], Report]) -> None:
        super().__init__("analyzer.pipeline")
        self.asked: list[tuple[list[str], Any, str]] = []
        self._make = make

    def Given(self, *facts: object) -> tuple[object, ...]:  # noqa: N802 - the name of the class it stands for
        return facts

    def analyse(self, paths: Sequence[str], given: object, command: str, **_: object) -> Report:
        self.asked.append((list(paths), given, command))
        return self._make(paths)


def answer(monkeypatch: pytest.MonkeyPatch, make: Callable[[Sequence[str]], Report]) -> Pipeline:
    """Puts a pipeline in place for one test."""
    pipeline = Pipeline(make)
    monkeypatch.setitem(sys.modules, "analyzer.pipeline", pipeline)
    return pipeline
