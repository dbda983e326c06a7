"""Takes the text out of a line of JSON, compiled: docker's own files, and what collectors write of such lines.

What stands before the text and behind it is a wrapper, as if all of it stood before. The text loses its escapes; where
one of them is anything but a sign that a log has, or a break stands within, the line is left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from analyzer.scan.fast.compiled import compiled
from analyzer.scan.fast.folded_key import ASKS, UNTIMED, asks, header_behind, key_of
from analyzer.scan.fast.instructions import byte, lowest, put_byte, put_whole, whole, word
from analyzer.scan.fast.layout import UNKNOWN
from analyzer.scan.fast.texts import number_of, signed

if TYPE_CHECKING:
    from analyzer.scan.fast.layout import Bared, Lexicon

LONGEST: Final = 4000  # bytes of what stands around a text
BEFORE: Final = 1  # in a key, behind what stands before the text; behind it stands what is behind the text
KNOWN_BEFORE: Final = 2  # in place of it, where what stands before is known by itself
SHOWN: Final = 40  # characters by which the exact reading finds a text in its line

_TAB, _LF, _CR, _ESC, _BLANK, _QUOTE, _SLASH, _BACKSLASH = b'\t\n\r\x1b "/\\'
_N, _R, _T, _U, _OPENS, _ZERO, _TWO, _NINE, _A, _F = b"nrtu[029af"
_BEYOND_ASCII, _CONTINUES, _DELETE = 0x80, 0xC0, 127
_ONES, _TOPS = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080)
_BLANKS, _QUOTES = np.uint64(0x2020202020202020), np.uint64(0x2222222222222222)
_BACKSLASHES = np.uint64(0x5C5C5C5C5C5C5C5C)


@compiled
def take_out(
    text: int, limit: int, start: int, end: int, to: int, known: Lexicon, bared: Bared
) -> tuple[int, int, float, int]:
    """Writes the text of a line with its line end.

    Gives the number of the wrapper, `ASKS`, or below zero; where the next line goes; the time of day in the wrapper;
    the column in which the exact reading sees the text, zero where it does not find it.
    """
    size = whole(bared.state, 1)
    if size > 0:
        at, size, micros = key_of(text, start, end - 1, bared.key, 0, size, UNTIMED, 1)
        if size == whole(bared.state, 1):
            number, behind, micros, column = _told(text, limit, start, at, end, to, size, micros, known, bared)
            if number >= 0 or number == ASKS:
                return number, behind, micros, column
    header = header_behind(text, start, end, LONGEST)
    if header == start:
        return -1, to, 0.0, 0
    at, size, micros = key_of(text, start, header, bared.key, 0, LONGEST, UNTIMED, 1)
    return _told(text, limit, start, at, end, to, size, micros, known, bared) if size > 0 else (-1, to, 0.0, 0)


@compiled
def _told(
    text: int,
    limit: int,
    start: int,
    at: int,
    end: int,
    to: int,
    size: int,
    micros: float,
    known: Lexicon,
    bared: Bared,
) -> tuple[int, int, float, int]:
    """The same where the text begins at one place, and what stands before it is known by so many bytes of the key."""
    behind, stop, column = _unescaped(text, limit, start, at, end - 1, bared.text, to)
    if behind < 0 or end - 1 - behind > LONGEST:
        return -1, to, 0.0, 0
    put_byte(bared.key, size, BEFORE)
    _, whole_size, micros = key_of(text, behind, end - 1, bared.key, size + 1, size + LONGEST, micros, 1)
    number = number_of(known, bared.key, 0, whole_size, whole_size + 8) if whole_size > 0 else -1
    if number == UNKNOWN:
        number = ASKS if bared.learns and _may_be_learned(text, at, size, known, bared) else -1
    if number == ASKS:
        asks(bared.state, at, behind, whole_size, micros)
    if number >= 0:
        put_whole(bared.state, 1, size)
    put_byte(bared.text, stop, _LF)
    return number, stop + 1, max(micros, 0.0), column


@compiled
def _may_be_learned(text: int, at: int, size: int, known: Lexicon, bared: Bared) -> bool:
    """Whether a text begins here, as one does on a line that was told, or as a header shows."""
    if byte(text, at) == _OPENS and byte(text, at + 1) == _TWO and byte(text, at + 2) == _ZERO:
        return True
    put_byte(bared.key, size, KNOWN_BEFORE)
    found = number_of(known, bared.key, 0, size + 1, size + 9)
    put_byte(bared.key, size, BEFORE)
    return found >= 0


@compiled
def _unescaped(text: int, limit: int, start: int, at: int, end: int, target: int, to: int) -> tuple[int, int, int]:
    """Writes a text that begins at one place: where what is behind it begins, where it ends as written, its column.

    The first is below zero where the text is not one line of signs that a log has, or ends as a wrapper's rules change.
    """
    begin, column, first = to, at - start, -1
    while at < end:
        if at + 8 <= limit:
            put_whole(target + to, 0, signed(word(text, at)))
            plain = min(_plain(word(text, at)), end - at)
            at, to = at + plain, to + plain
            if plain == 8:
                continue
        if at >= end:
            break
        one = byte(text, at)
        if one == _QUOTE or (one == _BACKSLASH and byte(text, at + 1) == _N):
            whole_line = one == _QUOTE or byte(text, at + 2) == _QUOTE
            shown = first < 0 or _signs(target, begin, begin + first) >= SHOWN
            known = shown or byte(target, begin + first) != _BACKSLASH  # before which the first of two may be found
            return at if whole_line and known and _stays(target, begin, to) else -1, to, column if shown else 0
        if one != _BACKSLASH:
            if one < _BLANK:
                return -1, to, 0
            put_byte(target, to, one)
            at, to = at + 1, to + 1
            continue
        first = first if first >= 0 else to - begin
        size, to = _sign(text, at + 1, end, target, to)
        if size == 0:
            return -1, to, 0
        at += 1 + size
    return -1, to, 0


@compiled
def _plain(following: np.uint64) -> int:
    """How many of eight bytes stand before the first that is a quote, a backslash or no sign."""
    quotes, backslashes = following ^ _QUOTES, following ^ _BACKSLASHES
    found = (quotes - _ONES) & ~quotes | (backslashes - _ONES) & ~backslashes | (following - _BLANKS) & ~following
    found &= _TOPS
    return lowest(found) >> 3 if found else 8


@compiled
def _sign(text: int, at: int, end: int, target: int, to: int) -> tuple[int, int]:
    """Writes the sign of an escape; how many bytes it takes behind the backslash, none where it is another one."""
    one = byte(text, at)
    if one in (_QUOTE, _BACKSLASH, _SLASH):
        put_byte(target, to, one)
        return 1, to + 1
    if one in (_T, _R):
        put_byte(target, to, _TAB if one == _T else _CR)
        return 1, to + 1
    code = 0
    if one != _U or at + 5 > end:
        return 0, to
    for place in range(at + 1, at + 5):
        digit = _hex(byte(text, place))
        code = code * 16 + digit if digit >= 0 and code >= 0 else -1
    if code < _BLANK and code != _ESC and code != _TAB:
        return 0, to
    if 0xD800 <= code < 0xE000:  # a half of a sign beyond the first 65,536
        return 0, to
    return 5, _as_utf8(code, target, to)


@compiled
def _as_utf8(code: int, target: int, to: int) -> int:
    """Writes one of the first 65,536 signs, and gives where the next one goes."""
    if code < _BEYOND_ASCII:
        put_byte(target, to, code)
        return to + 1
    behind = to + (2 if code < 0x800 else 3)
    put_byte(target, to, 0xC0 | (code >> 6) if code < 0x800 else 0xE0 | (code >> 12))
    put_byte(target, behind - 2, 0x80 | ((code >> 6) & 0x3F) if code >= 0x800 else 0xC0 | (code >> 6))
    put_byte(target, behind - 1, 0x80 | (code & 0x3F))
    return behind


@compiled
def _hex(one: int) -> int:
    """The number of a digit; below zero where it is none."""
    if _ZERO <= one <= _NINE:
        return one - _ZERO
    one |= _BLANK  # a small letter
    return one - _A + 10 if _A <= one <= _F else -1


@compiled
def _signs(target: int, begin: int, end: int) -> int:
    """How many signs some bytes of UTF-8 are."""
    count = 0
    for at in range(begin, end):
        count += (byte(target, at) & _CONTINUES) != _BEYOND_ASCII
    return count


@compiled
def _stays(target: int, begin: int, end: int) -> bool:
    """Whether no wrapper's rules change the end of a text: blanks, a frame."""
    if end > begin and byte(target, end - 1) == _CR:
        end -= 1
    if end == begin:
        return True
    last = byte(target, end - 1)
    if last == _BLANK:
        return end - 1 > begin and _BLANK < byte(target, end - 2) < _DELETE
    return _BLANK < last < _DELETE
