"""Texts that were learned, each with a number, as the compiled pass finds them: by a hash, every byte compared."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from analyzer.scan.fast.compiled import address, addresses
from analyzer.scan.fast.layout import Lexicon
from analyzer.scan.fast.texts import mixed, mixed_alike, mixed_bare

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LEAST_SLOTS = 256
_ROOM = 4  # slots for each text
_WORD = 8  # bytes that are read at once


class Held(NamedTuple):
    """A lexicon, and the arrays that it tells the addresses of."""

    lexicon: Lexicon
    arrays: tuple[NDArray[Any], ...]


class Learning:
    """A lexicon that grows.

    `bare`: its texts are asked for without their digits, and have none; `alike`: with zeros for all digits.
    """

    def __init__(self, *, bare: bool = False, alike: bool = False) -> None:
        self._bare, self._alike = bare, alike
        self._texts = bytearray()
        self._starts = array("q")
        self._sizes = array("q")
        self._numbers = array("q")
        self._mixes = array("Q")
        self._slots = np.full(_LEAST_SLOTS, -1, np.int64)
        self._known: dict[bytes, int] = {}
        self._now: Held | None = None

    def __len__(self) -> int:
        return len(self._starts)

    def __contains__(self, text: bytes) -> bool:
        return text in self._known

    def get(self, text: bytes) -> int | None:
        """The number of a text, where it has one."""
        index = self._known.get(text)
        return None if index is None else self._numbers[index]

    def change(self, text: bytes, number: int) -> None:
        """Gives a text that is known another number."""
        self._numbers[self._known[text]] = number
        self._now = None

    def add(self, text: bytes, number: int) -> None:
        """Keeps the number of a text, which has none yet."""
        held = np.frombuffer(text + bytes(_WORD), np.uint8)
        if self._bare:
            mix, size = mixed_bare(address(held), 0, len(text))
        elif self._alike:
            mix, size = mixed_alike(address(held), 0, len(text)), len(text)
        else:
            mix, size = mixed(address(held), 0, len(text)), len(text)
        if size != len(text):
            raise ValueError(f"a bare text has no digits: {text!r}")
        self._starts.append(len(self._texts))
        self._sizes.append(size)
        self._numbers.append(number)
        self._mixes.append(int(mix))
        self._texts += text
        if len(self) * _ROOM > len(self._slots):
            self._slots = np.full(2 * len(self._slots), -1, np.int64)
            for index in range(len(self)):
                self._place(index)
        else:
            self._place(len(self) - 1)
        self._known[text] = len(self) - 1
        self._now = None

    def now(self) -> Held:
        """All texts so far; it stays as it is when more are learned, as another thread may be reading it."""
        if self._now is None:
            numbers = [np.append(np.array(part, np.int64), 0) for part in (self._starts, self._sizes, self._numbers)]
            arrays: tuple[NDArray[Any], ...] = (
                np.frombuffer(bytes(self._texts) + bytes(_WORD), np.uint8),
                *numbers,
                self._slots.copy(),
            )
            self._now = Held(Lexicon(len(self._slots) - 1, *addresses(arrays)), arrays)
        return self._now

    def _place(self, index: int) -> None:
        last = len(self._slots) - 1
        slot = self._mixes[index] & last
        while self._slots[slot] >= 0:
            slot = (slot + 1) & last
        self._slots[slot] = index
