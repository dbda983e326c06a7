"""Takes the wrapper off lines whose wrapper is known, compiled: what is left is told like a line that never had one.

A wrapper is what stands before a line's header, and the same before lines without one. It is known by its bytes, but
for the time of day and the fraction of a second in it, which are other ones on each line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from analyzer.scan.fast.compiled import compiled
from analyzer.scan.fast.instructions import byte, put_byte, put_real, put_whole, real, whole, word
from analyzer.scan.fast.kernel import clock
from analyzer.scan.fast.layout import UNKNOWN
from analyzer.scan.fast.texts import number_of, signed

if TYPE_CHECKING:
    from analyzer.scan.fast.layout import Bared, Lexicon

LONGEST_WRAPPER: Final = 120  # bytes
LONGEST_WRAPPED: Final = 60 * 1024  # bytes, with which no line is cut

_LF, _ESC, _BLANK, _COMMA, _DASH, _DOT, _ZERO, _TWO, _NINE, _COLON = 10, 27, 32, 44, 45, 46, 48, 50, 57, 58
_BRACKET, _BRACE = 91, 123
_HEADER = 24  # bytes that a header takes at least, with some of its message
_CLOCK = 8
_MILLIONTHS = 6
_MOST_DECIMALS = 9
_BEYOND_ASCII = 0x80


@compiled
def take_off(text: int, limit: int, first: int, count: int, ends: int, known: Lexicon, bared: Bared) -> int:
    """Writes the lines from `first` on without their wrappers; gives the first whose wrapper is to be learned.

    That is `count` where none is. What is written of line `n` begins at entry `n` of the new ends. A line with none of
    the wrappers that are known becomes one that no message begins like, so that it is left.
    """
    to = whole(bared.ends, first)
    for line in range(first, count):
        start, end = whole(ends, line), whole(ends, line + 1)
        at, seconds, number = start, np.nan, -1
        if _stays(text, start, end):
            at, size, micros = key_of(text, start, end - 1, bared.key, whole(bared.state, 0))
            number = number_of(known, bared.key, 0, size, size + 8) if size > 0 else -1
            header = header_behind(text, start, end) if number < 0 else start
            if header > start:
                at, size, micros = key_of(text, start, header, bared.key, LONGEST_WRAPPER)
                number = number_of(known, bared.key, 0, size, size + 8) if size > 0 else -1
                if number == UNKNOWN and bared.learns:
                    return line
            if number >= 0:
                put_whole(bared.state, 0, size)
                seconds = (real(bared.midnights, number) * 1e6 + micros) / 1e6
        if number >= 0:
            to = _copy(text, limit, at, end, bared.text, to)
        else:
            put_byte(bared.text, to, _BRACE)
            put_byte(bared.text, to + 1, _LF)
            to += 2
        put_whole(bared.ends, line + 1, to)
        put_whole(bared.wrapper, line, number)
        put_real(bared.seconds, line, seconds if number >= 0 else np.nan)
    return count


@compiled
def _stays(text: int, start: int, end: int) -> bool:
    """Whether no wrapper's rules change the end of a line: blanks, a frame."""
    if not 16 <= end - start <= LONGEST_WRAPPED or byte(text, end - 2) >= _BEYOND_ASCII:
        return False
    return byte(text, end - 2) != _BLANK or byte(text, end - 3) != _BLANK


@compiled
def header_behind(text: int, start: int, end: int) -> int:
    """Where the first header of a line stands, behind what may be a wrapper; its beginning where none does."""
    for at in range(start, min(start + LONGEST_WRAPPER, end - _HEADER)):
        if byte(text, at) == _BRACKET and byte(text, at + 1) == _TWO and byte(text, at + 2) == _ZERO:
            dated = byte(text, at + 5) == _DASH and byte(text, at + 8) == _DASH and byte(text, at + 11) == _BLANK
            if dated and clock(text, at + 12) >= 0.0:
                return at
    return start


@compiled
def key_of(text: int, at: int, end: int, key: int, most: int) -> tuple[int, int, float]:
    """Writes what the wrapper from one place on is known by, up to another or until it has so many bytes.

    Gives where it ends, the length of what is written, and the time of day in it in microseconds, zero where it has
    none. The length is below zero where it has colours, is no ASCII, or ends elsewhere.
    """
    size, micros, timed = 0, 0.0, 0
    while at < end and size < most:
        one = byte(text, at)
        if one >= _BEYOND_ASCII or one == _ESC:
            return at, -1, 0.0
        if not timed and at + _CLOCK <= end and byte(text, at + 2) == _COLON and clock(text, at) >= 0.0:
            timed = 1
            micros = clock(text, at) * 1e6
            for place in range(_CLOCK):
                put_byte(key, size + place, _ZERO)
            put_byte(key, size + 2, _COLON)
            put_byte(key, size + 5, _COLON)
            size, at = size + _CLOCK, at + _CLOCK
            behind = _behind_fraction(text, at, end)
            if behind > at:
                micros += _millionths(text, at + 1, behind)
                put_byte(key, size, byte(text, at))
                put_byte(key, size + 1, _ZERO)
                size, at = size + 2, behind
        else:
            put_byte(key, size, one)
            size, at = size + 1, at + 1
    return at, size if at == end or size == most else -1, micros


@compiled
def _behind_fraction(text: int, at: int, end: int) -> int:
    """Where the fraction of a second ends that stands here; here, where there is none that a time may have."""
    if at >= end or (byte(text, at) != _DOT and byte(text, at) != _COMMA):
        return at
    behind = at + 1
    while behind < end and _ZERO <= byte(text, behind) <= _NINE:
        behind += 1
    return behind if 1 <= behind - at - 1 <= _MOST_DECIMALS else at


@compiled
def _millionths(text: int, at: int, end: int) -> float:
    """The first six decimals of a fraction, as a whole number."""
    number = 0
    for place in range(_MILLIONTHS):
        number = number * 10 + (byte(text, at + place) - _ZERO if at + place < end else 0)
    return float(number)


@compiled
def _copy(text: int, limit: int, at: int, end: int, target: int, to: int) -> int:
    """Copies some bytes, and gives where the next ones go; up to seven more are written behind them."""
    while at < end:
        if at + 8 <= limit:
            put_whole(target + to, 0, signed(word(text, at)))
            moved = min(8, end - at)
        else:
            put_byte(target, to, byte(text, at))
            moved = 1
        at, to = at + moved, to + moved
    return to
