"""The whole lines of a few MB: which of them are steady, with their values as columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from analyzer.evidence import NO_RANK
from analyzer.scan.fast.memory import LEVELS
from analyzer.scan.fast.words import WIDTH, Words, masked, numeric

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analyzer.evidence import Rank, Stamp
    from analyzer.scan.fast.memory import Memory
    from analyzer.scan.fast.template import Columns, Template
    from analyzer.scan.fast.words import Mask, Positions

# What a line is: for the exact reading, a row under its own time, a row at the time before it, or nothing at all.
LEFT, DATED, UNDATED, SILENT = range(4)

_OPENING = len("[2025-11-02 10:15:42")
_LONGEST_RANK = 40
_LONGEST_ADDRESS = 24
_LONGEST_LINE = 1000
_LESSONS = 8  # new forms that one chunk may teach
_MIX = np.uint64(0x9E3779B97F4A7C15)


class Part(NamedTuple):
    """Rows of one table: the index of each row's line, and the columns; a path is its index in `Chunk.paths`."""

    table: str
    lines: Positions
    columns: Columns
    template: Template | None = None

    def only(self, kept: Mask) -> Part:
        """The rows that are kept."""
        if kept.all():
            return self
        columns = {name: values[kept] for name, values in self.columns.items()}
        return Part(self.table, self.lines[kept], columns, self.template)


class Chunk:
    """Finds the steady lines of a text that ends in a line feed.

    `kinds` says for every line what it is; `seconds`, `stamps` and `ranks` tell a dated line's time and rank by
    `moment` and `label`; `parts` hold the rows, `paths` the texts of those of access lines.
    """

    def __init__(self, text: bytes, memory: Memory) -> None:
        self.words = Words(text)
        self.ends: Positions = np.flatnonzero(self.words.bytes[: len(text)] == ord("\n")) + 1
        self.starts: Positions = np.concatenate((np.zeros(1, np.int64), self.ends[:-1]))
        count = len(self.ends)
        self.kinds: NDArray[np.int8] = np.zeros(count, np.int8)
        self.moment: NDArray[np.int64] = np.zeros(count, np.int64)
        self.label: NDArray[np.int64] = np.zeros(count, np.int64)
        self.coloured: Mask = np.zeros(count, np.bool_)
        self.stamps: list[Stamp | None] = []
        self.ranks: list[Rank | None] = [NO_RANK]
        self.parts: list[Part] = []
        self.paths = memory.paths
        self._memory = memory
        self._read_dated(np.flatnonzero(self.words.same(self.starts, b"[20")))
        for level in LEVELS:
            lines = np.flatnonzero(self.words.same(self.starts, level))
            self._read_access(lines, self.starts[lines], level, UNDATED)

    def _read_dated(self, lines: Positions) -> None:
        at = self.starts[lines] + _OPENING
        length = self.words.distance(at, ord("]"), _LONGEST_RANK)
        inside = (length < _LONGEST_RANK) & (at + length + 2 < self.ends[lines])
        lines, at, length = lines[inside], at[inside], length[inside]
        if not len(lines):
            return
        known = self._known_times(lines) & self._known_ranks(lines, at, length)
        known &= self.words.bytes[at + length + 1] == ord(" ")
        lines, message = lines[known], (at + length + 2)[known]
        self._read_batches(lines, message)
        access = self.words.same(message, LEVELS[0])
        self._read_access(lines[access], message[access], LEVELS[0], DATED)
        self._read_silent(lines, message)

    def _known_times(self, lines: Positions) -> Mask:
        """Reads the times, once for lines in a row that have the same."""
        at = self.starts[lines]
        changes = np.ones(len(at), np.bool_)
        changes[1:] = False
        for offset in (0, WIDTH, _OPENING - WIDTH):
            word = self.words.at(at + offset)
            changes[1:] |= word[1:] != word[:-1]
        text = self.words.text
        self.stamps = [self._memory.stamp(text[start : start + _OPENING]) for start in at[changes].tolist()]
        moment = np.cumsum(changes) - 1
        self.moment[lines] = moment
        known: Mask = np.array([stamp is not None for stamp in self.stamps])[moment]
        return known

    def _known_ranks(self, lines: Positions, at: Positions, length: Positions) -> Mask:
        """Reads the ranks, once for each text."""
        steps = range(0, max(1, int(length.max())), WIDTH)
        parts = [masked(self.words.at(at + step), np.clip(length - step, 0, WIDTH)) for step in steps]
        mixed = parts[0]
        for part in parts[1:]:
            mixed = (mixed * _MIX) ^ part
        _, first, inverse = np.unique(mixed, return_index=True, return_inverse=True)
        same = np.ones(len(lines), np.bool_)
        for part in parts:
            same &= part == part[first][inverse]
        text = self.words.text
        spans = zip(at[first].tolist(), length[first].tolist(), strict=True)
        ranks = [self._memory.rank(text[start : start + size]) for start, size in spans]
        self.label[lines] = inverse + len(self.ranks)
        self.ranks += ranks
        known: Mask = np.array([rank is not None for rank in ranks])[inverse]
        return same & known

    def _read_batches(self, lines: Positions, message: Positions) -> None:
        for word in {head.text[:WIDTH].encode() for head in self._memory.known.heads}:
            chosen = np.flatnonzero(self.words.same(message, word))
            for template in self._memory.templates:
                if len(chosen) and template.before.startswith(word):
                    chosen = self._read_template(template, lines, message, chosen)
            for _ in range(_LESSONS):
                if not len(chosen):
                    break
                first = chosen[0]
                text = self.words.text[message[first] : self.ends[lines[first]] - 1]
                learned = self._memory.learn(text)
                chosen = self._read_template(learned, lines, message, chosen) if learned else chosen[1:]

    def _read_template(self, template: Template, lines: Positions, message: Positions, chosen: Positions) -> Positions:
        """Keeps the rows of the lines that have the form, and gives back those that have not."""
        plain, columns = template.read(self.words, message[chosen])
        taken = lines[chosen[plain]]
        self._keep(Part(template.table, taken, {name: c[plain] for name, c in columns.items()}, template), DATED)
        rest: Positions = chosen[~plain]
        return rest

    def _keep(self, part: Part, kind: int) -> None:
        if len(part.lines):
            self.kinds[part.lines] = kind
            self.parts.append(part)

    def _read_access(self, lines: Positions, at: Positions, level: bytes, kind: int) -> None:
        """Reads `address - "GET /path HTTP/1.1" 200 OK` behind the level."""
        address = at + len(level)
        length = self.words.distance(address, ord(" "), _LONGEST_ADDRESS)
        plain = (length < _LONGEST_ADDRESS) & (length > 0) & (self.ends[lines] - at < _LONGEST_LINE)
        plain &= address + length < self.ends[lines]
        for step in range(0, _LONGEST_ADDRESS, WIDTH):
            plain &= numeric(self.words.at(address + step), length - step)
        lines, at, tail = lines[plain], at[plain], (address + length)[plain]
        text, tails = self.words.text, self._memory.tails[level]
        found = [text[start:end] for start, end in zip(tail.tolist(), (self.ends[lines] - 1).tolist(), strict=True)]
        if not tails.keys() >= set(found):
            for start, middle, words in zip(at.tolist(), tail.tolist(), found, strict=True):
                self._memory.learn_access(level, text[start:middle], words)
        answers = np.fromiter((tails.get(words, -1) for words in found), np.int64, len(found))
        taken = answers >= 0
        columns: Columns = {"path": answers[taken], "status_count": self._memory.status(answers[taken])}
        self._keep(Part("Access", lines[taken], columns), kind)
        self.coloured[lines[taken]] = b"\x1b" in level

    def _read_silent(self, lines: Positions, message: Positions) -> None:
        left = self.kinds[lines] == LEFT
        text, silent = self.words.text, self._memory.silent
        for line, start in zip(lines[left].tolist(), message[left].tolist(), strict=True):
            end = int(self.ends[line]) - 1
            if end - start < _LONGEST_LINE and silent(text[start:end].removesuffix(b"\r")):
                self.kinds[line] = SILENT
