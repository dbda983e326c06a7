"""A stream in blocks of a few MB: runs of steady lines in one go, everything else line by line, all in order."""

from __future__ import annotations

from collections import deque
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, groupby
from typing import TYPE_CHECKING

import numpy as np

from analyzer.scan import silence
from analyzer.scan.fast.blocks import blocks
from analyzer.scan.fast.chunk import Chunk
from analyzer.scan.fast.hearing import Hearing
from analyzer.scan.fast.layout import HUSHED, LEFT, OPENING, OPENS, SAID, SILENT, SPOKEN, Place
from analyzer.scan.fast.memory import Memory
from analyzer.scan.fast.neighbours import Neighbours
from analyzer.scan.fast.outer import Outer
from analyzer.scan.fast.room import Room
from analyzer.scan.fast.tables import Gathered
from analyzer.scan.fast.wrapping import Wrapping
from analyzer.scan.run import Run
from analyzer.scan.silence import COLOURED, EVENTS, KNOWN, Silence

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Future

    from numpy.typing import NDArray

    from analyzer.bundle import Stream
    from analyzer.evidence import Stamp
    from analyzer.scan.exact import Line
    from analyzer.scan.fast.blocks import Block
    from analyzer.scan.fast.chunk import Ints
    from analyzer.scan.fast.memory import Held
    from analyzer.scan.run import Heard, Known
    from analyzer.scan.silence import Known as Silent

PIECE = 8 * 1024 * 1024  # what each block costs by itself weighs little then, and four are held at once
_AHEAD = 2  # blocks that wait while a thread tells the next, and the one before them is taken in


def scan(
    stream: Stream, known: Known, silent: Silent, after: int, piece: int = PIECE
) -> Iterator[Line | Run | Silence | Heard]:
    """The lines of UTF-8 text as `exact.lines` has them, with runs in place of many of those behind the first `after`.

    `known` takes the rows of the steady lines; `silent` tells lines without headers. What the lines of runs say comes
    last.
    """
    memory = Memory(known, silent)
    gathered, hearing = Gathered(memory), Hearing(memory)
    waiting = blocks(stream, piece)
    for block in waiting:
        yield from [block.first] if block.first else []
        head = min(block.lines, max(0, after + 1 - block.number))
        yield from map(block.line, range(head))
        if head < block.lines:
            waiting = chain([block.behind(head)], waiting)
            break
    memory.wrapping = Wrapping(known) if known.wrapped else None
    for block, chunk in _told(iter(waiting), memory) if known.on else ((block, None) for block in waiting):
        yield from [block.first] if block.first else []
        if chunk:
            yield from Piece(block, chunk, memory, gathered, hearing).items()
        else:
            yield from map(block.line, range(block.lines))
        del block, chunk
        if gathered.full:
            known.take(*gathered.take(full=True))
    known.take(*gathered.take())
    yield from hearing.heard()


def _told(waiting: Iterator[Block], memory: Memory) -> Iterator[tuple[Block, Chunk | None]]:
    """Every block with its lines told; another thread reads them and does that."""
    ahead: deque[Future[tuple[Block, Chunk | None] | None]] = deque()
    free: list[Room] = []
    with ThreadPoolExecutor(1) as pool:
        while True:
            while len(ahead) <= (_AHEAD if memory.wrapping is None else _AHEAD - 1):  # each is held without and with
                ahead.append(pool.submit(_read, waiting, memory.now(), free, memory.wrapping))
            found = ahead.popleft().result()
            if found is None:
                return
            yield found
            free += [found[1].room] if found[1] else []  # whoever was given the chunk is done with it
            del found  # some 10 MB, before the next is waited for


def _read(
    waiting: Iterator[Block], held: Held, free: list[Room], wrapping: Wrapping | None
) -> tuple[Block, Chunk | None] | None:
    block = next(waiting, None)
    if block is None:
        return None
    if not block.lines:
        return block, None
    text, ends = block.text, block.ends
    if wrapping is not None:
        bare = wrapping.off(text, ends)
        block, text, ends = block._replace(bare=bare), bare.text, bare.ends
    return block, Chunk(text, ends, free.pop() if free else Room()).read(held)


class Piece:
    """The whole lines of a block; the rows go to `gathered`."""

    def __init__(self, block: Block, chunk: Chunk, memory: Memory, gathered: Gathered, hearing: Hearing) -> None:
        self._block, self._chunk, self._memory, self._hearing = block, chunk, memory, hearing
        self._kinds = chunk.kind
        self._speak: list[Ints] = []
        self._shift = block.at - int(block.ends[0])
        chunk.teach(memory)
        self._outer = Outer(block.ends, block.bare, chunk) if block.bare else None
        self._left = Neighbours(block, chunk, memory).left()
        self._dated = chunk.settle()
        self._count()
        gathered.add(chunk, self._dated, Place(block.number, self._shift), self._outer)

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
            for hushed, stretch in groupby(range(first, begin), self._hushed):
                lines = [*stretch]
                yield from [self._silence(lines[0], lines[-1] + 1)] if hushed else map(self._line, lines)
            if begin < last:
                yield self._run(begin, last)
        yield from map(self._line, range(done, len(self._kinds)))
        if self._speak:
            self._hearing.take(self._block, self._chunk, self._dated, np.concatenate(self._speak))

    def _begin(self, first: int, last: int) -> int:
        """The first of the lines that has a header."""
        if self._kinds[first] <= SAID or self._chunk.message[first] > 0:  # as nearly always
            return first
        kinds = self._kinds[first:last]
        headed = (kinds <= SAID) | (self._chunk.message[first:last] > 0)
        index = int(np.argmax(headed))
        return first + index if headed[index] else last

    def _hushed(self, line: int) -> bool:
        return self._outer is None and bool(self._kinds[line] == HUSHED)

    def _silence(self, first: int, last: int) -> Silence:
        begin, end = int(self._block.ends[first]), int(self._block.ends[last])
        text, flags = self._block.text[begin:end], self._chunk.flags[first:last].tobytes()
        return Silence(silence.Piece(text, self._block.number + first, begin + self._shift, flags), 0, last - first)

    def _run(self, first: int, last: int) -> Run:
        headless, strange, coloured = (int(counts[last] - counts[first]) for counts in self._counts)
        begin, end = np.searchsorted(self._speakers, (first, last))
        self._speak.append(self._speakers[begin:end])
        begin, end = np.searchsorted(self._errors, (first, last))
        errors = self._hearing.errors(self._block, self._chunk, self._dated, self._errors[begin:end])
        times = self._stamp(first), self._stamp(last - 1)
        lines, number = last - first, self._block.number + last - 1
        run = Run(lines, number, lines - headless, lines - strange, *times, coloured, errors)
        if self._memory.wrapping and self._block.bare and self._outer:
            run.layers = self._memory.wrapping.names(self._block.bare.wrapper[first:last])
            run.node, run.agrees = self._memory.known.node, self._outer.agrees(last - 1)
        return run

    def _count(self) -> None:
        """Counts, up to each line, those without a header, those that nothing explains, and those with colours.

        And finds those that say something, apart from those that look like errors.
        """
        kinds, flags = self._kinds, self._chunk.flags
        told = (flags & KNOWN) > 0
        strange = ((kinds == SILENT) | (kinds >= SPOKEN)) & ~told  # rows, requests and answers are always explained
        self._counts = [_up_to(some) for some in (kinds >= HUSHED, strange, (flags & COLOURED) > 0)]
        spoken = kinds == SPOKEN
        self._errors = np.flatnonzero(spoken & ~told)
        speaks = (kinds == SAID) | (spoken & told) | (kinds == OPENS) | ((flags & EVENTS) > 0)
        self._speakers = np.flatnonzero(speaks)

    def _line(self, index: int) -> Line:
        return self._left.get(index) or self._block.line(index)

    def _stamp(self, index: int) -> Stamp:
        """The time of a line in a run, printed there or before."""
        if self._outer and self._outer.own[index] and (stamp := self._memory.known.outer(self._line(index).text)):
            return stamp
        clock = int(self._chunk.ends[self._dated[index]])
        return self._memory.time(self._chunk.text[clock : clock + OPENING])


def _up_to(some: NDArray[np.bool_]) -> Ints:
    """How many there are before each of them, and before the end."""
    counts = np.zeros(len(some) + 1, np.int64)
    np.cumsum(some, out=counts[1:])
    return counts
