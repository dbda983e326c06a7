"""Expressions of pattern files are restricted, and their fixed beginning is known."""

from __future__ import annotations

import pytest

from analyzer.catalog import wording


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
