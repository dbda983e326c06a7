"""Two launches in one file: the last one is judged, by itself, and the one before it accuses nothing of it."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
import regex

from analyzer.vocabulary import Outcome
from tests.judging import accused, answer, blamable, files, read
from tests.samples import CASES

STAMP = regex.compile(rb"(\d{4}-\d\d-\d\d)([ T])(\d\d:\d\d:\d\d)")
HEALTHY = next(iter(files("healthy-two-ranks").values()))
# A prefill or decode leg is another server than one that stands alone, and a second node is no restart.
ALONE = sorted(
    name
    for name, case in CASES.items()
    if len(files(name)) == 1
    and b"server_args=" in (log := next(iter(files(name).values())))
    and STAMP.search(log)
    and not regex.search(rb"disaggregation_mode='(?:prefill|decode)'|nnodes=[2-9]", log)
)
every_log = pytest.mark.parametrize("name", ALONE)


def times(log: bytes) -> list[datetime]:
    return [datetime.fromisoformat(f"{found[1].decode()} {found[3].decode()}") for found in STAMP.finditer(log)]


def after(log: bytes, other: bytes) -> bytes:
    """The same log ten minutes after the end of another."""
    later = max(times(other)) + timedelta(minutes=10) - min(times(log))

    def moved(found: regex.Match[bytes]) -> bytes:
        moment = datetime.fromisoformat(f"{found[1].decode()} {found[3].decode()}") + later
        return f"{moment:%Y-%m-%d}".encode() + found[2] + f"{moment:%H:%M:%S}".encode()

    return STAMP.sub(moved, log)


def only_log(name: str) -> bytes:
    return next(iter(files(name).values())).rstrip(b"\n") + b"\n"


@every_log
def test_a_healthy_launch_after_an_incident_is_healthy(name: str) -> None:
    report = answer([read("server.log", only_log(name) + after(HEALTHY, only_log(name)))])
    assert Outcome(report.verdict.outcome) in {Outcome.READY, Outcome.STOPPED}
    assert accused(report) == frozenset()


@every_log
def test_an_incident_after_a_healthy_launch_accuses_what_it_does_by_itself(name: str) -> None:
    report = answer([read("server.log", HEALTHY + after(only_log(name), HEALTHY))])
    assert accused(report) <= blamable(name)
