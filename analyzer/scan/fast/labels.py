"""Small numbers for short texts, such as the ranks in headers: found for many at once, every byte compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analyzer.scan.fast.words import Mask, Positions, Word

UNKNOWN = -2
WORDS = 4  # of eight bytes, in which a text stands
LESSONS = 256  # new texts that one chunk may teach
_MIX = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x27D4EB2F165667C5)
_SLOTS = 14  # bits


class Labels:
    """Small numbers for texts of up to four words, found for many at once."""

    def __init__(self) -> None:
        self._slots: Positions = np.zeros(1 << _SLOTS, np.int64)
        self._columns: dict[tuple[int, ...], int] = {}
        self._keys: NDArray[np.uint64] = np.zeros((WORDS, 1), np.uint64)
        self._labels: Positions = np.full(1, UNKNOWN, np.int64)

    def add(self, key: tuple[int, ...], label: int) -> None:
        """Keeps what `find` is to say for a text; of two that share a slot the latest is found."""
        column = np.array([[*key, *[0] * (WORDS - len(key))]], np.uint64).T
        if key not in self._columns:
            self._columns[key] = len(self._labels)
            self._keys = np.concatenate((self._keys, column), axis=1)
            self._labels = np.append(self._labels, label)
        self._slots[_mixed(list(column))] = self._columns[key]

    def find(self, keys: list[Word]) -> Positions:
        """The label of each text, `UNKNOWN` where none is kept; every byte is compared."""
        slot = self._slots[_mixed(keys)]
        label = self._labels[slot]
        same: Mask = np.ones(len(label), np.bool_)
        for index, key in enumerate(keys):
            same &= self._keys[index][slot] == key
        for index in range(len(keys), WORDS):
            same &= self._keys[index][slot] == 0
        label[~same] = UNKNOWN
        return label


def _mixed(keys: list[Word]) -> Positions:
    mixed = keys[0] * np.uint64(_MIX[0])
    for key, factor in zip(keys[1:], _MIX[1:], strict=False):
        mixed = mixed ^ (key * np.uint64(factor))
    index: Positions = (mixed >> np.uint64(64 - _SLOTS)).view(np.int64)
    return index
