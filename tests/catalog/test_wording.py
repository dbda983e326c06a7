"""Expressions of pattern files are restricted, and their fixed beginning is known."""

from __future__ import annotations

import random

import pytest

from analyzer.catalog import Catalog, wording
from analyzer.catalog.match import Entry


@pytest.mark.parametrize(
    ("pattern", "named"),
    [
        (r"(?=x)", "look-ahead"),
        (r"a(?!b)", "look-ahead"),
        (r"(?<=a)b", "look-behind"),
        (r"(?<!a)b", "look-behind"),
        (r"(a)\1", "back-reference"),
        (r"(?P<a>x)(?P=a)", "back-reference"),
        (r"(?R)", "recursion"),
        (r"(", "no regular expression"),
    ],
)
def test_an_expression_that_looks_around_or_back_is_refused(pattern: str, named: str) -> None:
    assert named in wording.objection(pattern)


@pytest.mark.parametrize("pattern", [r"(?<name>x)", r"(?P<name>x)", r"[(?=]", r"\(\?=", r"(?x) a\ b", r"(?:a|b)+"])
def test_a_named_group_a_class_and_an_escape_are_no_look_around(pattern: str) -> None:
    assert wording.objection(pattern) == ""


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (r"Load weight end\. type=(?<t>\w+)", "Load weight end. type="),
        (r"(?x) Load\ weight (?<t>\w+)", "Load weight"),
        (r"abcd?", "abc"),
        (r"abcd+", "abcd"),
        (r"abcd{2}", "abc"),
        (r"ab|cd", ""),
        (r"(?i)abcd", ""),
        (r"(?:INFO: )?abc", ""),
        (r"ab(?:c|d)", "ab"),
        (r"ab\d", "ab"),
    ],
)
def test_the_fixed_beginning_ends_where_the_text_may_vary(pattern: str, text: str) -> None:
    assert wording.first_text(pattern) == text


def test_the_captures_of_both_spellings_are_named() -> None:
    assert wording.names(r"(?<a>x)[(?<b>](?P<c>y)\(?<d>") == {"a", "c"}


@pytest.mark.parametrize(
    ("pattern", "alike"),
    [
        (r"\d+ of \d{1,3} \w+[^,]{0,40}.*[0-9.]+ [a-z]", True),
        (r"(?P<p2p_gb>\d+) (?<a1>x)", True),
        (r"(?i)usage: \S+", True),
        (r"exit code -9", False),
        (r"[1-9]\d*", False),
        (r"[^0]", False),
        (r"\x41", False),
        (r"a\{1\}", False),
        (r"100%", False),
    ],
)
def test_whether_digits_are_taken_alike(pattern: str, alike: bool) -> None:  # noqa: FBT001 - a case
    assert wording.takes_digits_alike(pattern) == alike


ALIKE = [
    (entry, sample.text)
    for pattern in Catalog.load().patterns
    for variant in pattern.variants
    if (entry := Entry(pattern, variant)).takes_digits_alike
    for sample in pattern.samples
    if "\n" not in sample.text
]


@pytest.mark.parametrize("seed", range(3))
def test_a_wording_that_takes_digits_alike_takes_any_in_the_same_places(seed: int) -> None:
    assert len(ALIKE) > 100
    dice = random.Random(seed)  # noqa: S311 - the same digits every time
    for entry, text in ALIKE:
        other = "".join(dice.choice("0123456789") if character in "0123456789" else character for character in text)
        assert entry.matches(text) == entry.matches(other), other
