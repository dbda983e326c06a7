"""Access lines: a level, an address, and a tail that says everything else: ` - "GET /health HTTP/1.1" 200 OK`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from analyzer.scan.fast.words import WIDTH, numeric

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analyzer.scan.fast.run import Known
    from analyzer.scan.fast.words import Mask, Positions, Words

LEVELS = (b"INFO:     ", b"\x1b[32mINFO\x1b[0m:     ")  # uvicorn's, with and without colours
_LONGEST_ADDRESS = 24
_LONGEST_LINE = 1000
_MOST = 50_000  # tails; more than that are no forms
_COMMON = 8  # tails that are looked for in all lines at once


class Answers(NamedTuple):
    """The lines that are access lines, and which of the tails each has."""

    lines: Positions
    tails: Positions


class Tails:
    """What is known of the tails behind one level: the exact reading is asked once for each.

    `paths` and `status` are what they say.
    """

    def __init__(self, level: bytes, known: Known) -> None:
        self.level = level
        self.coloured = b"\x1b" in level
        self.paths: list[str] = []
        self.status: list[float] = []
        self._known = known
        self._numbers: dict[bytes, int] = {}
        self._hits: Counter[bytes] = Counter()

    def read(self, words: Words, lines: Positions, at: Positions, ends: Positions) -> Answers:
        """Reads the lines that have the level at `at` and end before `ends`."""
        address = at + len(self.level)
        length = words.distance(address, ord(" "), _LONGEST_ADDRESS)
        plain: Mask = (length < _LONGEST_ADDRESS) & (length > 0) & (ends - at < _LONGEST_LINE)
        plain &= address + length < ends
        for step in range(0, _LONGEST_ADDRESS, WIDTH):
            plain &= numeric(words.at(address + step), length - step)
        if not plain.all():
            lines, at, address, length, ends = lines[plain], at[plain], address[plain], length[plain], ends[plain]
        found = self._numbered(words, at, address + length, ends)
        taken = found >= 0
        return Answers(lines[taken], found[taken])

    def _numbered(self, words: Words, at: Positions, tail: Positions, ends: Positions) -> Positions:
        """The number of each line's tail, below zero where the line says something else."""
        found: Positions = np.full(len(at), -1, np.int64)
        rest: NDArray[np.int64] = np.arange(len(at))
        for text, _ in self._hits.most_common(_COMMON):
            if not len(rest):
                break
            hit = words.same(tail[rest], text + b"\n")
            found[rest[hit]] = self._numbers[text]
            self._hits[text] += int(np.count_nonzero(hit))
            rest = rest[~hit]
        spans = zip(rest.tolist(), at[rest].tolist(), tail[rest].tolist(), ends[rest].tolist(), strict=True)
        for index, start, middle, end in spans:
            text = words.text[middle : end - 1]
            number = self._numbers.get(text)
            found[index] = self._learn(words.text[start:middle], text) if number is None else number
            self._hits[text] += text in self._numbers
        return found

    def _learn(self, beginning: bytes, tail: bytes) -> int:
        """Learns what a line says, which depends on nothing but its tail."""
        if len(self._numbers) >= _MOST:
            return -1
        body = tail.removesuffix(b"\r")
        plain = body.startswith(b' - "') and body.isascii() and body == body.rstrip()
        odd = b"[2" in body or b"@" in body or (b"\x1b" in body) != self.coloured
        answer = self._known.access((beginning + body).decode("ascii")) if plain and not odd else None
        self._numbers[tail] = len(self.paths) if answer else -1
        if answer:
            self.paths.append(answer[0])
            self.status.append(answer[1])
        return self._numbers[tail]
