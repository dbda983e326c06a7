"""Figures over rows that come a part at a time are those over all of them."""

from __future__ import annotations

from statistics import median

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.tables import fold

PARTS = st.lists(st.lists(st.integers(-50, 50).map(lambda n: n / 4), max_size=30), max_size=8)


def middle(parts: list[list[float]], many: int) -> float | None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fold, "_MANY", many)
        patch.setattr(fold, "_STEPS", 16)
        values = fold.Middle()
        for part in parts:
            values.add(pl.Series(part, dtype=pl.Float64))
        return values.value(lambda: (pl.Series(part, dtype=pl.Float64) for part in parts))


def test_nothing_has_no_middle() -> None:
    assert middle([], 0) is None
    assert middle([[]], 10) is None


@given(PARTS, st.sampled_from([0, 1000]))
def test_the_middle_is_that_of_all_values_whether_they_fit_into_memory_or_not(
    parts: list[list[float]], many: int
) -> None:
    everything = [value for part in parts for value in part]
    assert middle(parts, many) == (median(everything) if everything else None)


@given(st.lists(st.integers(0, 20), max_size=12), st.integers(1, 9))
def test_stretches_are_cut_anew(sizes: list[int], size: int) -> None:
    begins = [sum(sizes[:index]) for index in range(len(sizes))]
    parts = [pl.DataFrame({"n": range(b, b + s)}) for b, s in zip(begins, sizes, strict=True) if s]
    found = [part["n"].to_list() for part in fold.stretches(parts, size)]
    assert [n for part in found for n in part] == list(range(sum(sizes)))
    assert all(len(part) == size for part in found[:-1])
