"""Texts that differ in any byte have numbers of their own, however many there are and wherever their hashes fall."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

np = pytest.importorskip("numpy")
looked_at = pytest.importorskip("analyzer.scan.fast.texts")
layout = pytest.importorskip("analyzer.scan.fast.layout")
laid = pytest.importorskip("tests.scan.fast.laid")
lexicon = pytest.importorskip("analyzer.scan.fast.lexicon")

ZEROS = bytes.maketrans(b"123456789", b"000000000")
TEXTS = st.lists(st.binary(max_size=20), unique=True, max_size=40)
BARE = TEXTS.map(lambda texts: sorted({text.translate(None, b"0123456789") for text in texts}))


def number(held: object, text: bytes, *, bare: bool = False, alike: bool = False) -> int:
    """The number of a text that stands among others."""
    placed = laid.Laid(b"before " + text + b"\nbehind")
    begin = len(b"before ")
    if alike:
        return looked_at.number_of_alike(held.lexicon, placed.at, begin, begin + len(text))  # type: ignore[attr-defined]
    if bare:
        return looked_at.number_of_bare(held.lexicon, placed.at, begin, begin + len(text))  # type: ignore[attr-defined]
    return looked_at.number_of(held.lexicon, placed.at, begin, begin + len(text), placed.limit)  # type: ignore[attr-defined]


def learned(texts: list[bytes], *, bare: bool = False, alike: bool = False) -> object:
    """The texts, each with a number that is not its place."""
    learning = lexicon.Learning(bare=bare, alike=alike)
    for index, text in enumerate(texts):
        learning.add(text, 10 * index - 1)
    return learning


def test_nothing_has_a_number_before_anything_is_learned() -> None:
    held = lexicon.Learning().now()
    assert [number(held, text) for text in (b"", b"a", b"\0" * 9)] == [layout.UNKNOWN] * 3


@given(TEXTS, st.binary(max_size=20))
def test_every_text_has_its_number_and_no_other_text_has_one(texts: list[bytes], other: bytes) -> None:
    held = learned(texts).now()  # type: ignore[attr-defined]
    assert [number(held, text) for text in texts] == [10 * index - 1 for index in range(len(texts))]
    assert other in texts or number(held, other) == layout.UNKNOWN


@given(st.binary(min_size=1, max_size=30), st.integers(0, 29), st.integers(0, 7))
def test_a_text_that_differs_in_one_bit_has_no_number(text: bytes, index: int, bit: int) -> None:
    index %= len(text)
    other = text[:index] + bytes((text[index] ^ 1 << bit,)) + text[index + 1 :]
    assert number(learned([text]).now(), other) == layout.UNKNOWN  # type: ignore[attr-defined]


@given(BARE, st.binary(max_size=20), st.data())
def test_a_bare_text_is_found_whatever_digits_stand_in_it(
    texts: list[bytes], other: bytes, data: st.DataObject
) -> None:
    held = learned(texts, bare=True).now()  # type: ignore[attr-defined]
    for index, text in enumerate(texts):
        digits = data.draw(st.lists(st.text("0123456789", max_size=3), min_size=len(text) + 1, max_size=len(text) + 1))
        parts = [digit.encode() + text[n : n + 1] for n, digit in enumerate(digits)]
        assert number(held, b"".join(parts), bare=True) == 10 * index - 1
    bare = other.translate(None, b"0123456789")
    assert bare in texts or number(held, other, bare=True) == layout.UNKNOWN


@given(TEXTS, st.binary(max_size=20), st.data())
def test_a_text_is_found_whatever_digits_stand_in_the_places_of_its_digits(
    texts: list[bytes], other: bytes, data: st.DataObject
) -> None:
    alike = sorted({text.translate(ZEROS) for text in [*texts, b"page 00 of 7".translate(ZEROS), b"page  of "]})
    held = learned(alike, alike=True).now()  # type: ignore[attr-defined]
    for index, text in enumerate(alike):
        digits = data.draw(st.text("0123456789", min_size=len(text), max_size=len(text))).encode()
        parts = [digits[n : n + 1] if text[n : n + 1] == b"0" else text[n : n + 1] for n in range(len(text))]
        assert number(held, b"".join(parts), alike=True) == 10 * index - 1
    zeros = other.translate(ZEROS)
    assert number(held, other, alike=True) == (10 * alike.index(zeros) - 1 if zeros in alike else layout.UNKNOWN)


@pytest.mark.parametrize(
    "text", [b"page 1 of 7", b"page 123 of 7", b"page of 7", b"page a2 of 7", b"page 1: of 7", b"page 12 of /"]
)
def test_a_text_with_digits_in_other_places_is_another(text: bytes) -> None:
    assert number(learned([b"page 00 of 0"], alike=True).now(), text, alike=True) == layout.UNKNOWN  # type: ignore[attr-defined]


@pytest.mark.parametrize("byte", b"/:")
def test_the_bytes_beside_the_digits_are_none(byte: int) -> None:
    held = learned([b"0"], alike=True).now()  # type: ignore[attr-defined]
    assert [number(held, bytes([one]), alike=True) for one in (byte, *b"0123456789")] == [layout.UNKNOWN, *[-1] * 10]


def test_a_text_with_digits_is_no_bare_text() -> None:
    learning = lexicon.Learning(bare=True)
    with pytest.raises(ValueError, match="has no digits"):
        learning.add(b"page 17", 1)
    assert len(learning) == 0


@pytest.mark.parametrize("bare", [False, True])
def test_texts_by_the_thousand_keep_their_numbers(bare: bool) -> None:  # noqa: FBT001 - a parameter
    letters = b"abcdefghij"
    texts = [b"text " + bytes(letters[int(digit)] for digit in str(n)) for n in range(5000)]
    held = learned(texts, bare=bare).now()  # type: ignore[attr-defined]
    assert [number(held, text, bare=bare) for text in texts] == [10 * index - 1 for index in range(5000)]
    assert number(held, b"text k", bare=bare) == layout.UNKNOWN


def colliding(count: int, *, bare: bool) -> list[bytes]:
    """Texts that all look for their number in the last slot of the fewest there are: the next is the first."""
    last, texts = lexicon._LEAST_SLOTS - 1, []  # noqa: SLF001 - what makes texts collide
    for n in range(count * (last + 1) * 3):
        text = "".join(chr(97 + int(digit)) for digit in str(n)).encode()
        placed = laid.Laid(text)
        mix = looked_at.mixed_bare(placed.at, 0, len(text))[0] if bare else looked_at.mixed(placed.at, 0, len(text))
        texts += [text] if int(mix) & last == last else []
    return texts[:count]


@pytest.mark.parametrize("bare", [False, True])
def test_texts_that_share_a_slot_have_numbers_of_their_own(bare: bool) -> None:  # noqa: FBT001 - a parameter
    texts = colliding(21, bare=bare)
    assert len(texts) == 21
    held = learned(texts[:20], bare=bare).now()  # type: ignore[attr-defined]
    assert [number(held, text, bare=bare) for text in texts] == [*(10 * n - 1 for n in range(20)), layout.UNKNOWN]


@settings(max_examples=20)
@given(TEXTS.filter(bool))
def test_a_snapshot_stays_as_it_is_when_more_is_learned(texts: list[bytes]) -> None:
    learning = learned(texts[:-1])
    before = learning.now()  # type: ignore[attr-defined]
    assert learning.now() is before  # type: ignore[attr-defined]
    learning.add(texts[-1], 1234)  # type: ignore[attr-defined]
    for n in range(200):
        learning.add(b"%d that makes the slots more" % n, n)  # type: ignore[attr-defined]
    assert number(before, texts[-1]) == layout.UNKNOWN
    assert [number(before, text) for text in texts[:-1]] == [10 * index - 1 for index in range(len(texts) - 1)]
    assert number(learning.now(), texts[-1]) == 1234  # type: ignore[attr-defined]


def test_what_was_learned_is_known() -> None:
    learning = learned([b"one", b""])
    assert [text in learning for text in (b"one", b"", b"two")] == [True, True, False]  # type: ignore[operator]
    assert len(learning) == 2  # type: ignore[arg-type]
    assert [learning.get(text) for text in (b"one", b"", b"two")] == [-1, 9, None]  # type: ignore[attr-defined]


def test_a_text_that_is_known_may_be_given_another_number() -> None:
    learning: Any = learned([b"one", b"two", b"three"])
    before = learning.now()
    learning.change(b"two", 77)
    assert [learning.get(text) for text in (b"one", b"two", b"three")] == [-1, 77, 19]
    assert [number(learning.now(), text) for text in (b"one", b"two", b"three")] == [-1, 77, 19]
    assert [number(before, text) for text in (b"one", b"two", b"three")] == [-1, 9, 19], "it stays as it is"
    assert len(learning) == 3


def test_a_changed_number_is_kept_when_the_texts_become_many() -> None:
    learning: Any = learned([b"one", b"two"])
    learning.change(b"one", 77)
    for n in range(200):
        learning.add(b"%d that makes the slots more" % n, n)
    learning.change(b"199 that makes the slots more", 78)
    assert [number(learning.now(), text) for text in (b"one", b"two", b"199 that makes the slots more")] == [77, 9, 78]


def test_a_text_that_is_not_known_has_no_number_to_change() -> None:
    learning: Any = learned([b"one"])
    with pytest.raises(KeyError):
        learning.change(b"two", 77)
    assert number(learning.now(), b"two") == layout.UNKNOWN


def test_near_the_end_of_the_buffer_a_text_is_not_looked_for() -> None:
    held = learned([b"a", b"text"]).now()  # type: ignore[attr-defined]
    for behind, wanted in ((7, -1), (8, 9)):
        text = laid.Laid(b"text", bytes(behind))
        assert looked_at.number_of(held.lexicon, text.at, 0, 4, text.limit) == wanted
