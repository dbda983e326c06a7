"""What a wrapper is known by, compiled: its bytes, but for what is another one on each line.

That is the first time of day in it, with its fraction of a second; in JSON also the numbers that stand in no quotes.
"""

from __future__ import annotations

from typing import Final

from analyzer.scan.fast.compiled import compiled
from analyzer.scan.fast.instructions import byte, put_byte, put_whole
from analyzer.scan.fast.kernel import clock

UNTIMED: Final = -1.0  # microseconds, where no time of day was met
ASKS: Final = -4  # in place of a wrapper's number: it is to be learned

_ESC, _BLANK, _QUOTE, _COMMA, _DASH, _DOT, _ZERO, _TWO, _NINE, _COLON = 27, 32, 34, 44, 45, 46, 48, 50, 57, 58
_BRACKET, _BACKSLASH, _CLOSES = 91, 92, 125
_HEADER = 24  # bytes that a header takes at least, with some of its message
_CLOCK = 8
_MILLIONTHS = 6
_MOST_DECIMALS = 9
_BEYOND_ASCII = 0x80


@compiled
def key_of(
    text: int, at: int, end: int, key: int, size: int, most: int, micros: float, numbers: int
) -> tuple[int, int, float]:
    """Writes what a wrapper from one place on is known by, behind `size` bytes, up to another or until it has so many.

    Gives where it ends, the length of what is written, and the time of day in it in microseconds, `UNTIMED` where it
    has none; none is looked for where `micros` is one. The length is below zero where it has colours, is no ASCII, or
    ends elsewhere. `numbers` unless zero: those of JSON are left out as well.
    """
    while at < end and size < most:
        one = byte(text, at)
        if one >= _BEYOND_ASCII or one == _ESC:
            return at, -1, micros
        if micros < 0.0 and at + _CLOCK <= end and byte(text, at + 2) == _COLON and clock(text, at) >= 0.0:
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
            continue
        behind = _behind_number(text, at, end) if numbers and _ZERO <= one <= _NINE else at
        put_byte(key, size, one if behind == at else _ZERO)
        size, at = size + 1, max(behind, at + 1)
    return at, size if at == end or size == most else -1, micros


@compiled
def header_behind(text: int, start: int, end: int, most: int) -> int:
    """Where the first header of a line stands, behind what may be a wrapper; its beginning where none does."""
    for at in range(start, min(start + most, end - _HEADER)):
        if byte(text, at) == _BRACKET and byte(text, at + 1) == _TWO and byte(text, at + 2) == _ZERO:
            dated = byte(text, at + 5) == _DASH and byte(text, at + 8) == _DASH and byte(text, at + 11) == _BLANK
            if dated and clock(text, at + 12) >= 0.0:
                return at
    return start


@compiled
def asks(state: int, at: int, behind: int, size: int, micros: float) -> None:
    """Notes the wrapper that is to be learned: where the text within begins and ends, its key's size, its time."""
    put_whole(state, 2, at)
    put_whole(state, 3, behind)
    put_whole(state, 4, size)
    put_whole(state, 5, int(max(micros, 0.0)))


@compiled
def _behind_fraction(text: int, at: int, end: int) -> int:
    """Where the fraction of a second ends that stands here; here, where there is none that a time may have."""
    if at >= end or (byte(text, at) != _DOT and byte(text, at) != _COMMA):
        return at
    behind = _behind_digits(text, at + 1, end)
    return behind if 1 <= behind - at - 1 <= _MOST_DECIMALS else at


@compiled
def _behind_digits(text: int, at: int, end: int) -> int:
    while at < end and _ZERO <= byte(text, at) <= _NINE:
        at += 1
    return at


@compiled
def _behind_number(text: int, at: int, end: int) -> int:
    """Where the whole number ends that is the value of a name in JSON and begins here; here, where there is none.

    Before it stand a quote that is not escaped and a colon, with a blank at the most behind this.
    """
    colon = at - 2 if byte(text, at - 1) == _BLANK else at - 1
    if byte(text, colon) != _COLON or byte(text, colon - 1) != _QUOTE or byte(text, colon - 2) == _BACKSLASH:
        return at
    behind = _behind_digits(text, at, end)
    return behind if behind < end and (byte(text, behind) == _COMMA or byte(text, behind) == _CLOSES) else at


@compiled
def _millionths(text: int, at: int, end: int) -> float:
    """The first six decimals of a fraction, as a whole number."""
    number = 0
    for place in range(_MILLIONTHS):
        number = number * 10 + (byte(text, at + place) - _ZERO if at + place < end else 0)
    return float(number)
