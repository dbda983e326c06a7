"""Amounts are written as people read them, with no digit too many."""

from __future__ import annotations

import pytest

from analyzer.units import both, shown, times
from tests.build import counted, size


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("449 GiB", "449 GiB"),
        ("26.58 GiB", "26.6 GiB"),
        ("4.52 GiB", "4.52 GiB"),
        ("300.00 GB", "300 GB"),
        ("512 MiB", "0.5 GiB"),
        ("64 MiB", "64 MiB"),
        ("12 B", "12 B"),
        ("33.0 s", "33 s"),
        ("359 s", "359 s"),
        ("600 s", "600 s (10 min)"),
        ("5 h", "5.0 h"),
        ("72 h", "3.0 days"),
        ("116171 token", "116,171 tokens"),
        ("863.1 token/s", "863 tok/s"),
        ("1.5 ratio", "1.5"),
    ],
)
def test_an_amount_in_its_usual_unit(text: str, written: str) -> None:
    assert shown(size(text)) == written


def test_a_size_typed_in_decimal_stands_beside_its_binary_one() -> None:
    # 2,400 × 10^9 ÷ 2^30 = 2,235.17
    assert both(size("300 GB") * counted(8)) == "2,400 GB = 2,235 GiB"


def test_a_binary_size_stands_alone() -> None:
    assert both(size("449 GiB")) == "449 GiB"


def test_rounding_takes_digits_away() -> None:
    # 1.2 GiB is known to 0.05 GiB: a second decimal would be invented.
    assert shown(size("1.2 GiB")) == "1.2 GiB"
    assert shown(size("1.2 GiB") - size("0.1 GiB")) == "1 GiB", "known to 0.1: the first decimal is not sure"


@pytest.mark.parametrize(
    ("asked", "there", "words"), [("2400 GB", "449 GiB", "about 5 times"), ("3 GiB", "2 GiB", "about 1.5 times")]
)
def test_a_ratio_claims_two_digits_at_most(asked: str, there: str, words: str) -> None:
    assert times(size(asked) / size(there)) == words
