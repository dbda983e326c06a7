"""The headers of many lines at once: `[2025-11-02 10:15:42 TP7] ` to a time, a rank, and where the message begins."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from analyzer.scan.fast.labels import LESSONS, UNKNOWN, WORDS
from analyzer.scan.fast.words import WIDTH, first, masked

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analyzer.scan.fast.memory import Memory
    from analyzer.scan.fast.words import Mask, Positions, Word, Words

DATE = len("[2025-11-02 ")
OPENING = len("[2025-11-02 10:15:42")
_SEEN = 64  # bytes of a line that are looked at for its header
_HALF = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)
_FORM = np.uint64(int.from_bytes(b"00:00:00", "little"))
_COLONS = np.uint64(0x0000FF0000FF0000)
_NO_DIGIT = np.uint64(0x7676767676767676)
_TOPS = np.uint64(0x8080808080808080)
_NIBBLE = np.uint64(0xF)


class Headed(NamedTuple):
    """Lines with a plain header: their seconds as tables have them, the labels of their ranks, where they go on."""

    lines: Positions
    seconds: NDArray[np.float64]
    label: Positions
    message: Positions

    def only(self, kept: Mask) -> Headed:
        """The lines that are kept."""
        if kept.all():
            return self
        return Headed(self.lines[kept], self.seconds[kept], self.label[kept], self.message[kept])


def headed(words: Words, lines: Positions, starts: Positions, memory: Memory) -> Headed:
    """Reads the headers of the lines that begin with `[20`, at `starts`; lines with another header are left out."""
    rows = words.rows(starts, _SEEN)
    seconds, plain = _times(words, starts, rows, memory)
    label, length = _ranks(words, starts, rows, memory)
    return Headed(lines, seconds, label, starts + OPENING + length).only(plain & (label >= 0))


def _times(words: Words, starts: Positions, rows: Word, memory: Memory) -> tuple[NDArray[np.float64], Mask]:
    second = rows[:, 1]
    clock = (second >> _HALF) | (rows[:, 2] << _HALF)
    digits = clock ^ _FORM
    plain: Mask = ((((digits + _NO_DIGIT) | digits) & _TOPS) | (digits & _COLONS)) == 0
    hour, minute, seconds = (_two(digits, byte) for byte in (0, 3, 6))
    plain &= (hour < 24) & (minute < 60) & (seconds < 60)  # noqa: PLR2004 - of a clock
    seconds = seconds + minute * 60.0 + hour * 3600.0
    day, month = second & _LOW, rows[:, 0]
    changes = np.flatnonzero((day[1:] != day[:-1]) | (month[1:] != month[:-1])) + 1
    for begin, end in zip([0, *changes.tolist()], [*changes.tolist(), len(starts)], strict=True):
        midnight = memory.midnight(words.text[starts[begin] : starts[begin] + DATE])
        seconds[begin:end] += midnight or 0.0
        plain[begin:end] &= midnight is not None
    return seconds, plain


def _two(digits: Word, byte: int) -> NDArray[np.float64]:
    ten, one = digits >> np.uint64(byte * 8), digits >> np.uint64(byte * 8 + 8)
    value: NDArray[np.float64] = ((ten & _NIBBLE) * np.uint64(10) + (one & _NIBBLE)).astype(np.float64)
    return value


def _ranks(words: Words, starts: Positions, rows: Word, memory: Memory) -> tuple[Positions, Positions]:
    """The label of each line's rank, below zero where the header is not known, and the length of its text."""
    said = [(rows[:, 2 + n] >> _HALF) | (rows[:, 3 + n] << _HALF) for n in range(WORDS)]
    length = first(said[0], ord("]"))
    for index in range(1, WORDS):
        open_ = length == index * WIDTH
        if not open_.any():
            break
        length[open_] += first(said[index][open_], ord("]"))
    length += 2  # the bracket and the space behind it
    used = max(1, -(-int(length.max()) // WIDTH))
    keys = [masked(word, length - n * WIDTH) for n, word in enumerate(said[:used])]
    label = memory.labels.find(keys)
    for _ in range(LESSONS):
        unknown = np.flatnonzero(label == UNKNOWN)
        if not len(unknown):
            break
        line = int(unknown[0])
        begin = int(starts[line]) + OPENING
        text = words.text[begin : begin + int(length[line])]
        new = memory.learn_rank(text, tuple(int(key[line]) for key in keys))
        same = np.ones(len(unknown), np.bool_)
        for key in keys:
            same &= key[unknown] == key[line]
        label[unknown[same]] = new
    return label, length
