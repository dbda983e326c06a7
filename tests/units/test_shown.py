"""Amounts are written as people read them, with no digit too many."""

from __future__ import annotations

import pytest

from analyzer.units import both, fold, measured, percent, shown, times
from tests.build import counted, ref, size


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


def test_a_count_shows_the_digits_that_rounding_leaves() -> None:
    # 15.13 GiB is known to 0.005 GiB, 0.033%: of 16,245,713,797 ÷ 231,174 = 70,275 bytes that is 23, less than half
    # of a hundred; of 50 × 10^9 ÷ 70,275 = 711,492 tokens it is 235, less than half of a thousand
    per_token = size("15.13 GiB").per(size("231174 token"))
    assert shown(per_token) == "about 70,300 bytes per token"
    tokens = size("50 GB").buys(per_token)
    assert shown(tokens) == "about 711,000 tokens"
    assert round(tokens.number()) == 711_492, "the value itself keeps its digits"


def test_a_count_keeps_its_first_digit_however_loose_it_is() -> None:
    # 0.1 GiB ± 0.05 GiB ÷ 1,024 bytes per token = 104,858 ± 52,429 tokens
    assert shown(size("0.1 GiB").buys(size("1024 B").per(size("1 token")))) == "about 100,000 tokens"


def test_a_mean_and_what_is_made_of_it_show_three_digits() -> None:
    each = measured(3012.4, "token", fold("mean", "DecodeBatch", 26, ref(1), ref(9)))
    assert shown(each) == "3,010 tokens"
    # 116,171 ÷ 3,012.4 = 38.564
    assert shown(size("116171 token") / each) == "38.6"


def test_a_share_is_a_percentage_in_a_sentence() -> None:
    assert [percent(size(f"{share} ratio")) for share in ("0.384", "0.05", "1.0")] == ["38%", "5%", "100%"]
