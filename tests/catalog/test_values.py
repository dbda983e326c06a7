"""Captured text becomes the value that its unit means, or nothing."""

from __future__ import annotations

from fractions import Fraction

import pytest

from analyzer.catalog import values
from analyzer.evidence import Ref

LINE = Ref("server.log", 7, 7)


@pytest.mark.parametrize("raw", ["nan", "inf", "-inf", "", "12.", "1.2.3", "?", "0x10"])
def test_a_text_that_is_no_finite_number_fills_no_column(raw: str) -> None:
    assert values.of_column(raw, "ratio") is None


@pytest.mark.parametrize("raw", ["nan", "inf", "", "1.2.3", "1/0", "?"])
def test_a_text_that_is_no_finite_number_makes_no_amount(raw: str) -> None:
    assert values.of_event(raw, "GiB", LINE) is None


def test_an_amount_keeps_its_digits_its_unit_and_its_line() -> None:
    size = values.of_event("26.58", "GiB", LINE)
    assert size.value == Fraction(2658, 100) * 2**30
    assert size.origin == (LINE, "26.58 GiB")


@pytest.mark.parametrize("raw", ["parsecs", "5 parsecs", "GiB", ""])
def test_a_size_without_a_known_unit_is_none(raw: str) -> None:
    assert values.of_event(raw, "size", LINE) is None


@pytest.mark.parametrize(
    ("raw", "value"),
    [("2.00 GiB", 2 * 2**30), ("449GB", 449 * 10**9), ("512 bytes", 512), ("6.32 MiB", Fraction(632, 100) * 2**20)],
)
def test_a_size_brings_its_own_unit(raw: str, value: Fraction | int) -> None:
    assert values.of_event(raw, "size", LINE).value == value


def test_a_clock_is_seconds() -> None:
    assert values.of_event("1:02:03", "clock", LINE).value == 3600 + 2 * 60 + 3
    assert values.of_event("01:50", "clock", LINE).value == 60 + 50
    assert values.of_event("01:?", "clock", LINE) is None


@pytest.mark.parametrize(
    ("raw", "unit", "value"),
    [
        ("True", "flag", True),
        ("false", "flag", False),
        ("1", "flag", True),
        ("maybe", "flag", None),
        ("30000", "int", 30000),
        ("3e4", "int", None),
        ("MLA", "text", "MLA"),
    ],
)
def test_texts_flags_and_whole_numbers_are_no_amounts(raw: str, unit: str, value: object) -> None:
    assert values.of_event(raw, unit, LINE) == value


def test_a_column_is_in_base_units() -> None:
    assert values.of_column("12.5%", "percent") == 0.125
    assert values.of_column("116,171", "token") == 116171.0
    assert values.of_column("0 [repeated 3x across cluster]", "count") == 0.0


@pytest.mark.parametrize(
    ("name", "unit", "column"),
    [
        ("running", "count", "running_count"),
        ("new", "token", "new_token"),
        ("usage", "ratio", "usage_ratio"),
        ("cache_hit", "percent", "cache_hit_ratio"),
        ("throughput", "token/s", "throughput_token_per_s"),
        ("graph", "flag", "graph_flag"),
        ("path", "text", "path"),
        ("used", "GiB", "used_bytes"),
        ("elapsed", "ms", "elapsed_s"),
    ],
)
def test_a_column_is_named_by_field_and_unit(name: str, unit: str, column: str) -> None:
    assert values.column_name(name, unit) == column


def test_a_constant_is_an_amount_where_it_has_a_unit() -> None:
    assert values.stated("300 s") == ("300", "s")
    assert values.stated("port-in-use") is None
    assert values.stated("many s") is None
