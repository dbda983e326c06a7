"""What lines say, those that say the same together: of many the first and the last, as no more of them stay."""

from __future__ import annotations

from collections import deque
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from analyzer.evidence import NO_RANK
from analyzer.scan.fast.layout import OPENING, OPENS, SAID, WITHIN
from analyzer.scan.run import Eventful, Heard, Said, Spot, Unit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.scan.fast.blocks import Block
    from analyzer.scan.fast.chunk import Chunk, Ints
    from analyzer.scan.fast.memory import Memory

_FORM, _KIND = 24, 56  # the bits of a voice below which a rank's label and the number of a form stand


class _Voice:
    """Lines that say the same: the first and the last of them, and how many there are."""

    def __init__(self, what: Said | Unit | Eventful, size: int, kept: int) -> None:
        self.what, self.size = what, size
        self.count = 0
        self.first: list[Spot] = []
        self.last: deque[Spot] = deque(maxlen=kept)


class Hearing:
    """Gathers them by voice over a whole stream: a kind of line, the number of its form, a rank."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._kept = memory.known.kept
        self._voices: dict[int, _Voice] = {}

    def take(self, block: Block, chunk: Chunk, dated: Ints, lines: Ints) -> None:
        """Takes the lines of a chunk that say something; `dated` is the line that prints the time of each."""
        for voice, same in self._by_voice(chunk, lines):
            voice.count += len(same)
            first = self._kept - len(voice.first)
            voice.first += self._spots(block, chunk, dated, same[:first], voice)
            voice.last.extend(self._spots(block, chunk, dated, same[first:][-self._kept :], voice))

    def errors(self, block: Block, chunk: Chunk, dated: Ints, lines: Ints) -> list[Heard]:
        """Lines that look like errors, in order; of each wording the first, and how many others there are."""
        found = [
            Heard(voice.what, [*self._spots(block, chunk, dated, same[:1], voice)], len(same) - 1)
            for voice, same in self._by_voice(chunk, lines)
        ]
        return sorted(found, key=lambda error: error.spots[0].number)

    def heard(self) -> Iterator[Heard]:
        """What all lines said but those that look like errors."""
        for voice in self._voices.values():
            spots = [*voice.first, *voice.last]
            if spots:
                yield Heard(voice.what, spots, voice.count - len(spots))

    def _by_voice(self, chunk: Chunk, lines: Ints) -> Iterator[tuple[_Voice, list[int]]]:
        """The lines of each voice, in order."""
        if not len(lines):
            return
        form, label = chunk.form[lines], chunk.label[lines]
        keys = (chunk.kind[lines].astype(np.int64) << _KIND) | (form << _FORM) | (label + 1)
        order = np.argsort(keys, kind="stable")
        edges = np.flatnonzero(np.diff(keys[order], prepend=-1, append=-1)).tolist()
        told, ordered = lines[order].tolist(), keys[order].tolist()
        for begin, end in pairwise(edges):
            voice = self._voices.get(ordered[begin])
            if voice is None:
                what, size = _what(chunk, told[begin], self._memory)
                voice = self._voices[ordered[begin]] = _Voice(what, size, self._kept)
            yield voice, told[begin:end]

    def _spots(self, block: Block, chunk: Chunk, dated: Ints, lines: list[int], voice: _Voice) -> Iterator[Spot]:
        ends, text, shift = chunk.ends, chunk.text, block.at - int(block.ends[0])
        for line in lines:
            start, end, clock = int(ends[line]), int(ends[line + voice.size]), int(ends[dated[line]])
            column = max(0, int(chunk.message[line]) - start)
            raw = text[start + column : end - 1] if isinstance(voice.what, Eventful) else b""
            time = self._memory.time(text[clock : clock + OPENING])
            yield Spot(block.number + line, start + shift, end + shift, column, time, raw)


def _what(chunk: Chunk, line: int, memory: Memory) -> tuple[Said | Unit | Eventful, int]:
    """What a line says, and how many lines say it."""
    kind, message = chunk.kind[line], int(chunk.message[line])
    rank = memory.ranks[chunk.label[line]] if message else NO_RANK
    if kind not in {SAID, OPENS}:
        return Eventful(memory.says(int(chunk.form[line])), message > 0, rank), 1
    if kind == SAID:
        text = chunk.text[message : chunk.text.index(b"(", message) + 1].decode("ascii", "replace")
        return Said(text, rank), 1
    size = 1
    while chunk.kind[line + size] == WITHIN:  # the last line of a chunk is left
        size += 1
    raw = chunk.text[message or chunk.ends[line] : chunk.ends[line + size]]
    return Unit(raw, message > 0, size, rank), size
