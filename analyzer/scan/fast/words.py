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
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_DOT = np.uint64(ord(".") ^ ord("0"))
_SIXTEEN = 0x10
_SIXTEENS = np.uint64(0x1010101010101010)
_NO_DIGIT = np.uint64(0x7676767676767676)  # added to a byte above 9 it reaches the top bit


class Words:
    """The bytes of some lines, each of which ends in a line feed; `PAD` follows the last."""

    def __init__(self, text: bytes) -> None:
        self.text = text
        self.bytes: NDArray[np.uint8] = np.frombuffer(self.text, np.uint8)
        self._words: Word = np.ndarray((len(self.text) - WIDTH + 1,), "<u8", self.text, 0, (1,))

    def at(self, where: Positions) -> Word:
        """The eight bytes from each position on, the first lowest."""
        return self._words[where]

    def rows(self, where: Positions, size: int) -> Word:
        """The `size` bytes (a multiple of eight, above eight) from each position on, as a row of words for each."""
        count = len(self.text) - size + 1
        found = np.ndarray((count,), f"V{size}", self.text, 0, (1,))[where]  # moves whole rows, several times as fast
        return found.view("<u8").reshape(len(where), size // WIDTH)

    def same(self, where: Positions, text: bytes) -> Mask:
        """Where the bytes are this text."""
        if len(text) <= WIDTH:
            short: Mask = (self.at(where) & _low(len(text))) == _word(text)
            return short
        return alike(self.rows(where, _rounded(len(text))), text)

    def behind(self, where: Positions, text: bytes) -> tuple[Mask, Word]:
        """Where the bytes are this text, and the eight bytes that follow it."""
        size = _rounded(len(text))
        rows = self.rows(where - (size - len(text)), size + WIDTH)
        return alike(rows, text, size - len(text)), rows[:, -1]

    def distance(self, where: Positions, end: int, most: int) -> Positions:
        """How many bytes stand before the byte `end`; `most` (a multiple of eight) where that many hold none."""
        found = first(self.at(where), end)
        for step in range(WIDTH, most, WIDTH):
            open_ = np.flatnonzero(found == step)
            if not len(open_):
                break
            found[open_] += first(self.at(where[open_] + step), end)
        return found


def alike(rows: Word, text: bytes, skipped: int = 0) -> Mask:
    """Where a row of words holds this text behind its first `skipped` (below eight) bytes; what follows is open."""
    padded = bytes(skipped) + text
    equal: Mask = np.ones(len(rows), np.bool_)
    for index in range(0, len(padded), WIDTH):
        word, wanted = rows[:, index // WIDTH], padded[index : index + WIDTH]
        unseen = _low(len(wanted)) & ~_low(0 if index else skipped)
        equal &= (word if unseen == _ALL else word & unseen) == _word(wanted)
    return equal


def flag(word: Word) -> tuple[Mask, Positions, Mask]:
    """`True` or `False` at the beginning of each word, the length of it, and whether it is one of them."""
    true: Mask = (word & _low(4)) == _word(b"True")
    false: Mask = (word & _low(5)) == _word(b"False")
    return true, 5 - true.astype(np.int64), true | false


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


def number_length(word: Word, places: int, end: int) -> Positions:
    """How long the number of so many decimals is that each word begins with and the byte `end` ends, if there is one.

    Of a number that goes on behind the word, and of anything else, it is some length.
    """
    if end & _SIXTEEN:
        return first(word, end)
    others = ~word & _SIXTEENS  # what is no digit, a point too, has no 16 in it; what has one may still be no digit
    others &= -others
    others -= np.uint64(1)
    length: Positions = (np.bitwise_count(others) >> 3).astype(np.int64)
    return length + (places + 1) if places else length


def parsed(word: Word, length: Positions, places: int) -> tuple[Word, Mask]:
    """The digits in the first `length` bytes as a whole number, without the point before the last `places` of them.

    Not plain is what has no digits, a sign, an exponent, or another number of decimals.
    """
    plain: Mask = (length > places + (places > 0)) & (length <= WIDTH)
    digits: Word = word ^ _ZEROS
    digits <<= ((WIDTH - length) << 3).view(np.uint64)
    if places:
        point = np.uint64(WIDTH * (WIDTH - 1 - places))
        plain &= (digits & (np.uint64(0xFF) << point)) == (_DOT << point)
        below = (np.uint64(1) << point) - np.uint64(1)
        above = ~((below << np.uint64(WIDTH)) | np.uint64(0xFF))
        shifted = (digits & below) << np.uint64(WIDTH)
        digits &= above
        digits |= shifted
    plain &= (((digits + _NO_DIGIT) | digits) & _TOPS) == 0
    digits *= np.uint64(10 * 256 + 1)
    digits >>= np.uint64(8)
    digits &= np.uint64(0x00FF00FF00FF00FF)
    digits *= np.uint64(100 * 65536 + 1)
    digits >>= np.uint64(16)
    digits &= np.uint64(0x0000FFFF0000FFFF)
    digits *= np.uint64(10000 * 2**32 + 1)
    digits >>= np.uint64(32)
    return digits, plain


def first(word: Word, byte: int) -> Positions:
    """The index of the first such byte in each word, 8 where there is none."""
    differs = word ^ (_ONES * np.uint64(byte))
    hits = differs - _ONES
    hits &= ~differs
    hits &= _TOPS
    hits &= -hits
    hits -= np.uint64(1)
    index: Positions = (np.bitwise_count(hits) >> 3).astype(np.int64)
    return index


def _rounded(size: int) -> int:
    """The next multiple of eight."""
    return -(-size // WIDTH) * WIDTH


@cache
def _low(length: int) -> np.uint64:
    return np.uint64(2 ** (8 * length) - 1)


@lru_cache(maxsize=4096)
def _word(text: bytes) -> np.uint64:
    return np.uint64(int.from_bytes(text[:WIDTH], "little"))
