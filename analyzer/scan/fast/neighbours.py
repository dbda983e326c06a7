"""Steady lines that are left to the exact reading after all, as what stands beside them has a say in what they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from analyzer.bundle.encoding import to_text
from analyzer.scan.fast.layout import BLANK, DATED, HUSHED, JOINED, LEFT, OPENS, SAID, UNDATED, WITHIN
from analyzer.scan.fast.layout import SILENT as QUIET
from analyzer.scan.silence import APART, KNOWN, SILENT

if TYPE_CHECKING:
    from analyzer.scan.exact import Line
    from analyzer.scan.fast.blocks import Block
    from analyzer.scan.fast.chunk import Chunk
    from analyzer.scan.run import Known

_TRACEBACK = b"Traceback (most recent call last):\n"
_INNER = (b"  ", b"\t")
_MOST = 400  # lines of a traceback
_FURTHER = 200  # lines of a message
_STRANGERS = 42  # lines in a traceback after which it is over, one more
_HELD = 17  # lines behind a traceback among which one may go on with it


class Neighbours:
    """Looks at the lines of a chunk that are left, and at those beside them."""

    def __init__(self, block: Block, chunk: Chunk, known: Known) -> None:
        self._block, self._chunk, self._known = block, chunk, known
        self._kinds, self._message = chunk.kind, chunk.message
        self._last = len(chunk.kind) - 1

    def left(self) -> dict[int, Line]:
        """Leaves more lines, takes tracebacks that stand by themselves, and gives the lines that it had to make.

        The first and the last line are left, the last before a line without a header, which may belong to its record,
        and one after a line that may go on; a request or an answer where something else than a header follows it.
        """
        self._kinds[0] = self._kinds[self._last] = LEFT
        for index in np.flatnonzero(self._kinds == SAID).tolist():
            headed = self._message[index + 1] or self._kinds[index + 1] == UNDATED
            raw = self._raw(index)
            if not headed or raw.endswith(_TRACEBACK) or to_text(raw, "utf-8")[1]:
                self._kinds[index] = LEFT
        self._join()
        self._chunk.part()
        made, opened = {}, []
        for index in np.flatnonzero(self._kinds == LEFT).tolist():
            if self._raw(index).endswith(_TRACEBACK):
                opened.append(index)
            elif not self._message[index]:
                made[index] = self._block.line(index)
                self._headerless(index, made[index].text)
        for index in reversed(opened):
            self._traceback(index)
        return made

    def _raw(self, index: int) -> bytes:
        return self._chunk.text[self._chunk.ends[index] : self._chunk.ends[index + 1]]

    def _headerless(self, index: int, text: str) -> None:
        if self._known.header(text) is not None:
            return
        self._leave_before(index)
        if index < self._last and self._known.goes_on(text):
            self._kinds[index + 1] = LEFT

    def _leave_before(self, index: int) -> None:
        before = index - 1
        while before > 0 and self._kinds[before] == JOINED:
            self._kinds[before] = LEFT
            before -= 1
        if index and self._kinds[before] not in {HUSHED, WITHIN, BLANK}:
            self._kinds[before] = LEFT

    def _join(self) -> None:
        """Takes lines that go on a row, and change nothing in it."""
        kinds, flags = self._kinds, self._chunk.flags
        quiet = (kinds == HUSHED) & (flags == SILENT)
        rows = (kinds == DATED) | (kinds == UNDATED)
        for index in np.flatnonzero(quiet[1:] & rows[:-1]).tolist():
            row, latest, line = self._block.line(index).text[self._column(index) :], "", index + 1
            while quiet[line]:
                if line - index > _FURTHER:
                    flags[line] |= APART  # a message has no more lines
                    break
                text = self._block.line(line).text
                if not self._known.joins(row, latest, text):
                    break
                kinds[line], flags[line], latest = JOINED, KNOWN, text
                line += 1

    def _column(self, index: int) -> int:
        return max(0, int(self._message[index]) - int(self._chunk.ends[index])) if self._message[index] else 0

    def _traceback(self, index: int) -> None:
        """Takes a traceback that nothing before or behind it belongs to; else leaves what stands before it."""
        end = self._end(index)
        message = int(self._message[index])
        raw = self._chunk.text[message or self._chunk.ends[index] : self._chunk.ends[end]]
        if (
            index > 0
            and end < self._last
            and self._over(end)
            and self._alone(index)
            and self._known.unit(raw, headed=message > 0)
        ):
            self._kinds[index], self._kinds[index + 1 : end] = OPENS, WITHIN
            self._chunk.flags[index:end] = 0
        elif not message:
            self._headerless(index, self._block.line(index).text)

    def _end(self, index: int) -> int:
        """The line behind the one that names the exception; behind the last line where none does."""
        for line in range(index + 1, min(index + _MOST, self._last)):
            if self._message[line] or self._kinds[line] not in {LEFT, HUSHED}:
                break
            if not self._raw(line).startswith(_INNER):
                return line + 1
        return self._last + 1

    def _over(self, index: int) -> bool:
        """Whether a traceback that ends before a line is over: a header or another one comes before anything else."""
        for line in range(index, min(index + _HELD, self._last)):
            if self._kinds[line] not in {HUSHED, BLANK}:
                return bool(self._message[line]) or self._kinds[line] in {UNDATED, OPENS}
        return index + _HELD < self._last

    def _alone(self, index: int) -> bool:
        """Whether a traceback does not belong to what was said before it, nor stands among those of two processes.

        Behind a line that is left it is read exactly, whatever is said of it here.
        """
        if self._message[index]:
            return not self._opened_before(index)
        before = self._kinds[index - 1]
        if before in {UNDATED, QUIET}:
            return not self._known.expects_traceback(self._block.line(index - 1).text)
        return bool(before != JOINED)

    def _opened_before(self, index: int) -> bool:
        """Whether another traceback may wait for its first line: two processes write theirs at once.

        What stands before the chunk is not known.
        """
        for line in range(index - 1, max(-1, index - _STRANGERS), -1):
            if self._raw(line).endswith(_TRACEBACK):
                return not self._raw(line + 1).startswith(_INNER) or line + 1 == index
            if self._message[line] or self._kinds[line] == UNDATED:
                return False
        return index < _STRANGERS
