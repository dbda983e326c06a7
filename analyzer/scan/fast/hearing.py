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

    Place = tuple[int, int, int, int]  # a line, where it begins, where its message begins, where its time stands

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
        for voice, same in self._by_voice(chunk, dated, lines):
            voice.count += len(same)
            first = self._kept - len(voice.first)
            voice.first += self._spots(block, chunk, same[:first], voice)
            voice.last.extend(self._spots(block, chunk, same[first:][-self._kept :], voice))

    def errors(self, block: Block, chunk: Chunk, dated: Ints, lines: Ints) -> list[Heard]:
        """Lines that look like errors, in order; of each wording the first, and how many others there are."""
        found = [
            Heard(voice.what, self._spots(block, chunk, same[:1], voice), len(same) - 1)
            for voice, same in self._by_voice(chunk, dated, lines)
        ]
        return sorted(found, key=lambda error: error.spots[0].number)

    def heard(self) -> Iterator[Heard]:
        """What all lines said but those that look like errors."""
        for voice in self._voices.values():
            spots = [*voice.first, *voice.last]
            if spots:
                yield Heard(voice.what, spots, voice.count - len(spots))

    def _by_voice(self, chunk: Chunk, dated: Ints, lines: Ints) -> Iterator[tuple[_Voice, list[Place]]]:
        """The lines of each voice, in order."""
        if not len(lines):
            return
        keys = (chunk.kind[lines].astype(np.int64) << _KIND) | (chunk.form[lines] << _FORM) | (chunk.label[lines] + 1)
        order = np.argsort(keys, kind="stable")
        told, ordered = lines[order], keys[order]
        starts = chunk.ends[told]
        messages, clocks = np.maximum(starts, chunk.message[told]), chunk.ends[dated[told]]
        places = [*zip(*(each.tolist() for each in (told, starts, messages, clocks)), strict=True)]
        edges = np.flatnonzero(np.diff(ordered, prepend=-1, append=-1)).tolist()
        for begin, end in pairwise(edges):
            key = int(ordered[begin])
            voice = self._voices.get(key)
            if voice is None:
                what, size = _what(chunk, int(told[begin]), self._memory)
                voice = self._voices[key] = _Voice(what, size, self._kept)
            yield voice, places[begin:end]

    def _spots(self, block: Block, chunk: Chunk, places: list[Place], voice: _Voice) -> list[Spot]:
        text, shift, number = chunk.text, block.at - int(block.ends[0]), block.number
        spots, eventful = [], isinstance(voice.what, Eventful)
        for line, start, message, clock in places:
            end = int(chunk.ends[line + voice.size])
            time, raw = self._memory.time(text[clock : clock + OPENING]), text[message : end - 1] if eventful else b""
            spots.append(Spot(number + line, start + shift, end + shift, message - start, time, raw))
        return spots


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
