"""The whole lines of a few MB: which of them are steady, with their values as columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from analyzer.scan.fast.headers import OPENING, headed
from analyzer.scan.fast.words import WIDTH, Words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analyzer.scan.fast.access import Tails
    from analyzer.scan.fast.memory import Memory
    from analyzer.scan.fast.template import Columns, Template
    from analyzer.scan.fast.words import Mask, Positions

# What a line is: for the exact reading, a row under its own time, a row at the time before it, or nothing at all.
LEFT, DATED, UNDATED, SILENT = range(4)

_LONGEST_SILENT = 500
_LESSONS = 8  # new forms that one chunk may teach
_BLANK, _RETURN = ord(" "), ord("\r")


class Part(NamedTuple):
    """Rows of one form: the index of each row's line, and the columns; of access lines the number of the tail."""

    form: Template | Tails
    lines: Positions
    columns: Columns

    def only(self, kept: Mask) -> Part:
        """The rows that are kept."""
        if kept.all():
            return self
        columns = {name: values[kept] for name, values in self.columns.items()}
        return Part(self.form, self.lines[kept], columns)


class Chunk:
    """Finds the steady lines in bytes `begin` to `size` of a text that ends in `PAD`; the last is a line feed.

    `kinds` says for every line what it is. `message` is where the message of a line with a plain header begins, zero
    for the others; `seconds` is its time and `label` the label of its rank. `parts` hold the rows.
    """

    def __init__(self, text: bytes, begin: int, size: int, memory: Memory) -> None:
        self.words = Words(text)
        self.ends: Positions = np.flatnonzero(self.words.bytes[begin:size] == ord("\n")) + (begin + 1)
        self.starts: Positions = np.empty_like(self.ends)
        self.starts[0], self.starts[1:] = begin, self.ends[:-1]
        count = len(self.ends)
        self.kinds: NDArray[np.int8] = np.zeros(count, np.int8)
        self.message: Positions = np.zeros(count, np.int64)
        self.seconds: NDArray[np.float64] = np.zeros(count, np.float64)
        self.label: NDArray[np.int64] = np.full(count, -1, np.int64)
        self.coloured: Mask = np.zeros(count, np.bool_)
        self.parts: list[Part] = []
        self._memory = memory
        first = self.words.at(self.starts)
        self._read_dated(np.flatnonzero((first & _LOW3) == _HEADER))
        for tails in memory.tails:
            lines = np.flatnonzero(first == np.uint64(int.from_bytes(tails.level[:WIDTH], "little")))
            lines = lines[self.words.same(self.starts[lines], tails.level)]
            self._read_access(tails, lines, self.starts[lines], UNDATED)

    def _read_dated(self, lines: Positions) -> None:
        lines = lines[self.ends[lines] - self.starts[lines] > OPENING]
        if not len(lines):
            return
        found = headed(self.words, lines, self.starts[lines], self._memory)
        found = found.only(found.message < self.ends[found.lines])
        lines, message = found.lines, found.message
        self.seconds[lines], self.label[lines] = found.seconds, found.label
        self.message[lines] = message
        first = self.words.at(message)
        self._read_batches(lines, message, first)
        for tails in self._memory.tails[:1]:  # the level without colours
            access = first == np.uint64(int.from_bytes(tails.level[:WIDTH], "little"))
            access[access] = self.words.same(message[access], tails.level)
            self._read_access(tails, lines[access], message[access], DATED)
        self._read_silent(lines, message)

    def _read_batches(self, lines: Positions, message: Positions, first: NDArray[np.uint64]) -> None:
        for word in {head.text[:WIDTH].encode() for head in self._memory.known.heads}:
            chosen = np.flatnonzero(first == np.uint64(int.from_bytes(word, "little")))
            for template in self._memory.templates:
                if len(chosen) and template.before.startswith(word):
                    chosen = self._read_template(template, lines, message, chosen)
            for _ in range(_LESSONS):
                if not len(chosen):
                    break
                one = chosen[0]
                learned = self._memory.learn(self.words.text[message[one] : self.ends[lines[one]] - 1])
                chosen = self._read_template(learned, lines, message, chosen) if learned else chosen[1:]

    def _read_template(self, template: Template, lines: Positions, message: Positions, chosen: Positions) -> Positions:
        """Keeps the rows of the lines that have the form, and gives back those that have not."""
        plain, columns = template.read(self.words, message[chosen])
        self._keep(Part(template, lines[chosen], columns).only(plain), DATED)
        rest: Positions = chosen[~plain]
        return rest

    def _keep(self, part: Part, kind: int) -> None:
        if len(part.lines):
            self.kinds[part.lines] = kind
            self.parts.append(part)

    def _read_access(self, tails: Tails, lines: Positions, at: Positions, kind: int) -> None:
        if len(lines):
            found = tails.read(self.words, lines, at, self.ends[lines])
            self._keep(Part(tails, found.lines, {"tail": found.tails}), kind)
            self.coloured[found.lines] = tails.coloured

    def _read_silent(self, lines: Positions, message: Positions) -> None:
        left = self.kinds[lines] == LEFT
        lines, begin, end = lines[left], message[left], self.ends[lines[left]] - 1
        last = self.words.bytes[end - 1]
        last = np.where(last == _RETURN, self.words.bytes[end - 2], last)
        plain = (end - begin > WIDTH) & (end - begin < _LONGEST_SILENT) & (last > _BLANK)
        plain &= self.words.bytes[begin] > _BLANK
        for offset in range(4):
            plain &= self.words.bytes[begin + offset] - np.uint8(ord("0")) > 9  # noqa: PLR2004 - no digit
        lines, begin, end = lines[plain], begin[plain], end[plain]
        text, silent = self.words.text, self._memory.silent
        says = [silent(text[a:b]) for a, b in zip(begin.tolist(), end.tolist(), strict=True)]
        self.kinds[lines[np.array(says, np.bool_)]] = SILENT


_HEADER = np.uint64(int.from_bytes(b"[20", "little"))
_LOW3 = np.uint64(0xFFFFFF)
