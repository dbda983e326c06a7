"""A pair of numbers has the answer that was learned for it, and no other pair has one, wherever their places fall."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("numpy")
beside = pytest.importorskip("analyzer.scan.fast.beside")
layout = pytest.importorskip("analyzer.scan.fast.layout")
pairs = pytest.importorskip("analyzer.scan.fast.pairs")

SLOTS = 64  # the fewest there are
NUMBERS = st.one_of(st.integers(0, 5), st.integers(0, layout.BEFORE))
PAIRS = st.dictionaries(st.tuples(NUMBERS, NUMBERS), st.integers(0, 1), max_size=60)


def answers(learned: dict[tuple[int, int], int], asked: list[tuple[int, int]]) -> list[int]:
    held = pairs.pairs_of(learned)
    return [beside.answer_of(held.pairs, row, wording) for row, wording in asked]


@given(PAIRS, st.tuples(NUMBERS, NUMBERS))
def test_every_pair_has_its_answer_and_no_other_has_one(
    learned: dict[tuple[int, int], int], other: tuple[int, int]
) -> None:
    assert answers(learned, [*learned]) == [*learned.values()]
    assert answers(learned, [other]) == [learned.get(other, layout.UNKNOWN)]


def test_a_pair_is_not_the_same_the_other_way_round() -> None:
    assert answers({(1, 2): 1}, [(1, 2), (2, 1), (1, 1), (0, 2)]) == [1, *[layout.UNKNOWN] * 3]


def test_what_was_learned_of_tracebacks_behind_a_row_is_none_of_its_wordings() -> None:
    learned = {(3, layout.BEFORE): 1, (3, layout.BEFORE - 1): 0}
    assert answers(learned, [(3, layout.BEFORE), (3, layout.BEFORE - 1), (4, 0), (3, 0)]) == [
        1,
        0,
        *[layout.UNKNOWN] * 2,
    ]


def first_slot(key: int, slots: int = SLOTS) -> int:
    """Where a key is looked for first: told by the highest bits of 64."""
    return int((key * layout.SPREAD % 2**64) // (2**64 // slots))


def test_rows_and_wordings_spread_over_the_slots() -> None:
    keys = [row << layout.ROW_BITS | wording for row in range(20) for wording in range(50)]
    assert len({first_slot(key, 4096) for key in keys}) > 500, "at random it were some 888; with the lowest bits 60"
    rows = [row << layout.ROW_BITS | layout.BEFORE for row in range(1000)]
    assert len({first_slot(row, 4096) for row in rows}) > 500


def test_pairs_that_share_a_place_have_answers_of_their_own() -> None:
    sharing = [(0, wording) for wording in range(3000) if first_slot(wording) == SLOTS - 1][:15]
    learned = {pair: index % 2 for index, pair in enumerate(sharing[:-1])}
    assert len(sharing) == 15
    assert answers(learned, sharing) == [*learned.values(), layout.UNKNOWN]


def test_pairs_by_the_thousand_have_their_answers() -> None:
    learned = {(row, wording): (row + wording) % 2 for row in range(70) for wording in range(70)}
    assert answers(learned, [*learned, (70, 0), (0, 70)]) == [*learned.values(), layout.UNKNOWN, layout.UNKNOWN]


def test_what_is_held_stays_as_it_is_when_more_is_learned() -> None:
    learned = {(1, 2): 1}
    before = pairs.pairs_of(learned)
    learned[3, 4] = 0
    assert [beside.answer_of(before.pairs, *pair) for pair in learned] == [1, layout.UNKNOWN]
