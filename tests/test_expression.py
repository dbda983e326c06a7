"""An expression is compiled when it is first used, and then is what the compiler makes of it; digits are left out."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.expression import lazy, lazy_regex, without_digits


def test_a_mistake_shows_at_the_first_use() -> None:
    broken = lazy("(")
    with pytest.raises(re.error):
        broken.match("(")


def test_it_matches_as_the_compiled_one_does() -> None:
    number = lazy(r"(\d+) gib", re.IGNORECASE)
    found = number.search("uses 17 GiB")
    assert found is not None
    assert found[1] == "17"
    assert number.sub("x", "1 GIB 2 gib") == "x x"
    assert (number.pattern, number.flags & re.IGNORECASE) == (r"(\d+) gib", re.IGNORECASE)


def test_letters_of_every_language_are_letters_for_the_other_compiler() -> None:
    assert lazy_regex(r"\p{L}+").fullmatch("naïve") is not None


def test_it_is_compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = re.compile(r"\w+")
    made: list[str] = []
    monkeypatch.setattr(re, "compile", lambda pattern, _: made.append(pattern) or compiled)
    word = lazy(r"\w+")
    assert made == []
    assert word.match("a")
    assert word.fullmatch("a")
    assert made == [r"\w+"]


@given(st.text(st.characters(exclude_categories=[])))  # with surrogates, of which file names may be made
def test_what_is_left_of_a_text_without_its_digits(text: str) -> None:
    assert without_digits(text) == "".join(character for character in text if character not in "0123456789")


def test_digits_of_other_scripts_stay() -> None:
    assert without_digits("1٣ x²") == "٣ x²"
