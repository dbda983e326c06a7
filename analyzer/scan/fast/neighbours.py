"""The lines beside a line have a say in what it is: the exact reading is asked what the compiled pass cannot settle."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from analyzer.bundle.encoding import to_text
from analyzer.scan.fast import beside
from analyzer.scan.fast.layout import BLANK, HUSHED, JOINED, LEFT, OPENS, REFUSED, SILENT, SPOKEN, WITHIN

if TYPE_CHECKING:
    from analyzer.scan.exact import Line
    from analyzer.scan.fast.blocks import Block
    from analyzer.scan.fast.chunk import Chunk
    from analyzer.scan.fast.memory import Memory


class Neighbours:
    """Looks at the lines of a chunk that are left, and at those beside them."""

    def __init__(self, block: Block, chunk: Chunk, memory: Memory) -> None:
        self._block, self._chunk, self._memory = block, chunk, memory
        self._kinds, self._message = chunk.kind, chunk.message
        self._last = len(chunk.kind) - 1
        self._timed = block.bare is not None and block.bare.timed

    def left(self) -> dict[int, Line]:
        """Leaves more lines, takes tracebacks that stand by themselves, and gives the lines that it had to make.

        The first and the last line are left, the last before a line without a header, which may belong to its record,
        and one after a line that may go on; a request or an answer where something else than a header follows it.
        """
        chunk, kinds = self._chunk, self._kinds
        kinds[0] = kinds[self._last] = LEFT
        beside.leave_said(chunk.at, chunk.lines)
        if not self._timed:  # else such lines are left
            self._join()
        beside.part(chunk.lines)
        self._take_tracebacks()
        if self._timed:  # a traceback without a header has the time of its wrapper
            for index in np.flatnonzero((kinds == OPENS) & (self._message == 0)).tolist():
                self._leave_behind(index)
        made = {}
        for index in np.flatnonzero((kinds == LEFT) & (self._message == 0)).tolist():
            made[index] = self._block.line(index)
            self._headerless(index, made[index].text)
        return made

    def _raw(self, begin: int, end: int) -> bytes:
        return self._chunk.text[int(self._message[begin] or self._chunk.ends[begin]) : self._chunk.ends[end]]

    def _text(self, index: int) -> str:
        """A line without its wrapper."""
        return to_text(self._chunk.text[self._chunk.ends[index] : self._chunk.ends[index + 1]], "utf-8")[0].rstrip(
            "\r\n"
        )

    def _headerless(self, index: int, text: str) -> None:
        known, bare = self._memory.known, self._block.bare
        strange = bare is not None and bare.wrapper[index] < 0  # with a header or without: it parts those of one origin
        if known.header(text) is not None and not strange:
            return
        self._leave_before(index)
        if index < self._last and known.goes_on(text):
            self._leave_behind(index + 1)

    def _leave_before(self, index: int) -> None:
        before = index - 1
        while before > 0 and self._kinds[before] == JOINED:
            self._kinds[before] = LEFT
            before -= 1
        if index and self._kinds[before] not in {HUSHED, WITHIN, BLANK}:
            self._kinds[before] = LEFT

    def _leave_behind(self, index: int) -> None:
        """Leaves a line, and with the first one of a traceback all others."""
        self._kinds[index] = LEFT
        while index < self._last and self._kinds[index + 1] == WITHIN:
            index += 1
            self._kinds[index] = LEFT

    def _join(self) -> None:
        """Takes lines that go on a row, and change nothing in it; asks for each pair of wordings."""
        chunk, index = self._chunk, 0
        while index := beside.join(chunk.at, index + 1, chunk.lines, self._memory.now().learned):
            row = beside.row_of(index, chunk.lines)
            said, text = self._raw(row, row + 1), self._text(index)
            latest = self._text(index - 1) if index - 1 > row else ""
            joins = self._memory.known.joins(to_text(said[:-1], "utf-8")[0], latest, text)
            if joins:
                beside.take_joined(index, row, chunk.lines)
            self._memory.learn_pair(beside.key_of(row, chunk.lines), int(chunk.form[index]), text, joins=joins)

    def _take_tracebacks(self) -> None:
        """Takes tracebacks that nothing before or behind them belongs to; asks for those that were not seen before."""
        chunk, index = self._chunk, self._last
        while index := beside.take_tracebacks(
            chunk.at, len(chunk.text), index - 1, chunk.lines, self._memory.now().learned
        ):
            end = beside.end_of_traceback(chunk.at, index, chunk.lines)
            number = self._memory.learn_traceback(self._raw(index, end), headed=bool(self._message[index]))
            if number != REFUSED and not self._expected(index):
                beside.take_traceback(index, end, number, chunk.lines)

    def _expected(self, index: int) -> bool:
        """Whether a traceback without a header belongs to what was said before it."""
        row = beside.row_of(index, self._chunk.lines)
        before = row if row >= 0 else index - 1
        if self._message[index] or (row < 0 and self._kinds[before] not in {SILENT, SPOKEN}):
            return False
        message = to_text(self._raw(before, before + 1)[:-1], "utf-8")[0]
        expects = self._memory.known.expects_traceback(message)
        if self._kinds[before] not in {SILENT, SPOKEN}:
            self._memory.learn_before(int(self._chunk.form[row]), expects=expects)
        return expects
