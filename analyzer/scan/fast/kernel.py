"""One pass over the bytes of a chunk: where its lines are, which of them are steady, and the values that they hold.

A line is taken only where every one of its bytes is accounted for; for whatever was not seen before, the caller is
asked. Its lines end in line feeds, behind which nothing that begins in a line is read byte by byte.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from analyzer.scan.fast.compiled import compiled
from analyzer.scan.fast.instructions import byte, put_byte, put_real, put_whole, real, whole, word
from analyzer.scan.fast.layout import (
    A_DAY,
    A_FORM,
    A_HUSH,
    A_RANK,
    A_SHAPE,
    A_SPEAKER,
    A_TAIL,
    A_WORDING,
    ALIKE,
    BLANK,
    DATED,
    FLAG_BITS,
    HUSHED,
    ITSELF,
    LEFT,
    LEVEL,
    NOTHING,
    OPENING,
    SAID,
    SHAPED,
    SILENT,
    SPOKEN,
    UNDATED,
    UNKNOWN,
)
from analyzer.scan.fast.texts import goes_not_on, is_utf8, number_of, number_of_alike, number_of_bare, same, value
from analyzer.scan.silence import ASK, COLOURED, EVENTS, KNOWN

if TYPE_CHECKING:
    from analyzer.scan.fast.layout import Forms, Found, Learned, Lexicon, Lines, Place, Rows, Words

LONGEST_RANK: Final = 30
LONGEST_ADDRESS: Final = 23
LONGEST_ACCESS: Final = 1000
LONGEST_SILENT: Final = 500
LONGEST_HUSHED: Final = 2000
LONGEST_SAID: Final = 64 * 1024 - 64  # bytes behind the header
SHORTEST: Final = 8
_OBJECT: Final = 200  # bytes in which the name of what is logged ends
_FLAGS: Final = SHAPED - 1
_CLOCK: Final = 12  # bytes before the time in a header

_CR, _BLANK, _ZERO, _NINE, _DOT, _COLON = 13, 32, 48, 57, 46, 58
_CLOSES, _ROUND, _DELETE = 93, 40, 127
_LOW3, _LOW4, _NIL = np.uint64(0xFFFFFF), np.uint64(0xFFFFFFFF), np.uint64(0)
_YEAR = np.uint64(int.from_bytes(b"[20", "little"))
RECEIVE = np.uint64(int.from_bytes(b"Receive:", "little"))
FINISH = np.uint64(int.from_bytes(b"Finish: ", "little"))
_OBJ = np.uint64(int.from_bytes(b"obj=", "little"))


@compiled
def batch(text: int, at: int, end: int, limit: int, forms: Forms, found: Found) -> int:
    """The table of a message that is a batch line of a known form, of which it gets a row; below zero for others."""
    first = word(text, at)
    for form in range(forms.length):
        if word(forms.first, 8 * form) == first and _has_form(text, at, end, limit, forms, form, found):
            return whole(forms.table, form)
    return -1


@compiled
def _has_form(text: int, at: int, end: int, limit: int, forms: Forms, form: int, found: Found) -> bool:
    size = whole(forms.before, 2 * form + 1)
    if not same(text, at, limit, forms.texts, whole(forms.before, 2 * form), size):
        return False
    at += size
    table = whole(forms.table, form)
    row = (table * found.room + whole(found.counts, table)) * found.width
    put_real(found.values, row, float(form))
    for column in range(1, found.width):
        put_real(found.values, row + column, np.nan)
    for field in range(whole(forms.fields, 2 * form), whole(forms.fields, 2 * form + 1)):
        size, number = value(text, at, whole(forms.places, field))
        behind = whole(forms.behind, 2 * field + 1)
        if size == 0 or not same(text, at + size, limit, forms.texts, whole(forms.behind, 2 * field), behind):
            return False
        at += size + behind
        column = whole(forms.column, field)
        if column >= 0:
            put_real(found.values, row + column, number * real(forms.factor, field))
    return at == end


@compiled
def header(text: int, start: int, end: int, limit: int, time: float, learned: Learned) -> tuple[int, float, int, int]:
    """What has to be learned to read a plain header, its seconds, the label of its rank, where the message begins.

    The last is zero where there is no such header. `time` are the seconds where they are known, else NaN.
    """
    ask = NOTHING
    if np.isnan(time):
        ask, time = _time(text, start, end, learned)
    if ask or np.isnan(time):
        return ask, 0.0, -1, 0
    closes = start + OPENING
    while closes < end and closes - start - OPENING < LONGEST_RANK and byte(text, closes) != _CLOSES:
        closes += 1
    if closes + 2 >= end or byte(text, closes) != _CLOSES or byte(text, closes + 1) != _BLANK:
        return NOTHING, 0.0, -1, 0
    label = number_of(learned.ranks, text, start + OPENING, closes, limit)
    if label < 0:
        return (A_RANK if label == UNKNOWN else NOTHING), 0.0, -1, 0
    return NOTHING, time, label, closes + 2


@compiled
def _time(text: int, start: int, end: int, learned: Learned) -> tuple[int, float]:
    """What has to be learned to read the time that a line begins with, and its seconds, NaN where there is none."""
    if end - start <= OPENING or word(text, start) & _LOW3 != _YEAR or byte(text, start + _CLOCK - 1) != _BLANK:
        return NOTHING, np.nan
    seconds = clock(text, start + _CLOCK)
    if seconds < 0:
        return NOTHING, np.nan
    day = _day(text, start, learned)
    return (A_DAY, np.nan) if day < 0 else (NOTHING, real(learned.midnights, day) + seconds)


@compiled
def _opens_alike(text: int, one: int, other: int) -> bool:
    """Whether two headers begin with the same time."""
    if word(text, one) != word(text, other) or word(text, one + 8) != word(text, other + 8):
        return False
    return bool(word(text, one + OPENING - 8) == word(text, other + OPENING - 8))


@compiled
def _day(text: int, start: int, learned: Learned) -> int:
    """The index of the day in a header, below zero where it is not known."""
    month, day = word(text, start), word(text, start + 8) & _LOW4
    known = learned.day_count - 1
    while known >= 0 and (word(learned.days, 16 * known) != month or word(learned.days, 16 * known + 8) != day):
        known -= 1
    return known


@compiled
def clock(text: int, at: int) -> float:
    """The seconds since midnight of `10:15:42`; below zero where it is no time."""
    hour, minute, second = _two(text, at), _two(text, at + 3), _two(text, at + 6)
    colons = byte(text, at + 2) == _COLON and byte(text, at + 5) == _COLON
    if not colons or not (0 <= hour < 24 and 0 <= minute < 60 and 0 <= second < 60):
        return -1.0
    return hour * 3600.0 + minute * 60.0 + second


@compiled
def _two(text: int, at: int) -> int:
    """A number of two digits; below zero where it is none."""
    ten, one = byte(text, at) - _ZERO, byte(text, at + 1) - _ZERO
    return ten * 10 + one if 0 <= ten < 10 and 0 <= one < 10 else -1


@compiled
def access(text: int, at: int, end: int, limit: int, tails: Lexicon) -> int:
    """The number of the tail of an access line whose address begins at `at`; `UNKNOWN` where it is to be learned."""
    begin = at
    while at < end and (byte(text, at) == _DOT or _ZERO <= byte(text, at) <= _COLON):
        at += 1
    if at == begin or at - begin > LONGEST_ADDRESS or byte(text, at) != _BLANK or end - begin > LONGEST_ACCESS:
        return -1
    return number_of(tails, text, at, end - 1, limit)


@compiled
def may_speak(text: int, begin: int, end: int) -> bool:
    """Whether a message can be told by its wording: it has no digits near its beginning, no blanks at its ends."""
    last = end - 2 if byte(text, end - 2) != _CR else end - 3
    if end - 1 - begin <= SHORTEST or end - 1 - begin >= LONGEST_SILENT or byte(text, last) <= _BLANK:
        return False
    for at in range(begin, begin + 4):
        if _ZERO <= byte(text, at) <= _NINE:
            return False
    return byte(text, begin) > _BLANK


@compiled
def told(text: int, limit: int, line: int, begin: int, end: int, lines: Lines, words: Words, ask: int) -> int:
    """The flags of a line by its wording, whose form is noted; below zero where it has to be asked for."""
    number = number_of_alike(words.shapes, text, begin, end - 1)
    if number < 0:
        number = number_of_bare(words.wordings, text, begin, end - 1)
        if number < 0:
            put_byte(lines.ask, line, ask)
            return -1
        put_whole(lines.form, line, number >> FLAG_BITS)
        if number & ASK:
            number = UNKNOWN if number & ALIKE else number_of(words.exact, text, begin, end - 1, limit)
            if number < 0:
                put_byte(lines.ask, line, ITSELF)
                return -1
        elif number & SHAPED:
            put_byte(lines.ask, line, A_SHAPE)
    put_whole(lines.form, line, number >> FLAG_BITS)
    return number & _FLAGS


@compiled
def says_whose(text: int, at: int, end: int) -> int:
    """Where a user's text begins in a message that is a request or an answer; zero in any other."""
    begins = word(text, at)
    if end - at > LONGEST_SAID or (begins != RECEIVE and begins != FINISH):
        return 0
    opens = at + 8
    if begins == RECEIVE:
        opens += 1
        if byte(text, at + 8) != _BLANK:
            return 0
    if opens + 8 > end or word(text, opens) & _LOW4 != _OBJ:
        return 0
    last = min(end, at + _OBJECT)
    while opens < last and _BLANK < byte(text, opens) < _DELETE and byte(text, opens) != _ROUND:
        opens += 1
    return opens + 1 if opens < last and byte(text, opens) == _ROUND and goes_not_on(text, opens, end) else 0


@compiled
def read_lines(text: int, limit: int, count: int, which: int, lines: Lines, learned: Learned, found: Found) -> None:
    """Tells so many lines, those of the numbers `which`; those that need a lesson stay left, with what it is."""
    before, time = -1, np.nan  # the header before, and its time: mostly this one has the same
    for index in range(count):
        line = whole(which, index)
        start, end = whole(lines.ends, line), whole(lines.ends, line + 1)
        put_byte(lines.ask, line, NOTHING)
        put_whole(lines.form, line, -1)
        if end + 8 > limit:  # of a line before that, eight bytes can be looked at from each of its own
            continue
        known = time if before >= 0 and _opens_alike(text, start, before) else np.nan
        ask, seconds, label, message = header(text, start, end, limit, known, learned)
        if message > 0:
            before, time = start, seconds
        if ask:
            put_byte(lines.ask, line, ask)
            continue
        put_real(lines.seconds, line, seconds)
        put_whole(lines.label, line, label)
        put_whole(lines.message, line, message)
        if end - start > SHORTEST + 1:
            _tell(text, limit, line, message if message else start, end, lines, learned, found)
        elif not message:
            _hush(text, limit, line, start, end, lines, learned)


@compiled
def _tell(text: int, limit: int, line: int, at: int, end: int, lines: Lines, learned: Learned, found: Found) -> None:
    """Tells a line from what follows its header, if it has one."""
    headed = whole(lines.message, line) > 0
    if headed and at + SHORTEST >= end:
        return
    if headed and _is_head(word(text, at), learned):
        table = batch(text, at, end, limit, learned.forms, found)
        if table < 0:
            put_byte(lines.ask, line, A_FORM)
        else:
            _add(found, table, line)
            put_byte(lines.kind, line, DATED)
            put_whole(lines.form, line, 0)
    elif same(text, at, limit, learned.levels, 0, whole(learned.level_sizes, 0)):
        number = access(text, at + whole(learned.level_sizes, 0), end, limit, learned.plain)
        _answer(line, number, 0, DATED if headed else UNDATED, lines, found)
    elif not headed and same(text, at, limit, learned.levels, LEVEL, whole(learned.level_sizes, 1)):
        number = access(text, at + whole(learned.level_sizes, 1), end, limit, learned.coloured)
        _answer(line, number, 1, UNDATED, lines, found)
    elif not headed:
        _hush(text, limit, line, at, end, lines, learned)
    elif says_whose(text, at, end):
        _said(text, limit, line, at, end, lines, learned)
    else:
        _speak(text, limit, line, at, end, lines, learned)


@compiled
def _speak(text: int, limit: int, line: int, at: int, end: int, lines: Lines, learned: Learned) -> None:
    """Tells a message by its wording."""
    flags = told(text, limit, line, at, end, lines, learned.messages, A_WORDING) if may_speak(text, at, end) else 0
    if flags > 0:
        put_byte(lines.kind, line, SPOKEN if flags & EVENTS else SILENT)
        put_byte(lines.flags, line, flags & KNOWN)


@compiled
def _said(text: int, limit: int, line: int, at: int, end: int, lines: Lines, learned: Learned) -> None:
    """Tells a request or an answer by what stands before the user's text, which must be text."""
    opens = says_whose(text, at, end)
    number = number_of(learned.speakers, text, at, opens, limit)
    if number == UNKNOWN:
        put_byte(lines.ask, line, A_SPEAKER)
    elif number >= 0 and is_utf8(text, opens, end):
        put_byte(lines.kind, line, SAID)
        put_whole(lines.form, line, number)


@compiled
def _hush(text: int, limit: int, line: int, start: int, end: int, lines: Lines, learned: Learned) -> None:
    """Tells a line without a header by its wording."""
    if end - start > LONGEST_HUSHED:
        return
    if end - start == 1 or (end - start == 2 and byte(text, start) == _CR):
        put_byte(lines.kind, line, BLANK)
        return
    flags = told(text, limit, line, start, end, lines, learned.hushes, A_HUSH)
    if flags > 0:
        put_byte(lines.kind, line, HUSHED)
        put_byte(lines.flags, line, flags)


@compiled
def _is_head(first: np.uint64, learned: Learned) -> bool:
    for head in range(learned.head_count):
        if word(learned.heads, 8 * head) == first:
            return True
    return False


@compiled
def _answer(line: int, number: int, coloured: int, kind: int, lines: Lines, found: Found) -> None:
    """Takes an access line whose tail has this number."""
    if number == UNKNOWN:
        put_byte(lines.ask, line, A_TAIL)
    elif number >= 0:
        _add(found, found.tables - 1, line)
        put_byte(lines.kind, line, kind)
        put_byte(lines.flags, line, COLOURED if coloured else 0)
        put_whole(lines.form, line, 1 + number)


@compiled
def _add(found: Found, table: int, line: int) -> None:
    row = whole(found.counts, table)
    put_whole(found.lines, table * found.room + row, line)
    put_whole(found.counts, table, row + 1)


@compiled
def take_rows(found: Found, table: int, lines: Lines, dated: int, place: Place, rows: Rows) -> int:
    """Copies the rows of a table whose lines were not left after all; gives how many there are."""
    row = 0
    for index in range(whole(found.counts, table)):
        line = whole(found.lines, table * found.room + index)
        if byte(lines.kind, line) == LEFT:
            continue
        put_whole(rows.number, row, line + place.number)
        put_whole(rows.start, row, whole(lines.ends, line) + place.start)
        put_real(rows.seconds, row, real(lines.seconds, whole(dated, line)))
        put_whole(rows.label, row, whole(lines.label, line))
        if table == found.tables - 1:
            put_real(rows.values, row, whole(lines.form, line) - 1.0)
        else:
            _take_values(found, (table * found.room + index) * found.width, rows, row)
        row += 1
    return row


@compiled
def _take_values(found: Found, first: int, rows: Rows, row: int) -> None:
    for column in range(rows.width):
        value_at = first + whole(rows.columns, column)
        put_real(rows.values, column * rows.room + row, real(found.values, value_at))
