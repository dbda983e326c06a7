"""What holds for a wording is kept for it, for so many shapes of its lines, or for single lines, and found again."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.scan.silence import APART, ASK, COLOURED, EVENTS, KNOWN, LOUD, SILENT

pytest.importorskip("numpy")
laid = pytest.importorskip("tests.scan.fast.laid")
layout = pytest.importorskip("analyzer.scan.fast.layout")
wordings = pytest.importorskip("analyzer.scan.fast.wordings")

NOTHING, A_HUSH, A_SHAPE, A_WORDING = layout.NOTHING, layout.A_HUSH, layout.A_SHAPE, layout.A_WORDING
ITSELF = layout.ITSELF
BARE, LINE, ALIKE, LONGER = b"evicts  pages", b"evicts 17 pages", b"evicts 42 pages", b"evicts 170 pages"
MOST = 64  # shapes of a wording
ZEROS = bytes.maketrans(b"123456789", b"000000000")


def knowing(*flags: int, alike: bool = False) -> Any:
    """Wordings that are what is said of them: the first is that of `LINE`, each other has one more letter behind."""
    words = wordings.Wordings()
    for count, each in enumerate(flags):
        words.add(BARE + b"s" * count, each, alike=alike)
    return words


def told(words: Any, line: bytes) -> tuple[int, int, int]:
    """What a line lacks, its flags, and its form."""
    ask, flags, form = laid.told_by(words.now().words, line)
    return ask, flags, form


def shapes(count: int) -> list[bytes]:
    """Lines of one wording, each with digits in places of its own."""
    return [b"evicts " + b"1" * n + b" pages" for n in range(1, count + 1)]


def test_a_wording_that_was_never_seen_is_asked_for_as_the_lines_of_its_kind_are() -> None:
    held = knowing().now().words
    assert [laid.told_by(held, LINE, ask) for ask in (A_WORDING, A_HUSH)] == [(A_WORDING, -1, -1), (A_HUSH, -1, -1)]


def test_a_wording_is_known_once_it_was_added() -> None:
    words = knowing(SILENT)
    assert [bare in words for bare in (BARE, LINE, BARE + b"s")] == [True, False, False]
    assert told(words, b"evicts 17 pagess") == (A_WORDING, -1, -1)


def test_the_first_line_of_a_shape_asks_for_it_and_the_next_does_not() -> None:
    words = knowing(SILENT)
    assert told(words, LINE) == (A_SHAPE, SILENT, 0)
    assert words.learn_shape(LINE)
    assert [told(words, line) for line in (LINE, ALIKE)] == [(NOTHING, SILENT, 0)] * 2
    assert words.get(ALIKE, alike=True) == SILENT


def test_the_second_shape_of_a_wording_asks_for_itself() -> None:
    words = knowing(SILENT)
    words.learn_shape(LINE)
    assert told(words, LONGER) == (A_SHAPE, SILENT, 0)
    assert words.learn_shape(LONGER)
    assert [told(words, line) for line in (LINE, LONGER)] == [(NOTHING, SILENT, 0)] * 2


def test_digits_elsewhere_are_another_shape_of_the_same_wording() -> None:
    words = knowing(SILENT)
    words.learn_shape(LINE)
    for line in (b"evicts1 7 pages", b"evicts  17pages", b"evicts  pages17", b"evicts  pages"):
        assert told(words, line) == (A_SHAPE, SILENT, 0)


def test_a_shape_is_learned_once_and_only_of_a_wording_that_is_known() -> None:
    words = knowing(SILENT)
    assert [words.learn_shape(line) for line in (LINE, ALIKE, LINE, b"drops 17 pages")] == [True, False, False, False]


@pytest.mark.parametrize("flags", [LOUD, SILENT, APART, APART | COLOURED, KNOWN | SILENT, KNOWN | EVENTS | APART])
def test_the_lines_of_a_shape_are_what_those_of_the_wording_are(flags: int) -> None:
    words = knowing(SILENT, flags, LOUD)
    line = LINE + b"s"
    assert told(words, line) == (A_SHAPE, flags, 1)
    assert words.learn_shape(line)
    assert told(words, line) == (NOTHING, flags, 1)
    assert told(words, LONGER + b"s") == (A_SHAPE, flags, 1), "and so are those of others"


@pytest.mark.parametrize("flags", [LOUD, SILENT])
def test_sixty_four_shapes_of_a_wording_are_learned_and_for_more_it_is_not_asked(flags: int) -> None:
    words = knowing(flags)
    lines = shapes(MOST + 2)
    for line in lines[:MOST]:
        assert told(words, line) == (A_SHAPE, flags, 0)
        assert words.learn_shape(line)
    assert [told(words, line) for line in lines] == [(NOTHING, flags, 0)] * MOST + [(A_SHAPE, flags, 0)] * 2
    assert words.learn_shape(lines[MOST]), "it will not be asked for again"
    assert [told(words, line) for line in lines] == [(NOTHING, flags, 0)] * (MOST + 2)
    kept = [words.get(line, alike=True) is not None for line in lines]
    assert kept == [True] * MOST + [False] * 2
    assert not words.learn_shape(lines[-1])


def test_many_shapes_of_one_wording_take_none_from_another() -> None:
    words = knowing(SILENT, APART)
    for line in shapes(MOST + 1):
        words.learn_shape(line)
    for line in shapes(MOST):
        assert told(words, line + b"s") == (A_SHAPE, APART, 1)
        assert words.learn_shape(line + b"s")


def test_a_line_is_told_by_its_shape_before_its_wording_is_looked_for() -> None:
    words = knowing()
    assert words.learn(LINE, 7 << layout.FLAG_BITS | SILENT, alike=True)
    assert told(words, ALIKE) == (NOTHING, SILENT, 7)
    for line in (LONGER, b"evicts 17 pagess", b"evicts 1: pages", b"evicts  pages"):
        assert told(words, line) == (A_WORDING, -1, -1)


def test_a_line_that_is_asked_for_by_itself_is_told_by_itself_alone() -> None:
    words = knowing(SILENT, ASK)
    line, other = LINE + b"s", ALIKE + b"s"
    assert told(words, line) == (ITSELF, -1, 1)
    assert not words.learn_shape(line), "others of its shape may be something else"
    assert words.learn(line, 5 << layout.FLAG_BITS | EVENTS | KNOWN, alike=False)
    assert told(words, line) == (NOTHING, EVENTS | KNOWN, 5)
    assert told(words, other) == (ITSELF, -1, 1)
    assert [words.get(each, alike=False) is None for each in (line, other)] == [False, True]


def test_where_lines_with_digits_in_the_same_places_are_one_they_have_one_answer() -> None:
    words = knowing(SILENT, ASK, alike=True)
    line, other, longer = LINE + b"s", ALIKE + b"s", LONGER + b"s"
    assert told(words, line) == (ITSELF, -1, 1)
    assert not words.learn_shape(line), "what it is has to be asked for"
    assert words.learn(line, 5 << layout.FLAG_BITS | EVENTS, alike=True)
    assert [told(words, each) for each in (line, other, longer)] == [(NOTHING, EVENTS, 5)] * 2 + [(ITSELF, -1, 1)]
    found = [words.get(each, alike=True) for each in (line, other, longer)]
    assert found == [5 << layout.FLAG_BITS | EVENTS] * 2 + [None]


@pytest.mark.parametrize("alike", [False, True])
def test_an_answer_may_be_that_a_line_is_loud(alike: bool) -> None:  # noqa: FBT001 - a parameter
    words = knowing(ASK, alike=alike)
    assert words.learn(LINE, LOUD, alike=alike)
    assert words.get(LINE, alike=alike) == LOUD
    assert told(words, LINE) == (NOTHING, LOUD, 0)


def test_an_answer_has_the_number_of_what_is_said_or_else_that_of_its_wording() -> None:
    words = knowing(SILENT, ASK)
    line = LINE + b"s"
    assert words.answered(line, EVENTS | KNOWN, 5) == 5 << layout.FLAG_BITS | EVENTS | KNOWN
    assert words.answered(line, SILENT | KNOWN, 5) == 1 << layout.FLAG_BITS | SILENT | KNOWN
    assert words.answered(b"drops 17 pages", SILENT, 5) == SILENT


def test_a_line_comes_again_when_it_was_here_before() -> None:
    words = knowing()
    found = [words.comes_again(line, alike=False) for line in (LINE, ALIKE, LINE, LINE, LONGER)]
    assert found == [False, False, True, True, False]


def test_where_lines_are_alike_any_of_the_shape_comes_again() -> None:
    words = knowing()
    found = [words.comes_again(line, alike=True) for line in (LINE, ALIKE, LONGER, LINE)]
    assert found == [False, True, False, True]


def test_what_came_once_is_forgotten_when_it_is_much() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wordings, "_MOST_ONCE", 2)
        words = knowing()
        found = [words.comes_again(line, alike=False) for line in (b"a", b"b", b"a", b"c", b"a", b"c")]
    assert found == [False, False, True, False, False, True]


def test_of_what_has_no_end_no_more_is_kept() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wordings, "_MOST", 2)
        words = knowing(SILENT)
        assert b"another" not in words
        words.add(b"another", ASK)
        assert b"a third" in words, "it can never be known"
        assert [words.learn(b"another%d" % n, APART, alike=False) for n in range(3)] == [True, True, False]
        assert [words.learn(b"another%d" % 10**n, APART, alike=True) for n in range(3)] == [True, True, False]


def test_without_room_for_further_shapes_a_wording_is_no_longer_asked_for_them() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wordings, "_MOST", 4)  # half of which is for answers
        words = knowing(SILENT)
        lines = shapes(4)
        assert [words.learn_shape(line) for line in lines] == [True, True, True, False]
        assert [told(words, line) for line in lines] == [(NOTHING, SILENT, 0)] * 4
        assert [words.get(line, alike=True) is None for line in lines] == [False, False, True, True]


def test_what_is_known_stays_as_it_is_when_more_is_learned() -> None:
    words = knowing(SILENT)
    first = words.now()
    words.learn_shape(LINE)
    words.add(BARE + b"s", APART)
    second = words.now()
    for line in shapes(MOST + 1):
        words.learn_shape(line)
    assert laid.told_by(first.words, LINE) == (A_SHAPE, SILENT, 0)
    assert laid.told_by(first.words, LINE + b"s") == (A_WORDING, -1, -1)
    assert laid.told_by(second.words, LINE) == (NOTHING, SILENT, 0)
    assert laid.told_by(second.words, LINE + b"s") == (A_SHAPE, APART, 1)
    assert laid.told_by(second.words, LONGER) == (A_SHAPE, SILENT, 0)
    assert told(words, LONGER) == (NOTHING, SILENT, 0)


# Few wordings, each with many shapes.
PIECES = st.lists(st.sampled_from([b"a", b" ", b"1", b"2", b"05", b"evicts", b":", b"/", b"\xc3\xa9"]), max_size=12)
FLAGS = [LOUD, SILENT, APART, APART | COLOURED, KNOWN | SILENT, KNOWN | EVENTS | APART]


@given(st.lists(PIECES.map(b"".join), min_size=1, max_size=60), st.integers(1, 3))
def test_every_line_is_what_its_wording_is_whatever_shapes_are_known(lines: list[bytes], most: int) -> None:
    known: dict[bytes, int] = {}
    asked: dict[bytes, set[bytes]] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wordings, "_MOST_SHAPES", most)
        words = knowing()
        for line in lines:
            bare, shape = line.translate(None, b"0123456789"), line.translate(ZEROS)
            if bare not in known:
                assert told(words, line) == (A_WORDING, -1, -1)
                known[bare], asked[bare] = len(known), set()
                words.add(bare, FLAGS[known[bare] % len(FLAGS)])
            lacks = shape not in asked[bare] and len(asked[bare]) <= most
            assert told(words, line) == (A_SHAPE if lacks else NOTHING, FLAGS[known[bare] % len(FLAGS)], known[bare])
            assert words.learn_shape(line) == lacks
            asked[bare] |= {shape} if lacks else set()
