"""What stands before the headers of one file: asked of the exact reading once for each wrapper, then taken off."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from analyzer.scan.fast.compiled import address, addresses
from analyzer.scan.fast.layout import Bared
from analyzer.scan.fast.lexicon import Learning
from analyzer.scan.fast.unwrapped import LONGEST_WRAPPER, header_behind, key_of, take_off

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analyzer.scan.run import Known

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]

_MOST = 10_000  # wrappers: where there are more, each line has its own
_SPARE = 64  # bytes behind what is written


class Bare(NamedTuple):
    """Lines without their wrappers, as `Block` has them with theirs; of each line the number and time of its wrapper.

    The number is below zero where it has none that is known, the time NaN where the wrapper tells none.
    """

    text: bytes
    ends: Ints
    wrapper: Ints
    seconds: Floats

    @property
    def timed(self) -> bool:
        """Whether any wrapper tells the time."""
        return not np.isnan(self.seconds).all()


class Wrapping:
    """Takes off wrappers that say from where a line comes, and when, and change nothing in it.

    Those of one origin alone: the lines of another are left, as they are records of their own beside these.
    """

    def __init__(self, known: Known) -> None:
        self._known = known
        self._keys = Learning()
        self._names: list[tuple[str, ...]] = []
        self._midnights: list[float] = []
        self._state = np.full(1, LONGEST_WRAPPER, np.int64)

    def off(self, text: bytes, ends: Ints) -> Bare:
        """The lines of a text, of which line `n` begins at `ends[n]` and ends before `ends[n + 1]`."""
        count = len(ends) - 1
        room = np.empty(int(ends[-1] - ends[0]) + 2 * count + _SPARE, np.uint8)
        bared, wrapper, seconds = np.zeros(count + 1, np.int64), np.empty(count, np.int64), np.empty(count)
        key = np.zeros(LONGEST_WRAPPER + _SPARE, np.uint8)
        at, line = address(np.frombuffer(text, np.uint8)), 0
        while line < count:
            held, midnights = self._keys.now(), np.array([*self._midnights, 0.0])
            places = addresses((room, bared, wrapper, seconds, midnights, key, self._state))
            given = Bared(int(len(self._keys) < _MOST), *places)
            line = take_off(at, len(text), line, count, address(ends), held.lexicon, given)
            if line < count:
                start, end = ends[line : line + 2].tolist()
                behind = header_behind(at, start, end)
                _, size, _ = key_of(at, start, behind, address(key), LONGEST_WRAPPER)
                self._learn(text[start:behind], bytes(key[:size]))
        return Bare(room[: bared[-1]].tobytes(), bared, wrapper, seconds)

    def names(self, wrapper: Ints) -> Counter[str]:
        """How often each layer was taken off lines whose wrappers have these numbers."""
        found: Counter[str] = Counter()
        for number, count in enumerate(np.bincount(wrapper).tolist() if len(wrapper) else ()):
            found.update(dict.fromkeys(self._names[number], count) if count else {})
        return found

    def _learn(self, wrapper: bytes, key: bytes) -> None:
        """Learns what a wrapper is, and all others that are known by the same."""
        names, alike = (self._known.wrapper(each.decode("ascii")) for each in (wrapper, key))
        taken = names if names == alike else ()
        self._keys.add(key, len(self._names) if taken else -1)
        if taken:
            stamp = self._known.outer(key.decode("ascii"))
            self._names.append(taken)
            self._midnights.append(self._known.seconds(stamp) if stamp else np.nan)
