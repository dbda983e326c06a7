"""What stands beside a line has a say in what it is: lines that go on others, tracebacks, which are several lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from analyzer.scan.fast.compiled import compiled
from analyzer.scan.fast.instructions import byte, put_byte, put_whole, whole, word
from analyzer.scan.fast.kernel import FINISH, RECEIVE, SHORTEST
from analyzer.scan.fast.layout import (
    BEFORE,
    BLANK,
    DATED,
    HUSHED,
    JOINED,
    LEFT,
    MESSAGES,
    OPENS,
    REFUSED,
    ROW_BITS,
    SAID,
    SILENT,
    SPOKEN,
    SPREAD,
    UNDATED,
    UNKNOWN,
    WITHIN,
)
from analyzer.scan.fast.texts import goes_not_on, number_of, signed
from analyzer.scan.reach import FURTHER, HELD, MORE, STRANGERS
from analyzer.scan.silence import APART, KNOWN
from analyzer.scan.silence import SILENT as QUIET

if TYPE_CHECKING:
    from analyzer.scan.fast.layout import Learned, Lines, Pairs

TRACEBACK: Final = b"Traceback (most recent call last):\n"
_STRANGERS: Final = STRANGERS + 2  # with its first line, and one more that ends it
_HELD: Final = HELD + 1

_TAB, _CR, _BLANK, _OPENS, _TWO = 9, 13, 32, 91, 50
_SIZE: Final = len(TRACEBACK)
_FIRST, _SECOND, _THIRD, _FOURTH, _LAST = (
    np.uint64(int.from_bytes(TRACEBACK[at : at + 8], "little")) for at in (0, 8, 16, 24, _SIZE - 8)
)

_SPREAD = np.uint64(SPREAD)
_LOW6, _FILE = np.uint64(0xFFFFFFFFFFFF), np.uint64(int.from_bytes(b'File "', "little"))


@compiled
def opens_traceback(text: int, start: int, end: int) -> bool:
    """Whether a line ends as a traceback opens."""
    at = end - _SIZE
    return (
        at >= start
        and word(text, end - 8) == _LAST
        and word(text, at) == _FIRST
        and word(text, at + 8) == _SECOND
        and word(text, at + 16) == _THIRD
        and word(text, at + 24) == _FOURTH
    )


@compiled
def leave_said(text: int, lines: Lines) -> None:
    """Leaves requests and answers where something else than a header follows, or that end as a traceback opens."""
    for line in range(lines.length - 1):
        if byte(lines.kind, line) == SAID:
            headed = whole(lines.message, line + 1) > 0 or byte(lines.kind, line + 1) == UNDATED
            if not headed or opens_traceback(text, whole(lines.ends, line), whole(lines.ends, line + 1)):
                put_byte(lines.kind, line, LEFT)


@compiled
def answer_of(pairs: Pairs, row: int, wording: int) -> int:
    """Whether a line of this wording changes nothing in a row of this form; `UNKNOWN` where it was not asked."""
    key = row << ROW_BITS | wording
    slot = signed(np.uint64(key) * _SPREAD >> np.uint64(pairs.shift))
    while whole(pairs.keys, slot) >= 0:
        if whole(pairs.keys, slot) == key:
            return whole(pairs.answers, slot)
        slot = (slot + 1) & pairs.mask
    return UNKNOWN


@compiled
def row_of(line: int, lines: Lines) -> int:
    """The row, or the message that says nothing, that a line may go on, right before it or before others that do.

    Below zero where there is none.
    """
    line -= 1
    while line > 0 and byte(lines.kind, line) == JOINED:
        line -= 1
    kind = byte(lines.kind, line)
    return line if kind in (DATED, UNDATED) or (kind == SILENT and byte(lines.flags, line) == 0) else -1


@compiled
def key_of(row: int, lines: Lines) -> int:
    """The number of a row's form, or of a message's wording, in a pair."""
    form = whole(lines.form, row)
    return form + MESSAGES if byte(lines.kind, row) == SILENT else form


@compiled
def take_joined(line: int, row: int, lines: Lines) -> None:
    """Takes a line that goes on a row; what explains the row explains it."""
    put_byte(lines.kind, line, JOINED)
    put_byte(lines.flags, line, 0 if byte(lines.kind, row) == SILENT else KNOWN)


@compiled
def join(text: int, begin: int, lines: Lines, learned: Learned) -> int:
    """Takes lines that go on a row, and change nothing in it; gives the first that has to be asked about, or zero."""
    for line in range(max(begin, 1), lines.length):
        if not is_quiet(line, lines):
            continue
        row = row_of(line, lines)
        if row < 0:
            continue
        first = byte(text, whole(lines.ends, line))
        indented = first in (_BLANK, _TAB)
        answer = answer_of(learned.pairs, key_of(row, lines), whole(lines.form, line)) if indented else UNKNOWN
        if line - row > FURTHER:
            put_byte(lines.flags, line, byte(lines.flags, line) | APART)  # a message has no more lines
        elif answer == UNKNOWN:
            return line
        elif answer > 0:
            take_joined(line, row, lines)
    return 0


@compiled
def is_quiet(line: int, lines: Lines) -> bool:
    """Whether a line without a header may go on the one before it, and says nothing else."""
    return byte(lines.kind, line) == HUSHED and byte(lines.flags, line) == QUIET


@compiled
def part(lines: Lines) -> None:
    """Leaves lines that may go on the record before them, where that has a header."""
    for line in range(1, lines.length):
        if byte(lines.kind, line) == HUSHED and not byte(lines.flags, line) & APART:
            before = byte(lines.kind, line - 1)
            if before not in (LEFT, HUSHED, BLANK):
                put_byte(lines.kind, line, LEFT)


@compiled
def settle(text: int, lines: Lines, dated: int) -> None:
    """Writes which line prints the time of each; leaves those without a time behind one that may change it."""
    clock, sure = 0, False
    for line in range(lines.length):
        kind = byte(lines.kind, line)
        message = whole(lines.message, line)
        if message > 0:
            clock = line
            sure = kind != LEFT or _says_only_its_time(text, message, whole(lines.ends, line + 1))
        elif kind == LEFT:
            clock, sure = line, False
        elif kind == UNDATED and not sure:
            put_byte(lines.kind, line, LEFT)
        put_whole(dated, line, clock)


@compiled
def _says_only_its_time(text: int, at: int, end: int) -> bool:
    """Whether a message is one record at one time, whatever it says, and ends there."""
    said = end - at > SHORTEST and (
        word(text, at) == FINISH or (word(text, at) == RECEIVE and byte(text, at + 8) == _BLANK)
    )
    for place in range(at, end - 1):
        if not said and byte(text, place) == _OPENS and byte(text, place + 1) == _TWO:  # as another header begins
            return False
    return goes_not_on(text, at, end)


@compiled
def take_tracebacks(text: int, limit: int, begin: int, lines: Lines, learned: Learned) -> int:
    """Takes tracebacks that were seen before, that nothing before or behind them belongs to: the last first.

    Gives the first line, from `begin` back, of one that has to be asked about, or zero.
    """
    for line in range(min(begin, lines.length - 2), 0, -1):
        start = whole(lines.ends, line)
        if byte(lines.kind, line) != LEFT or not opens_traceback(text, start, whole(lines.ends, line + 1)):
            continue
        end = end_of_traceback(text, line, lines)
        if end >= lines.length - 1 or not _is_over(end, lines) or not _may_stand_alone(text, line, lines, learned):
            continue
        message = whole(lines.message, line)
        known = learned.headed if message > 0 else learned.bare
        number = number_of(known, text, message if message > 0 else start, whole(lines.ends, end), limit)
        if number != REFUSED and (number < 0 or (message == 0 and _expected(line, lines, learned) == UNKNOWN)):
            return line
        if number != REFUSED:
            take_traceback(line, end, number, lines)
    return 0


@compiled
def take_traceback(line: int, end: int, number: int, lines: Lines) -> None:
    """Takes a traceback from a line to before another."""
    for each in range(line, end):
        put_byte(lines.kind, each, WITHIN)
        put_byte(lines.flags, each, 0)
    put_byte(lines.kind, line, OPENS)
    put_whole(lines.form, line, number)


@compiled
def end_of_traceback(text: int, line: int, lines: Lines) -> int:
    """The line behind the one that names the exception; behind the last line where none does."""
    for each in range(line + 1, min(line + MORE, lines.length - 1)):
        kind = byte(lines.kind, each)
        if whole(lines.message, each) > 0 or kind not in (LEFT, HUSHED):
            break
        if not _is_inner(text, whole(lines.ends, each)):
            return each + 1
    return lines.length


@compiled
def _is_inner(text: int, start: int) -> bool:
    first = byte(text, start)
    return first == _TAB or (first == _BLANK and byte(text, start + 1) == _BLANK)


@compiled
def _is_frame(text: int, at: int, end: int) -> bool:
    """Whether a message begins as a frame of a traceback does, whose opening may be lost."""
    while at + 8 < end and byte(text, at) in (_BLANK, _TAB):
        at += 1
    return at + 8 < end and word(text, at) & _LOW6 == _FILE


@compiled
def _is_over(end: int, lines: Lines) -> bool:
    """Whether a traceback that ends before a line is over: a header or another one comes before anything else."""
    for line in range(end, min(end + _HELD, lines.length - 1)):
        kind = byte(lines.kind, line)
        if kind not in (HUSHED, BLANK):
            return whole(lines.message, line) > 0 or kind in (UNDATED, OPENS)
    return end + _HELD < lines.length - 1


@compiled
def _may_stand_alone(text: int, line: int, lines: Lines, learned: Learned) -> bool:
    """Whether a traceback can be nobody's, as far as that is known, and does not stand among those of two processes.

    Behind a line that is left it is read exactly, whatever is said of it here.
    """
    if whole(lines.message, line) > 0:
        return not _opened_before(text, line, lines)
    return _expected(line, lines, learned) <= 0


@compiled
def _expected(line: int, lines: Lines, learned: Learned) -> int:
    """Whether a traceback without a header belongs to what was said before it; `UNKNOWN` where that was not asked."""
    row = row_of(line, lines)
    if byte(lines.kind, line - 1) in (SILENT, SPOKEN) or (row >= 0 and byte(lines.kind, row) == SILENT):
        return UNKNOWN
    form = whole(lines.form, row) if row >= 0 else 0
    return answer_of(learned.pairs, form, BEFORE) if form > 0 else 0  # no batch line ends as one that expects it


@compiled
def _opened_before(text: int, line: int, lines: Lines) -> bool:
    """Whether another traceback may wait for its first line: two processes write theirs at once.

    What stands before the chunk is not known.
    """
    for before in range(line - 1, max(-1, line - _STRANGERS), -1):
        start, end = whole(lines.ends, before), whole(lines.ends, before + 1)
        if opens_traceback(text, start, end) or _is_frame(text, max(start, whole(lines.message, before)), end):
            return before + 1 == line or not _is_inner(text, end)
        if whole(lines.message, before) > 0 or byte(lines.kind, before) == UNDATED:
            return False
    return line < _STRANGERS
