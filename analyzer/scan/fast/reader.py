"""A stream in blocks of a few MB: runs of steady lines in one go, everything else line by line, all in order."""

from __future__ import annotations

from collections import deque
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, groupby
from typing import TYPE_CHECKING

import numpy as np

from analyzer.evidence import NO_RANK
from analyzer.scan import silence
from analyzer.scan.fast.blocks import blocks
from analyzer.scan.fast.chunk import Chunk
from analyzer.scan.fast.layout import HUSHED, LEFT, OPENING, OPENS, SAID, SILENT, WITHIN, Place
from analyzer.scan.fast.memory import Memory
from analyzer.scan.fast.neighbours import Neighbours
from analyzer.scan.fast.tables import Gathered
from analyzer.scan.run import Eventful, Run, Said, Unit
from analyzer.scan.silence import COLOURED, EVENTS, KNOWN, Silence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from concurrent.futures import Future

    from analyzer.bundle import Stream
    from analyzer.evidence import Stamp
    from analyzer.scan.exact import Line
    from analyzer.scan.fast.blocks import Block
    from analyzer.scan.fast.memory import Held
    from analyzer.scan.run import Known
    from analyzer.scan.silence import Known as Silent

PIECE = 2 * 1024 * 1024
_AHEAD = 2  # blocks that are told by another thread while their elders are taken in


def scan(
    stream: Stream, known: Known, silent: Silent, after: int, piece: int = PIECE
) -> Iterator[Line | Run | Silence]:
    """The lines of UTF-8 text as `exact.lines` has them, with runs in place of many of those behind the first `after`.

    `known` takes the rows of the steady lines; `silent` tells lines without headers.
    """
    memory = Memory(known, silent)
    gathered = Gathered(memory)
    waiting = blocks(stream, piece)
    for block in waiting:
        yield from [block.first] if block.first else []
        head = min(block.lines, max(0, after + 1 - block.number))
        yield from map(block.line, range(head))
        if head < block.lines:
            waiting = chain([block.behind(head)], waiting)
            break
    for block, chunk in _told(waiting, memory) if known.on else ((block, None) for block in waiting):
        yield from [block.first] if block.first else []
        if chunk:
            yield from Piece(block, chunk, memory, gathered).items()
        else:
            yield from map(block.line, range(block.lines))
        if gathered.full:
            known.take(*gathered.take())
    known.take(*gathered.take())


def _told(waiting: Iterable[Block], memory: Memory) -> Iterator[tuple[Block, Chunk | None]]:
    """Every block with its lines told, which another thread does."""
    ahead: deque[tuple[Block, Future[Chunk] | None]] = deque()
    with ThreadPoolExecutor(1) as pool:
        for block in chain(waiting, [None] * _AHEAD):
            if block:
                ahead.append((block, pool.submit(_read, block, memory.now()) if block.lines else None))
            if ahead and (len(ahead) > _AHEAD or not block):
                first, future = ahead.popleft()
                yield first, future.result() if future else None


def _read(block: Block, held: Held) -> Chunk:
    return Chunk(block.text, block.ends).read(held)


class Piece:
    """The whole lines of a block; the rows go to `gathered`."""

    def __init__(self, block: Block, chunk: Chunk, memory: Memory, gathered: Gathered) -> None:
        self._block, self._chunk, self._memory = block, chunk, memory
        self._kinds = chunk.kind
        self._shift = block.at - int(block.ends[0])
        chunk.teach(memory)
        self._left = Neighbours(block, chunk, memory.known).left()
        self._dated = chunk.settle()
        gathered.add(chunk, self._dated, Place(block.number, self._shift))

    def items(self) -> Iterator[Line | Run | Silence]:
        """The runs, and between them the lines that are left to the exact reading.

        Lines without headers behind one that is left stand by themselves: they may belong to it.
        """
        edges = np.flatnonzero(np.diff(self._kinds != LEFT, prepend=False, append=False)).tolist()
        done = 0
        for first, last in zip(edges[::2], edges[1::2], strict=True):
            yield from map(self._line, range(done, first))
            done = last
            begin = self._begin(first, last)
            for hushed, stretch in groupby(range(first, begin), lambda line: bool(self._kinds[line] == HUSHED)):
                lines = [*stretch]
                yield from [self._silence(lines[0], lines[-1] + 1)] if hushed else map(self._line, lines)
            if begin < last:
                yield self._run(begin, last)
        yield from map(self._line, range(done, len(self._kinds)))

    def _begin(self, first: int, last: int) -> int:
        """The first of the lines that has a header."""
        kinds = self._kinds[first:last]
        headed = (kinds <= SAID) | (self._chunk.message[first:last] > 0)
        index = int(np.argmax(headed))
        return first + index if headed[index] else last

    def _silence(self, first: int, last: int) -> Silence:
        begin, end = int(self._block.ends[first]), int(self._block.ends[last])
        text, flags = self._block.text[begin:end], self._chunk.flags[first:last].tobytes()
        return Silence(silence.Piece(text, self._block.number + first, begin + self._shift, flags), 0, last - first)

    def _run(self, first: int, last: int) -> Run:
        kinds, flags = self._kinds[first:last], self._chunk.flags[first:last]
        headed = last - first
        known = headed - int(np.count_nonzero(kinds == SILENT))
        if int(np.max(kinds)) >= HUSHED:
            without = kinds >= HUSHED
            headed -= int(np.count_nonzero(without))
            known -= int(np.count_nonzero(without & ((flags & KNOWN) == 0)))
        speaks = (kinds == SAID) | (kinds == OPENS) | ((flags & EVENTS) > 0)
        heard = [self._heard(first + line) for line in np.flatnonzero(speaks).tolist()]
        times = self._stamp(first), self._stamp(last - 1)
        coloured = int(np.count_nonzero(flags & COLOURED))
        place = self._line(first).text, last - first, self._block.number + last - 1
        return Run(*place, headed, known, *times, coloured, heard)

    def _heard(self, index: int) -> Said | Eventful | Unit:
        kind = self._kinds[index]
        return self._said(index) if kind == SAID else self._unit(index) if kind == OPENS else self._eventful(index)

    def _unit(self, index: int) -> Unit:
        end = index + 1
        while self._kinds[end] == WITHIN:  # the last line of a chunk is left
            end += 1
        start, message = int(self._block.ends[index]), int(self._chunk.message[index])
        raw = self._block.text[message or start : self._block.ends[end]]
        place = start + self._shift, int(self._block.ends[end]) + self._shift, message - start if message else 0
        rank = self._memory.ranks[self._chunk.label[index]] if message else NO_RANK
        return Unit(raw, message > 0, end - index, self._block.number + index, *place, self._stamp(index), rank)

    def _eventful(self, index: int) -> Eventful:
        start, end = self._span(index)
        raw = self._block.text[start : end - 1]
        return Eventful(raw, self._block.number + index, start + self._shift, self._stamp(index))

    def _line(self, index: int) -> Line:
        return self._left.get(index) or self._block.line(index)

    def _span(self, index: int) -> tuple[int, int]:
        start, end = self._block.ends[index : index + 2].tolist()
        return start, end

    def _stamp(self, index: int) -> Stamp:
        """The time of a line in a run, printed there or before."""
        start, _ = self._span(self._dated[index])
        stamp = self._memory.stamp(self._block.text[start : start + OPENING])
        assert stamp is not None, "the line has a plain header"  # noqa: S101 - so the kernel found
        return stamp

    def _said(self, index: int) -> Said:
        start, end = self._span(index)
        message = int(self._chunk.message[index])
        text = self._block.text[message : self._block.text.index(b"(", message) + 1].decode("ascii", "replace")
        place = start + self._shift, end + self._shift, message - start
        rank = self._memory.ranks[self._chunk.label[index]]
        stamp = self._stamp(index)
        return Said(text, self._block.number + index, *place, stamp, rank)
