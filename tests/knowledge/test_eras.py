"""What a fact that changed is in a release that is exact, a range, between two looks, or unknown."""

from __future__ import annotations

import pytest
from packaging.version import Version

from analyzer.knowledge.eras import at, eras, newest_before
from analyzer.knowledge.release import UNKNOWN, Release

LOOKED_AT = tuple(map(Version, ("0.4.6", "0.4.8", "0.5.2", "0.5.9")))
HISTORY = eras([("0.4.8", "one"), ("0.5.2", "two"), ("0.5.9", "one")], LOOKED_AT)


@pytest.mark.parametrize(
    ("low", "high"),
    [
        ("0.4.6", "0.4.6"),  # before the fact
        ("0.5.1", "0.5.1"),  # nobody looked between 0.4.8 and 0.5.2
        ("0.4.8", "0.5.2"),
        ("0.4.8", "0.5.9"),  # the same at both ends, not in between
        ("0.5.2", None),
        (None, "0.5.2"),
        (None, None),
    ],
)
def test_what_does_not_hold_in_the_whole_range_is_not_said(low: str | None, high: str | None) -> None:
    release = Release(low=Version(low) if low else None, high=Version(high) if high else None)
    assert at(HISTORY, release) is None


@pytest.mark.parametrize(
    ("low", "high", "value"),
    [
        ("0.4.8", "0.4.8", "one"),
        ("0.5.2", "0.5.2", "two"),
        ("0.5.3", "0.5.7", None),  # the change to 0.5.9's value may have come anywhere after 0.5.2
        ("0.5.9", "0.5.9", "one"),
        ("0.5.9", None, "one"),
        ("0.5.10", "0.5.20", "one"),
        (None, "0.4.8", "one"),  # it was asked about, so it exists
    ],
)
def test_what_holds_in_the_whole_range_is_said(low: str | None, high: str, value: str | None) -> None:
    release = Release(low=Version(low) if low else None, high=Version(high) if high else None)
    assert at(HISTORY, release) == value


def test_a_fact_that_never_changed_holds_for_an_unknown_release() -> None:
    assert at(eras([("0.4.8", "same")], LOOKED_AT), UNKNOWN) == "same"


def test_nothing_is_said_of_a_fork() -> None:
    assert at(eras([("0.4.8", "same")], LOOKED_AT), Release.of("0.5.9", fork=True)) is None


def test_a_fact_without_history_has_no_value() -> None:
    assert at((), Release.of("0.5.9")) is None


def test_the_newest_release_before_another_is_one_that_was_looked_at() -> None:
    assert newest_before(Version("0.5.2"), LOOKED_AT) == Version("0.4.8")
    assert newest_before(Version("0.6.0"), LOOKED_AT) == Version("0.5.9")
    assert newest_before(Version("0.4.6"), LOOKED_AT) is None
