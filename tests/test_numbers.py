"""No number that a log prints sizes what the program does: no list, loop, text or picture grows with it."""

from __future__ import annotations

import functools

import pytest
import regex

from analyzer.bundle.gather import Bundle
from analyzer.bundle.source import InMemory, Source
from analyzer.pipeline import analyse
from analyzer.report.json import loads
from tests.judging import files
from tests.test_hostile import FORMATS

TIME = regex.compile(rb"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d|\d\d:\d\d:\d\d")
NUMBER = regex.compile(rb"\d+(?:\.\d+)?")
ARGUMENT = regex.compile(rb"(?<==)\d+(?:\.\d+)?(?=[,)])")
HUGE = {"a million": b"1000003", "beyond 64 bits": b"9" * 30, "no float": b"9" * 400,
        "no text": b"9" * 5000, "an exponent": b"1e308", "nothing": b"0"}  # fmt: skip
# Arguments, ranks, nodes, GPUs, shards, batch lines, snapshots, times, kernel records.
SAMPLES = ("hicache-300-per-rank", "two-nodes-rank-zero", "retraction-storm", "oom-kill-by-a-neighbour")


def replaced(data: bytes, number: bytes, kind: regex.Pattern[bytes], *, times: bool = False) -> bytes:
    """The text with this number in place of every other one, its times left as they are unless they go too."""
    made, at = [], 0
    for time in TIME.finditer(data):
        said = b"9999-12-31 23:59:59" if times and time.start() % 2 else time[0]
        made += [kind.sub(number, data[at : time.start()]), said]
        at = time.end()
    return b"".join([*made, kind.sub(number, data[at:])])


def bounded(sample: str, change: functools.partial[bytes]) -> None:
    """Asserts that every document on the changed sample is made, and is not larger than hostile text makes it."""
    changed = {name: change(data) for name, data in files(sample).items()}
    report = analyse(Bundle([Source(name, len(data), InMemory(data)) for name, data in changed.items()]))
    assert not [unknown for unknown in report.unknown if "the rule itself failed" in unknown.needs]
    for name, (render, most) in FORMATS.items():
        document = render(report)
        assert len(document) <= most, name
        if name == "json":
            loads(document)


@pytest.mark.parametrize("sample", SAMPLES)
@pytest.mark.parametrize("number", HUGE.values(), ids=HUGE)
def test_every_number_of_a_log_may_be_huge(sample: str, number: bytes) -> None:
    bounded(sample, functools.partial(replaced, number=number, kind=NUMBER))


@pytest.mark.parametrize("sample", SAMPLES)
@pytest.mark.parametrize("number", HUGE.values(), ids=HUGE)
def test_every_number_of_the_arguments_may_be_huge(sample: str, number: bytes) -> None:
    bounded(sample, functools.partial(replaced, number=number, kind=ARGUMENT))


@pytest.mark.parametrize("sample", SAMPLES)
def test_times_may_lie_thousands_of_years_apart(sample: str) -> None:
    bounded(sample, functools.partial(replaced, number=b"7", kind=regex.compile(rb"(?!)"), times=True))
