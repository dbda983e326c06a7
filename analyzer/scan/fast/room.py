"""Memory for what is told of a chunk's lines; used for one chunk after another, as fresh memory costs much to touch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from analyzer.scan.fast import layout
from analyzer.scan.fast.compiled import addresses
from analyzer.scan.fast.forms import WIDTHS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints: TypeAlias = NDArray[np.int64]

MOST = 128 * 1024  # lines of a chunk


class Room:
    """The arrays of `layout.Lines` but for the ends, and those of `layout.Found`, for up to `most` lines."""

    def __init__(self, most: int = MOST) -> None:
        tables, width = len(WIDTHS), max(WIDTHS.values())
        self.kind, self.ask, self.flags = (np.empty(most, np.int8) for _ in range(3))
        self.message, self.label, self.form = (np.empty(most, np.int64) for _ in range(3))
        self.seconds = np.empty(most, np.float64)
        self.counts = np.zeros(tables, np.int64)
        self.rows = np.empty((tables, most), np.int64)
        self.values = np.empty((tables, most, width), np.float64)
        found = addresses((self.counts, self.rows, self.values))
        self.found = layout.Found(tables, width, most, *found)

    def lines(self, ends: Ints) -> layout.Lines:
        """An entry for each line that ends at one of `ends` but the first; nothing is told of any."""
        count = len(ends) - 1
        told: tuple[NDArray[Any], ...] = self.kind, self.ask, self.message, self.seconds, self.label, self.flags
        for each in (*told, self.form):
            each[:count] = 0
        self.counts[:] = 0
        return layout.Lines(count, *addresses((ends, *told, self.form)))
