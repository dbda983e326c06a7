"""Pairs of numbers that were learned, each with an answer, as the compiled pass finds them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from analyzer.scan.fast.compiled import address
from analyzer.scan.fast.layout import ROW_BITS, SPREAD, Pairs

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

_LEAST_SLOTS = 64
_ROOM = 4  # slots for each pair
_WORD = (1 << 64) - 1


class Held(NamedTuple):
    """Pairs, and the arrays that they tell the addresses of."""

    pairs: Pairs
    arrays: tuple[NDArray[np.int64], ...]


def pairs_of(answers: Mapping[tuple[int, int], int]) -> Held:
    """The pairs of a row's form and a wording."""
    slots = _LEAST_SLOTS
    while slots < _ROOM * len(answers):
        slots *= 2
    shift = 65 - slots.bit_length()
    keys, told = np.full(slots, -1, np.int64), np.zeros(slots, np.int64)
    for (row, wording), answer in answers.items():
        key = row << ROW_BITS | wording
        slot = (key * SPREAD & _WORD) >> shift
        while keys[slot] >= 0:
            slot = slot + 1 & slots - 1
        keys[slot], told[slot] = key, answer
    return Held(Pairs(shift, slots - 1, address(keys), address(told)), (keys, told))
