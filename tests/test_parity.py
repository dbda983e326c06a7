"""The same log plain, packed, encoded, and inside every wrapper, is the same incident."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import pytest

from analyzer.pipeline import analyse
from tests.samples import SAMPLES
from tests.wrapped import Wrapped, moments
from tests.wrappings import MORE, ONE, TWO

if TYPE_CHECKING:
    from pathlib import Path

    from analyzer.contract import Report

SUM = "hicache-300-per-rank"  # a launch that hangs, by a sum of many lines and files
CRASH = "watchdog-during-warm-up"  # a hang that a watchdog ends: stacks, tracebacks, the parent's words
_BYTES = frozenset({"crlf", "bom", "utf-16", "utf-16 without mark", "gz", "bz2", "xz", "zst", "tar", "tar.gz", "zip"})


@dataclass(frozen=True)
class Told:
    """What must not depend on the wrapping."""

    verdict: tuple[object, ...]
    phases: list[object]
    findings: list[object]
    cleared: list[str]


def told(report: Report, plain: dict[str, list[int]]) -> Told:
    """The report without names of sources and places in the text; cited lines are those of the plain log."""

    def line(cited: str) -> object:
        found = report.lines[cited]
        file = found.source.removesuffix("!entries").rpartition("!")[2].rpartition("/")[2].partition(".log")[0]
        return file, plain[file][found.line - 1] if file in plain else found.line

    verdict = report.verdict
    return Told(
        (verdict.outcome, verdict.phase, verdict.finding, verdict.status, verdict.summary),
        [
            [p.id, [(f.phase, f.start, f.end, f.state) for f in p.phases]]
            for launch in report.launches
            for p in launch.processes
        ],
        [
            [
                (f.id, f.role, f.status, f.summary),
                [(c.part, c.text, c.status, [line(cited) for cited in c.lines]) for c in f.claims],
                [(s.name, s.expression, s.value, s.unit) for s in f.calculation],
                [(c.text, c.count) for c in f.collateral],
            ]
            for f in report.findings
        ],
        sorted(c.id for c in report.cleared),
    )


@cache
def lines_of(case: str) -> tuple[str, ...]:
    text = (SAMPLES / case / "server.log").read_bytes().decode()  # a progress bar's `\r` ends no line
    return tuple(text.removesuffix("\n").split("\n"))


@cache
def expected(case: str) -> Told:
    return told(analyse([str(SAMPLES / case)]), {"server": list(range(1, len(lines_of(case)) + 1))})


def wrapped_in(kind: str, case: str) -> Wrapped:
    lines = list(lines_of(case))
    return ({**ONE, **MORE, **TWO})[kind](lines, moments(lines))


def read(case: str, wrapped: Wrapped, folder: Path) -> Report:
    for path in (SAMPLES / case).iterdir():
        if path.name != "server.log":
            (folder / path.name).write_bytes(path.read_bytes())
    (folder / wrapped.name).write_bytes(wrapped.data)
    return analyse([str(folder)])


@pytest.mark.parametrize(
    ("kind", "case"),
    [*((kind, SUM) for kind in (*ONE, *MORE, *TWO)), *((kind, CRASH) for kind in ONE if kind not in _BYTES)],
)
def test_the_incident_is_the_same_in_every_wrapping(tmp_path: Path, kind: str, case: str) -> None:
    wrapped = wrapped_in(kind, case)
    report = read(case, wrapped, tmp_path)
    assert told(report, {"server": wrapped.lines}) == expected(case)
    (source,) = (s for s in report.coverage.sources if "server.log" in s.name)
    assert not source.errors
    assert bool(source.layers) == (kind not in _BYTES), "a wrapper is named, an encoding or a packing is none"
