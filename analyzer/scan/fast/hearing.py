"""What lines say, those that say the same together: of many the first and the last, as no more of them stay."""

from __future__ import annotations

from collections import deque
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

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


class _Lines(NamedTuple):
    """Where lines of a voice stand, most of which are passed over in the end.

    The numbers of the lines, where each begins and ends, its message's column, its time as printed there or before;
    and the messages themselves, where they are wanted.
    """

    places: tuple[Ints, ...]
    openings: bytes
    raws: list[bytes]

    def __len__(self) -> int:
        return len(self.places[0])

    def spots(self, memory: Memory) -> Iterator[Spot]:
        """Each of them by itself."""
        raws = self.raws or [b""] * len(self)
        rows = zip(*(each.tolist() for each in self.places), raws, strict=True)
        for index, (number, start, end, column, raw) in enumerate(rows):
            opening = self.openings[OPENING * index : OPENING * (index + 1)]
            yield Spot(number, start, end, column, memory.time(opening), raw)


class _Voice:
    """Lines that say the same: the first and the last of them, and how many there are."""

    def __init__(self, what: Said | Unit | Eventful, size: int) -> None:
        self.what, self.size = what, size
        self.count = 0
        self.first: list[Spot] = []
        self._last: deque[_Lines] = deque()
        self._held = 0

    def end_with(self, lines: _Lines, kept: int) -> None:
        """Takes further lines, and lets go of those that are not among the last ones."""
        self._last.append(lines)
        self._held += len(lines)
        while self._held - len(self._last[0]) >= kept:
            self._held -= len(self._last.popleft())

    def last(self, memory: Memory, kept: int) -> list[Spot]:
        """The last ones."""
        return [spot for lines in self._last for spot in lines.spots(memory)][-kept:]


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
            if first:
                voice.first += _lines(block, chunk, dated, same[:first], voice).spots(self._memory)
            if len(same) > first:
                voice.end_with(_lines(block, chunk, dated, same[first:][-self._kept :], voice), self._kept)

    def errors(self, block: Block, chunk: Chunk, dated: Ints, lines: Ints) -> list[Heard]:
        """Lines that look like errors, in order; of each wording the first, and how many others there are."""
        found = [
            Heard(voice.what, [*_lines(block, chunk, dated, same[:1], voice).spots(self._memory)], len(same) - 1)
            for voice, same in self._by_voice(chunk, lines)
        ]
        return sorted(found, key=lambda error: error.spots[0].number)

    def heard(self) -> Iterator[Heard]:
        """What all lines said but those that look like errors."""
        for voice in self._voices.values():
            spots = [*voice.first, *voice.last(self._memory, self._kept)]
            if spots:
                yield Heard(voice.what, spots, voice.count - len(spots))

    def _by_voice(self, chunk: Chunk, lines: Ints) -> Iterator[tuple[_Voice, Ints]]:
        """The lines of each voice, in order."""
        if not len(lines):
            return
        keys = (chunk.kind[lines].astype(np.int64) << _KIND) | (chunk.form[lines] << _FORM) | (chunk.label[lines] + 1)
        order = np.argsort(keys, kind="stable")
        told, ordered = lines[order], keys[order]
        edges = np.flatnonzero(np.diff(ordered, prepend=-1, append=-1)).tolist()
        for begin, end in pairwise(edges):
            key = int(ordered[begin])
            voice = self._voices.get(key)
            if voice is None:
                what, size = _what(chunk, int(told[begin]), self._memory)
                voice = self._voices[key] = _Voice(what, size)
            yield voice, told[begin:end]


def _lines(block: Block, chunk: Chunk, dated: Ints, lines: Ints, voice: _Voice) -> _Lines:
    """Some lines of a chunk; few, as their text is copied."""
    text, shift = chunk.text, block.at - int(block.ends[0])
    starts, ends = chunk.ends[lines], chunk.ends[lines + voice.size]
    messages = np.maximum(starts, chunk.message[lines])
    begin, behind = block.ends[lines], block.ends[lines + voice.size]
    columns = messages - starts + (block.bare.columns[lines] if block.bare else 0)
    places = lines + block.number, begin + shift, behind + shift, columns
    openings = [text[clock : clock + OPENING] for clock in chunk.ends[dated[lines]].tolist()]
    spans = zip(messages.tolist(), (ends - 1).tolist(), strict=True) if isinstance(voice.what, Eventful) else ()
    return _Lines(places, b"".join(openings), [text[begin:end] for begin, end in spans])


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
