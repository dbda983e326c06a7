"""Texts and constants become amounts, with the unit that they mean."""

from __future__ import annotations

from fractions import Fraction

import pytest

from analyzer.units import Given, Read, assumed, read
from tests.build import ref, size


@pytest.mark.parametrize("text", ["", "nan", "inf", "12GB", "1.2.3", "twelve"])
def test_what_is_no_finite_number_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="Invalid literal"):
        read(text, "GiB", ref())


@pytest.mark.parametrize("text", ["9" * 41, "9" * 5000, "1e41", "1e999999999", "1e-999999999", "9" * 25])
def test_what_is_more_than_there_is_anywhere_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"longer than any figure|more than there is anywhere"):
        read(text, "GiB", ref())


def test_three_hundred_years_are_the_longest_time() -> None:
    assert size("9999999999 s").value == 9_999_999_999
    with pytest.raises(ValueError, match="more than there is anywhere"):
        read("10000000000", "s", ref())


@pytest.mark.parametrize(
    ("text", "value", "slack"),
    [
        ("26.58 GiB", Fraction(2658, 100) * 2**30, Fraction(5, 1000) * 2**30),
        ("300.00 GB", 300 * 10**9, Fraction(5, 1000) * 10**9),
        ("1,655,200 KiB", 1_655_200 * 1024, 0),
        ("2 min", 120, 0),
        ("94 percent", Fraction(94, 100), 0),
        ("-1.86 GiB", Fraction(-186, 100) * 2**30, Fraction(5, 1000) * 2**30),
    ],
)
def test_a_printed_number_keeps_half_its_last_digit(text: str, value: Fraction, slack: Fraction) -> None:
    amount = size(text)
    assert (amount.value, amount.slack) == (value, slack)


def test_a_read_amount_cites_its_line_as_printed() -> None:
    assert size("300.00 GB", line=92).origin == Read(ref(92), "300.00 GB")


def test_decimal_units_say_so() -> None:
    assert size("1 GB").decimal
    assert not size("1 GiB").decimal


def test_a_constant_brings_its_reason() -> None:
    assert assumed("10", "GiB", "what SGLang keeps back").origin == Given("rule", "what SGLang keeps back")
