"""Bytes looked at eight at a time: fixed texts compared and plain numbers read, for thousands of lines at once.

Positions and masks are numpy arrays with one entry per line. Every comparison covers every byte: a line that differs
anywhere, or whose value is no plain number, comes out as not read.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Positions: TypeAlias = NDArray[np.int64]
    Mask: TypeAlias = NDArray[np.bool_]
    Word: TypeAlias = NDArray[np.uint64]

PAD = b"\0" * 8192  # a line that turns out to be of another form is looked at beyond its end
WIDTH = 8
_ONES = np.uint64(0x0101010101010101)
_TOPS = np.uint64(0x8080808080808080)
_ZEROS = np.uint64(0x3030303030303030)
_DOT = np.uint64(ord(".") ^ ord("0"))
_NO_DIGIT = np.uint64(0x7676767676767676)  # added to a byte above 9 it reaches the top bit
_LONGEST_NUMBER = 15  # digits and point: the value is exact in a float


class Words:
    """The bytes of some lines, each of which ends in a line feed."""

    def __init__(self, text: bytes) -> None:
        self.text = text + PAD
        self.bytes: NDArray[np.uint8] = np.frombuffer(self.text, np.uint8)
        self._words: Word = np.ndarray((len(self.text) - WIDTH + 1,), "<u8", self.text, 0, (1,))

    def at(self, where: Positions) -> Word:
        """The eight bytes from each position on, the first lowest."""
        return self._words[where]

    def same(self, where: Positions, text: bytes) -> Mask:
        """Where the bytes are this text."""
        if len(text) < WIDTH:
            short: Mask = (self.at(where) & _low(len(text))) == _word(text)
            return short
        equal: Mask = self.at(where) == _word(text[:WIDTH])
        for offset in (*range(WIDTH, len(text) - WIDTH, WIDTH), len(text) - WIDTH):
            if offset and equal.any():
                equal &= self.at(where + offset) == _word(text[offset : offset + WIDTH])
        return equal

    def distance(self, where: Positions, end: int, most: int) -> Positions:
        """How many bytes stand before the byte `end`; `most` (a multiple of eight) where that many hold none."""
        found = _first(self.at(where), end)
        for step in range(WIDTH, most, WIDTH):
            open_ = np.flatnonzero(found == step)
            if not len(open_):
                break
            found[open_] += _first(self.at(where[open_] + step), end)
        return found

    def number(
        self, where: Positions, end: int, places: int, wanted: Mask
    ) -> tuple[NDArray[np.float64], Positions, Mask]:
        """The number of `places` decimals before the byte `end`, the length of its text, and whether it is plain.

        One of more than eight characters is read only where it is `wanted`.
        """
        first = self.at(where)
        length = _first(first, end)
        value, plain = _parsed(first, length, places)
        long = np.flatnonzero((length == WIDTH) & wanted)
        for index in long[self.bytes[where[long] + WIDTH] != end].tolist():
            value[index], length[index], plain[index] = self._long_number(int(where[index]), end)
        return value, length, plain

    def _long_number(self, where: int, end: int) -> tuple[float, int, bool]:
        text = self.text[where : where + _LONGEST_NUMBER + 1].partition(bytes((end,)))[0]
        plain = len(text) <= _LONGEST_NUMBER and text.replace(b".", b"", 1).isdigit() and text[-1:] != b"."
        return (float(text), len(text), True) if plain and text[:1] != b"." else (0.0, 0, False)

    def flag(self, where: Positions) -> tuple[Mask, Positions, Mask]:
        """`True` or `False`, the length of the word, and whether it is one of them."""
        word = self.at(where)
        true: Mask = (word & _low(4)) == _word(b"True")
        false: Mask = (word & _low(5)) == _word(b"False")
        return true, np.where(true, 4, 5), true | false


def masked(word: Word, length: Positions) -> Word:
    """The first `length` bytes (0 to 8) of each word; the others are zero."""
    shift = (np.clip(WIDTH - length, 0, WIDTH - 1) << 3).astype(np.uint64)
    kept: Word = (word << shift) >> shift
    return np.where(length > 0, kept, np.uint64(0))


def numeric(word: Word, length: Positions) -> Mask:
    """Whether the first `length` bytes of each word are all digits, points or colons."""
    beyond = (np.clip(length, 0, WIDTH - 1) << 3).astype(np.uint64)
    said = np.where(length >= WIDTH, word, word ^ ((word >> beyond) << beyond) ^ ((_ZEROS >> beyond) << beyond))
    above = (said + np.uint64(0x4545454545454545)) | said  # a colon is the highest: 0x3A + 0x45 is 0x7F
    below = ~((said | _TOPS) - np.uint64(0x2E2E2E2E2E2E2E2E))  # a point is the lowest
    slash = said ^ np.uint64(0x2F2F2F2F2F2F2F2F)
    answer: Mask = ((above | below | ((slash - _ONES) & ~slash)) & _TOPS) == 0
    return answer


def _parsed(word: Word, length: Positions, places: int) -> tuple[NDArray[np.float64], Mask]:
    """The decimal numbers in the first `length` bytes; not plain: no digits, a sign, an exponent, other decimals."""
    plain: Mask = length > places + (places > 0)
    shift = (np.clip(WIDTH - length, 0, WIDTH - 1) << 3).astype(np.uint64)
    digits: Word = (word << shift) ^ (_ZEROS << shift)
    if places:
        point = np.uint64(WIDTH * (WIDTH - 1 - places))
        plain &= ((digits >> point) & np.uint64(0xFF)) == _DOT
        below = (np.uint64(1) << point) - np.uint64(1)
        above = ~((below << np.uint64(WIDTH)) | np.uint64(0xFF))
        digits = (digits & above) | ((digits & below) << np.uint64(WIDTH))
    plain &= (((digits + _NO_DIGIT) | digits) & _TOPS) == 0
    digits = (digits * np.uint64(10 * 256 + 1)) >> np.uint64(8)
    digits = ((digits & np.uint64(0x00FF00FF00FF00FF)) * np.uint64(100 * 65536 + 1)) >> np.uint64(16)
    digits = ((digits & np.uint64(0x0000FFFF0000FFFF)) * np.uint64(10000 * 2**32 + 1)) >> np.uint64(32)
    return digits.astype(np.float64) / 10.0**places, plain


def _first(word: Word, byte: int) -> Positions:
    """The index of the first such byte in each word, 8 where there is none."""
    differs = word ^ (_ONES * np.uint64(byte))
    hits = (differs - _ONES) & ~differs & _TOPS
    lowest = hits & (~hits + np.uint64(1))
    index: Positions = (np.bitwise_count(lowest - np.uint64(1)) >> 3).astype(np.int64)
    return index


@cache
def _low(length: int) -> np.uint64:
    return np.uint64(2 ** (8 * length) - 1)


@lru_cache(maxsize=4096)
def _word(text: bytes) -> np.uint64:
    return np.uint64(int.from_bytes(text[:WIDTH], "little"))
