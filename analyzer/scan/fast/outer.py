"""What the wrappers of a chunk's lines say besides: where the lines begin with them, and when they were written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from analyzer.scan.fast.layout import LEFT, UNDATED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analyzer.scan.fast.chunk import Chunk, Floats, Ints
    from analyzer.scan.fast.wrapping import Bare

_SAME_CLOCK = 5.0  # seconds, as the exact reading has it


class Outer:
    """What wrappers say of a chunk's lines: where each begins, when it was written, by a clock that may be another one.

    Where wrappers tell the time, lines without a header are left but for access lines, of which it must be told
    whether the clock is that of the headers.
    """

    def __init__(self, starts: Ints, bare: Bare, chunk: Chunk) -> None:
        self._starts, self._seconds = starts, bare.seconds
        order, timed = np.arange(len(bare.seconds)), ~np.isnan(bare.seconds)
        headed, plain = timed & (chunk.message > 0), timed & (chunk.message == 0)
        last = np.maximum.accumulate(np.where(headed, order, -1))
        told = last > np.maximum.accumulate(np.where(bare.wrapper < 0, order, -1))
        chunk.kind[plain & ((chunk.kind != UNDATED) | ~told)] = LEFT
        same = np.abs(chunk.seconds[last] - bare.seconds[last]) < _SAME_CLOCK
        self._told, self._same = told, same
        self.own: NDArray[np.bool_] = plain & told & same  # lines whose time is that of their wrapper

    def agrees(self, line: int) -> bool | None:
        """Whether the clock is that of the headers, behind a line; `None` where nothing tells since another's line."""
        return bool(self._same[line]) if self._told[line] else None

    def starts(self, lines: Ints) -> Ints:
        """Where lines begin with their wrappers."""
        return self._starts[lines]

    def seconds(self, lines: Ints, seconds: Floats) -> Floats:
        """When lines were written: by their wrappers, where the headers' clock is theirs, else as given."""
        return np.where(self.own[lines], self._seconds[lines], seconds)
