"""Bytes as the compiled pass looks at them: line ends, texts that were learned, fixed texts, values.

A text may be looked at up to its `limit`. From every byte of a line that is asked about, eight can be read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from analyzer.scan.fast.compiled import compiled
from analyzer.scan.fast.instructions import beyond_ascii, byte, hits, lowest, put_whole, whole, word
from analyzer.scan.fast.layout import FLAG, UNKNOWN

if TYPE_CHECKING:
    from analyzer.scan.fast.layout import Lexicon

MOST_DIGITS: Final = 15  # of a number, its point counted: as many are exact in a float

_LF, _CR, _ESC, _BLANK, _ZERO, _NINE, _DOT, _E = 10, 13, 27, 32, 48, 57, 46, 101
_TOPS = np.uint64(0x8080808080808080)
_LOWER = np.uint64(0x7F7F7F7F7F7F7F7F)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_ZEROS = np.uint64(0x3030303030303030)
_BEYOND_NINE = np.uint64(0x7676767676767676)  # added to a byte above 9 it reaches the top bit
_BEYOND_ASCII = 0x80
_BYTE = np.uint64(0xFF)
_LOW3, _LOW4 = np.uint64(0xFFFFFF), np.uint64(0xFFFFFFFF)
_TRUE = np.uint64(int.from_bytes(b"True", "little"))
_FALSE = np.uint64(int.from_bytes(b"Fals", "little"))
_START, _PRIME = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3)
_HALF, _ONE, _NIL = np.uint64(32), np.uint64(1), np.uint64(0)


@compiled
def signed(number: np.uint64) -> int:
    """The same number, for arithmetic with numbers that may be below zero: with both kinds it would be in floats."""
    return np.int64(number)  # type: ignore[return-value]


@compiled
def end_lines(text: int, begin: int, end: int, ends: int) -> int:
    """Writes where each line ends, behind the first entry; gives how many there are."""
    count, at = 0, begin
    while at + 64 <= end:
        found = hits(text, at, _LF)
        while found:
            count += 1
            put_whole(ends, count, at + lowest(found) + 1)
            found &= found - _ONE
        at += 64
    while at < end:
        at += 1
        if byte(text, at - 1) == _LF:
            count += 1
            put_whole(ends, count, at)
    return count


@compiled
def mixed(text: int, begin: int, end: int) -> np.uint64:
    """A hash of some bytes; seven more can be read behind them."""
    return _mixed(text, begin, end, 0)


@compiled
def mixed_alike(text: int, begin: int, end: int) -> np.uint64:
    """A hash of some bytes, with zeros for all digits; seven more can be read behind them."""
    return _mixed(text, begin, end, 1)


@compiled
def _mixed(text: int, begin: int, end: int, alike: int) -> np.uint64:
    mix = np.uint64(end - begin)
    while begin < end:
        following = _seen(text, begin, alike)
        if end - begin < 8:
            following &= ~(_ALL << np.uint64(8 * (end - begin)))
        mix = (mix ^ following) * _PRIME
        mix ^= mix >> _HALF
        begin += 8
    return mix


@compiled
def _seen(text: int, at: int, alike: int) -> np.uint64:
    """A word as it is or, where texts are to be alike, with zeros for its digits."""
    return zeroed(word(text, at)) if alike else word(text, at)


@compiled
def mixed_bare(text: int, begin: int, end: int) -> tuple[np.uint64, int]:
    """A hash of some bytes without the digits, and how many are left."""
    mix, size = _START, 0
    for at in range(begin, end):
        one = byte(text, at)
        if one < _ZERO or one > _NINE:
            mix = (mix ^ np.uint64(one)) * _PRIME
            size += 1
    return mix ^ (mix >> _HALF), size


@compiled
def zeroed(following: np.uint64) -> np.uint64:
    """A word with zeros for its digits."""
    digits = following ^ _ZEROS
    others = (((digits & _LOWER) + _BEYOND_NINE) | digits) & _TOPS
    mask = ((others ^ _TOPS) >> np.uint64(7)) * _BYTE
    return (following & ~mask) | (_ZEROS & mask)


@compiled
def number_of(known: Lexicon, text: int, begin: int, end: int, limit: int) -> int:
    """The number of a text; every byte is compared."""
    return _number_of(known, text, begin, end, 0) if end + 8 <= limit else -1


@compiled
def number_of_alike(known: Lexicon, text: int, begin: int, end: int) -> int:
    """The number of a text with zeros for all its digits; every byte is compared. Seven more can be read behind it."""
    return _number_of(known, text, begin, end, 1)


@compiled
def _number_of(known: Lexicon, text: int, begin: int, end: int, alike: int) -> int:
    slot = signed(_mixed(text, begin, end, alike) & np.uint64(known.mask))
    index = whole(known.slots, slot)
    while index >= 0:
        if whole(known.sizes, index) == end - begin and _is(known, index, text, begin, end, alike):
            return whole(known.numbers, index)
        slot = (slot + 1) & known.mask
        index = whole(known.slots, slot)
    return UNKNOWN


@compiled
def _is(known: Lexicon, index: int, text: int, begin: int, end: int, alike: int) -> bool:
    place = whole(known.starts, index)
    while end - begin >= 8:
        if _seen(text, begin, alike) != word(known.texts, place):
            return False
        begin, place = begin + 8, place + 8
    unseen = np.uint64(64 - 8 * (end - begin))
    return begin == end or (_seen(text, begin, alike) ^ word(known.texts, place)) << unseen == _NIL


@compiled
def number_of_bare(known: Lexicon, text: int, begin: int, end: int) -> int:
    """The number of a text without its digits; every byte is compared."""
    mix, size = mixed_bare(text, begin, end)
    slot = signed(mix & np.uint64(known.mask))
    index = whole(known.slots, slot)
    while index >= 0:
        if whole(known.sizes, index) == size and _is_bare(known, index, text, begin, end):
            return whole(known.numbers, index)
        slot = (slot + 1) & known.mask
        index = whole(known.slots, slot)
    return UNKNOWN


@compiled
def _is_bare(known: Lexicon, index: int, text: int, begin: int, end: int) -> bool:
    place = whole(known.starts, index)
    for at in range(begin, end):
        one = byte(text, at)
        if one < _ZERO or one > _NINE:
            if one != byte(known.texts, place):
                return False
            place += 1
    return True


@compiled
def same(text: int, at: int, limit: int, fixed: int, begin: int, size: int) -> bool:
    """Whether a fixed text, behind which seven more bytes can be read, stands at a place."""
    if at + size + 8 > limit:
        return False
    while size >= 8:
        if word(text, at) != word(fixed, begin):
            return False
        at, begin, size = at + 8, begin + 8, size - 8
    unseen = np.uint64(64 - 8 * size)
    return size == 0 or (word(text, at) ^ word(fixed, begin)) << unseen == _NIL


@compiled
def _digits(following: np.uint64) -> int:
    """How many digits a word begins with: up to eight."""
    digits = following ^ _ZEROS
    others = ((digits + _BEYOND_NINE) | digits) & _TOPS
    return lowest(others) >> 3 if others else 8


@compiled
def _number(following: np.uint64, size: int) -> int:
    """The number in the first bytes of a word, all of which are digits; there is at least one."""
    digits = (following ^ _ZEROS) << np.uint64(64 - 8 * size)
    digits = (digits * np.uint64(2561)) >> np.uint64(8) & np.uint64(0x00FF00FF00FF00FF)
    digits = (digits * np.uint64(6553601)) >> np.uint64(16) & np.uint64(0x0000FFFF0000FFFF)
    return signed((digits * np.uint64(42949672960001)) >> _HALF)


@compiled
def value(text: int, at: int, places: int) -> tuple[int, float]:
    """How many bytes a value of so many decimals takes, zero where it is not plain, and the value."""
    following = word(text, at)
    if places == FLAG:
        if following & _LOW4 == _TRUE:
            return 4, 1.0
        return (5, 0.0) if following & _LOW4 == _FALSE and byte(text, at + 4) == _E else (0, 0.0)
    size = _digits(following)
    if size == 0:
        return 0, 0.0
    number = _number(following, size)
    while size >= 8 and size < MOST_DIGITS and _ZERO <= byte(text, at + size) <= _NINE:
        number = number * 10 + (byte(text, at + size) - _ZERO)
        size += 1
    if places == 0:
        return size, float(number)
    if byte(text, at + size) != _DOT:
        return 0, 0.0
    size += 1
    scale = 1.0
    for _ in range(places):
        one = byte(text, at + size) - _ZERO
        if one < 0 or one > 9:
            return 0, 0.0
        number, scale, size = number * 10 + one, scale * 10.0, size + 1
    return (size, number / scale) if size <= MOST_DIGITS else (0, 0.0)


@compiled
def goes_not_on(text: int, at: int, end: int) -> bool:
    """Whether a line has no colours from `at` on, and no blank at its end."""
    last = end - 2
    while last > at and byte(text, last) == _CR:
        last -= 1
    if byte(text, last) == _BLANK:
        return False
    while at + 64 <= end:
        if hits(text, at, _ESC):
            return False
        at += 64
    while at < end:
        if byte(text, at) == _ESC:
            return False
        at += 1
    return True


@compiled
def is_utf8(text: int, at: int, end: int) -> bool:
    """Whether these bytes are UTF-8 as Unicode 3.9 (table 3-7) has it; eight can be read from each of them."""
    while at < end:
        if at + 64 <= end and beyond_ascii(text, at) == _NIL:
            at += 64
        elif word(text, at) & _TOPS == _NIL:
            at += 8
        elif byte(text, at) < _BEYOND_ASCII:
            at += 1
        else:
            size = _sequence(byte(text, at), byte(text, at + 1))
            if size == 0 or at + size > end:
                return False
            for further in range(at + 1, at + size):
                if byte(text, further) & 0xC0 != _BEYOND_ASCII:
                    return False
            at += size
    return True


@compiled
def _sequence(first: int, second: int) -> int:
    """How many bytes a character takes that begins with these two; zero where none does."""
    if 0xC2 <= first <= 0xDF:
        return 2
    if 0xE0 <= first <= 0xEF:
        wrong = (first == 0xE0 and second < 0xA0) or (first == 0xED and second > 0x9F)  # too long, or a surrogate
        return 0 if wrong else 3
    if 0xF0 <= first <= 0xF4:
        wrong = (first == 0xF0 and second < 0x90) or (first == 0xF4 and second > 0x8F)  # too long, or too large
        return 0 if wrong else 4
    return 0
