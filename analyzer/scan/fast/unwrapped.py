"""Takes the wrapper off lines whose wrapper is known, compiled: what is left is told like a line that never had one.

A wrapper is what stands before a line's header, and the same before lines without one. It is known by its bytes, but
for the time of day and the fraction of a second in it, which are other ones on each line. JSON has it on both sides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from analyzer.scan.fast.compiled import compiled
from analyzer.scan.fast.enclosed import take_out
from analyzer.scan.fast.folded_key import ASKS, UNTIMED, asks, header_behind, key_of
from analyzer.scan.fast.instructions import byte, put_byte, put_real, put_whole, real, whole, word
from analyzer.scan.fast.layout import UNKNOWN
from analyzer.scan.fast.texts import number_of, signed

if TYPE_CHECKING:
    from analyzer.scan.fast.layout import Bared, Lexicon

LONGEST_WRAPPER: Final = 120  # bytes
LONGEST_WRAPPED: Final = 60 * 1024  # bytes, with which no line is cut

_LF, _BLANK, _BRACE = 10, 32, 123
_SHORTEST = 16  # bytes
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
        number, behind, micros, column = -1, to, 0.0, 0
        if byte(text, start) == _BRACE and _SHORTEST <= end - start <= LONGEST_WRAPPED:
            number, behind, micros, column = take_out(text, limit, start, end, to, known, bared)
        elif _stays(text, start, end):
            number, behind, micros, column = _off(text, limit, start, end, to, known, bared)
        if number == ASKS:
            return line
        seconds = np.nan
        if number >= 0:
            to, seconds = behind, (real(bared.midnights, number) * 1e6 + micros) / 1e6
        else:
            put_byte(bared.text, to, _BRACE)
            put_byte(bared.text, to + 1, _LF)
            to += 2
        put_whole(bared.ends, line + 1, to)
        put_whole(bared.wrapper, line, number)
        put_whole(bared.columns, line, column)
        put_real(bared.seconds, line, seconds)
    return count


@compiled
def _off(
    text: int, limit: int, start: int, end: int, to: int, known: Lexicon, bared: Bared
) -> tuple[int, int, float, int]:
    """Writes a line without the wrapper before it.

    Gives the number of the wrapper, `ASKS`, or below zero; where the next line goes; the time of day in the wrapper;
    the column in which the line begins behind it.
    """
    at, size, micros = key_of(text, start, end - 1, bared.key, 0, whole(bared.state, 0), UNTIMED, 0)
    number = number_of(known, bared.key, 0, size, size + 8) if size > 0 else -1
    header = header_behind(text, start, end, LONGEST_WRAPPER) if number < 0 else start
    if header > start:
        at, size, micros = key_of(text, start, header, bared.key, 0, LONGEST_WRAPPER, UNTIMED, 0)
        number = number_of(known, bared.key, 0, size, size + 8) if size > 0 else -1
        if number == UNKNOWN and bared.learns:
            asks(bared.state, at, end - 1, size, micros)
            return ASKS, to, 0.0, 0
    if number < 0:
        return -1, to, 0.0, 0
    put_whole(bared.state, 0, size)
    return number, _copy(text, limit, at, end, bared.text, to), max(micros, 0.0), at - start


@compiled
def _stays(text: int, start: int, end: int) -> bool:
    """Whether no wrapper's rules change the end of a line: blanks, a frame."""
    if not _SHORTEST <= end - start <= LONGEST_WRAPPED or byte(text, end - 2) >= _BEYOND_ASCII:
        return False
    return byte(text, end - 2) != _BLANK or byte(text, end - 3) != _BLANK


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
