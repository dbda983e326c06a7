"""What the long hunt once found stays fixed, and a short hunt in every reader finds nothing."""

from __future__ import annotations

import random
import signal

import pytest

from tests.fuzz.__main__ import CORPUS, TooSlowError, smaller, tried
from tests.fuzz.mutate import mutated
from tests.fuzz.targets import TARGETS, seeds

KEPT = sorted(path.relative_to(CORPUS).as_posix() for path in CORPUS.glob("*/*.txt"))
INPUTS = 200
SLOWER = {"parse": 40}  # a whole source costs more


@pytest.mark.parametrize("name", TARGETS)
def test_the_first_inputs_of_a_hunt_break_nothing(name: str) -> None:
    dice = random.Random(name)  # noqa: S311 - the same inputs every time
    made_of = seeds(name)
    for _ in range(SLOWER.get(name, INPUTS)):
        text = mutated(made_of, dice)
        error = tried(TARGETS[name], text)
        assert error is None, f"{error!r}: {smaller(TARGETS[name], text, type(error))!r}"


@pytest.mark.parametrize("kept", KEPT)
def test_what_was_found_or_feared_stays_harmless(kept: str) -> None:
    text = (CORPUS / kept).read_bytes().decode("utf-8", "surrogatepass")
    assert tried(TARGETS[kept.partition("/")[0]], text) is None


def test_there_is_a_corpus() -> None:
    assert KEPT


def test_a_failure_is_made_smaller() -> None:
    def breaks(text: str) -> None:
        if "x" in text:
            raise ValueError

    assert smaller(breaks, "one\ntwo x\nthree", ValueError) == "x"


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="a clock of the processor's time")
def test_an_input_that_never_ends_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(_: str) -> None:
        while True:
            pass

    monkeypatch.setattr("tests.fuzz.__main__.ENDLESS", 0.02)
    assert isinstance(tried(endless, "x"), TooSlowError)
    assert tried(str.upper, "x") is None
