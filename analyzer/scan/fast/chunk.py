"""The whole lines of a few MB: which of them are steady, with their values as rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from analyzer.scan.fast import beside, kernel, layout
from analyzer.scan.fast.compiled import address
from analyzer.scan.fast.room import Room
from analyzer.scan.fast.tails import LEVELS
from analyzer.scan.silence import EVENTS, KNOWN

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analyzer.scan.fast.memory import Held, Memory

    Ints: TypeAlias = NDArray[np.int64]
    Floats: TypeAlias = NDArray[np.float64]

_LESSONS = 64  # times that one chunk is gone through again after something was learned
_LOOKED_AT = 2000  # lines, before it is


class Chunk:
    """Finds the steady lines of a text, of which line `n` begins at `ends[n]` and ends before `ends[n + 1]`.

    `read` tells the lines by what is known, on any thread; `teach` then learns what they lack. The arrays are those of
    `lines`, which tells the compiled pass where they are, as `at` tells it where the text is.
    """

    def __init__(self, text: bytes, ends: Ints, room: Room | None = None) -> None:
        self.text = text
        self.ends = ends
        self.at = address(np.frombuffer(text, np.uint8))
        count = len(ends) - 1
        self.room = room = room or Room(count)
        self.lines = room.lines(ends)
        self.kind, self.ask, self.flags = room.kind[:count], room.ask[:count], room.flags[:count]
        self.message, self.label, self.form = room.message[:count], room.label[:count], room.form[:count]
        self.seconds = room.seconds[:count]
        self._again = False
        self._held: Held | None = None

    def read(self, held: Held, which: Ints | None = None) -> Chunk:
        """Tells the lines, or those that are given; gives itself."""
        self._held = held
        lines = np.arange(self.lines.length) if which is None else which
        given = address(lines), self.lines, held.learned, self.room.found
        kernel.read_lines(self.at, len(self.text), len(lines), *given)
        return self

    def teach(self, memory: Memory) -> None:
        """Has `memory` learn what lines lack, and tells them again."""
        for _ in range(_LESSONS):
            asked = np.flatnonzero((self.ask != layout.NOTHING) & (self.ask < layout.A_SHAPE))
            if not len(asked) or (memory.now() is self._held and not self._taught(memory, asked)):
                break
            self._again = True
            self.read(memory.now(), asked)
        for line in np.flatnonzero(self.ask == layout.ITSELF).tolist():
            self._told(memory, line)
        for line in np.flatnonzero(self.ask == layout.A_SHAPE)[:_LOOKED_AT].tolist():
            memory.learn_shape(self._said(line), headed=bool(self.message[line] > 0))

    def _told(self, memory: Memory, line: int) -> None:
        """Has `memory` asked for one line."""
        headed, said = self.message[line] > 0, self._said(line)
        number = memory.ask_message(said) if headed else memory.ask(said)
        flags = number & (layout.SHAPED - 1)
        kind = (layout.SPOKEN if flags & EVENTS else layout.SILENT) if headed else layout.HUSHED
        self.kind[line] = kind if flags else layout.LEFT
        self.flags[line] = flags & KNOWN if headed else flags
        self.form[line] = number >> layout.FLAG_BITS

    def _said(self, line: int) -> bytes:
        """A line, or its message."""
        return self.text[self.message[line] or self.ends[line] : self.ends[line + 1] - 1]

    def _taught(self, memory: Memory, asked: Ints) -> bool:
        """Whether anything was learned. A batch line teaches one form at a time, as it stands for many lines."""
        taught, batch = False, False
        for seen, line in enumerate(asked.tolist()):
            ask = int(self.ask[line])
            if taught and seen >= _LOOKED_AT:  # most of the others lack the same
                break
            if ask == layout.A_FORM and batch:
                continue
            learned = self._lesson(memory, line, ask)
            batch = batch or (ask == layout.A_FORM and learned)
            taught = taught or learned
        return taught

    def _lesson(self, memory: Memory, line: int, ask: int) -> bool:
        said = self._said(line)
        if ask == layout.A_DAY:
            return memory.learn_day(said)
        if ask == layout.A_RANK:
            return memory.learn_rank(said)
        if ask == layout.A_FORM:
            return memory.learn_form(said)
        if ask == layout.A_TAIL:
            return memory.learn_tail(int(said.startswith(LEVELS[1])), said)
        if ask == layout.A_HUSH:
            return memory.learn_hush(said)
        if ask == layout.A_SPEAKER:
            return memory.learn_speaker(said[: said.index(b"(") + 1])
        return memory.learn_wording(said)

    def settle(self) -> Ints:
        """Leaves lines without a time behind one that may change it; gives for each the line that prints its time."""
        dated = np.empty(self.lines.length, np.int64)
        beside.settle(self.at, self.lines, address(dated))
        return dated

    def take(self, table: int, dated: Ints, place: layout.Place, rows: layout.Rows) -> int:
        """Writes a table's rows, in their order, where there is room for them; gives how many there are."""
        if self._again:
            count = int(self.room.counts[table])
            order = np.argsort(self.room.rows[table, :count])
            self.room.rows[table, :count] = self.room.rows[table, order]
            self.room.values[table, :count] = self.room.values[table, order]
        return kernel.take_rows(self.room.found, table, self.lines, address(dated), place, rows)

    def count(self, table: int) -> int:
        """How many rows there are in a table, at the most."""
        return int(self.room.counts[table])
