"""Classes of values: what they share with frozen dataclasses."""

from __future__ import annotations

import copy
import pickle
from dataclasses import field, fields, replace

import pytest

from analyzer.immutable import immutable


@immutable
class Pair:
    left: int
    right: str = "r"


@immutable
class Other:
    left: int
    right: str = "r"


@immutable
class Single:
    only: float


@immutable
class Remembering:
    name: str
    known: dict[str, int] = field(default_factory=dict, compare=False, repr=False)


def test_values_of_other_fields_or_of_another_class_differ() -> None:
    assert Pair(1) != Pair(2)
    assert Pair(1) != Pair(1, "other")
    assert Pair(1) != Other(1)
    assert Pair(1) != (1, "r")


def test_values_of_equal_fields_are_equal_and_one_in_a_set() -> None:
    assert Pair(1) == Pair(1, "r")
    assert len({Pair(1), Pair(1, "r"), Pair(2), Other(1)}) == 3


def test_a_single_field_is_compared_as_in_a_tuple() -> None:
    nan = float("nan")
    assert Single(nan) == Single(nan)
    assert len({Single(1.0), Single(1.0)}) == 1


def test_a_field_that_is_not_compared_counts_for_nothing() -> None:
    assert Remembering("a", {"x": 1}) == Remembering("a")
    assert repr(Remembering("a", {"x": 1})) == "Remembering(name='a')"


def test_a_value_is_shown_as_it_would_be_made() -> None:
    assert repr(Pair(1)) == "Pair(left=1, right='r')"


def test_it_is_a_dataclass_with_slots() -> None:
    assert [found.name for found in fields(Pair)] == ["left", "right"]
    assert replace(Pair(1), right="s") == Pair(1, "s")
    with pytest.raises(AttributeError):
        Pair(1).middle = 2  # type: ignore[attr-defined]


def test_a_value_survives_copying_and_pickling() -> None:
    assert copy.copy(Pair(1)) == Pair(1)
    assert pickle.loads(pickle.dumps(Single(2.0))) == Single(2.0)  # noqa: S301 - its own
