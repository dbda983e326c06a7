"""Sizes, counts and durations as tools print them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from analyzer.evidence import Ref
from analyzer.parsers.sizes import count, elapsed, size, whole
from tests.parsers.build_blocks import GIB, KIB, MIB, value

LINE = Ref("s", 1, 1)


@pytest.mark.parametrize("text", ["", "-", "Gi", "12 apples", "1.2.3Gi", "nan", "1e9", "²", "9" * 40])
def test_what_is_no_size_gives_none(text: str) -> None:
    assert size(text, LINE) is None


@pytest.mark.parametrize(
    ("text", "bytes_"),
    [("121Gi", 121 * GIB), ("4.5G", 4.5 * GIB), ("100g", 100 * GIB), ("1,5Gi", 1.5 * GIB), ("0B", 0), ("512", 512)],
)
def test_suffixes_are_binary(text: str, bytes_: float) -> None:
    assert value(size(text, LINE)) == bytes_


def test_a_bare_number_has_the_unit_it_is_told() -> None:
    assert value(size("1655200", LINE, bare="KiB")) == 1655200 * KIB


def test_decimal_tools_keep_the_i_of_binary_units() -> None:
    assert value(size("64G", LINE, decimal=True)) == 64 * 10**9
    assert value(size("64Gi", LINE, decimal=True)) == 64 * GIB


def test_a_cut_whole_number_may_be_a_whole_unit_too_low_and_a_decimal_half_a_digit_off() -> None:
    whole_number, decimal = size("449", LINE, bare="GiB", truncated=True), size("8.7M", LINE, truncated=True)
    assert whole_number is not None
    assert whole_number.slack == GIB
    assert decimal is not None
    assert decimal.slack == Fraction(MIB, 20)


def test_counts_have_the_unit_they_are_told() -> None:
    assert value(count("92.5", LINE, "percent")) == 0.925
    assert count("92%", LINE, "percent") is None


@pytest.mark.parametrize(
    ("text", "seconds"), [("00:53", 53), ("01:02:03", 3723), ("1-03:12:44", 86400 + 11564), ("2900:12", 174012)]
)
def test_elapsed_times_are_seconds(text: str, seconds: int) -> None:
    assert value(elapsed(text, LINE)) == seconds


def test_what_is_no_elapsed_time_gives_none() -> None:
    assert elapsed("Jul16", LINE) is None


def test_process_ids_are_plain_digits() -> None:
    assert whole(" 4170 ") == 4170
    assert [whole(text) for text in ("-1", "1.5", "²", "", "9" * 30)] == [None] * 5


def test_a_number_beyond_everything_gives_none() -> None:
    assert size("99999999999999999999", LINE, bare="GiB") is None
    assert count("9" * 20, LINE) is not None
