"""What stands before the headers of one file: asked of the exact reading once for each wrapper, then taken off."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from analyzer.scan.fast.compiled import address, addresses
from analyzer.scan.fast.enclosed import BEFORE, KNOWN_BEFORE, LONGEST
from analyzer.scan.fast.layout import Bared
from analyzer.scan.fast.lexicon import Learning
from analyzer.scan.fast.unwrapped import LONGEST_WRAPPER, take_off

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analyzer.scan.run import Known, Wrapper

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]

_MOST, _FEW, _LINES_EACH = 1000, 64, 200  # wrappers: where there are more for so many lines, each has its own
_CLOCK = re.compile(rb"\d\d:\d\d:\d\d")
_SPARE = 64  # bytes behind what is written
_LONGEST_KEY = 2 * LONGEST + 1
_BETWEEN = bytes([BEFORE])
_NUMBER = re.compile(rb'(?<=[^\\]": )0(?=[,}])|(?<=[^\\]":)0(?=[,}])')
_LIKE_A_TIME = b"1786000000"


class Bare(NamedTuple):
    """Lines without their wrappers, as `Block` has them with theirs; of each line the number and time of its wrapper.

    The number is below zero where it has none that is known, the time NaN where the wrapper tells none. `columns` are
    where the exact reading finds them in their lines.
    """

    text: bytes
    ends: Ints
    wrapper: Ints
    seconds: Floats
    columns: Ints

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
        self._node: str | None = None
        self._seen = 0
        self._state = np.array([LONGEST_WRAPPER, 0, 0, 0, 0, 0], np.int64)

    def off(self, text: bytes, ends: Ints) -> Bare:
        """The lines of a text, of which line `n` begins at `ends[n]` and ends before `ends[n + 1]`."""
        count = len(ends) - 1
        room = np.empty(int(ends[-1] - ends[0]) + 2 * count + _SPARE, np.uint8)
        bared, wrapper, columns = np.zeros(count + 1, np.int64), np.empty(count, np.int64), np.empty(count, np.int64)
        seconds, key = np.empty(count), np.zeros(_LONGEST_KEY + _SPARE, np.uint8)
        at, line = address(np.frombuffer(text, np.uint8)), 0
        self._seen += count
        most = min(_MOST, _FEW + self._seen // _LINES_EACH)
        while line < count:
            held, midnights = self._keys.now(), np.array([*self._midnights, 0.0])
            places = addresses((room, bared, wrapper, seconds, columns, midnights, key, self._state))
            given = Bared(int(len(self._keys) < most), *places)
            line = take_off(at, len(text), line, count, address(ends), held.lexicon, given)
            if line < count:
                begin, behind, size, micros = self._state[2:].tolist()
                start, end = ends[line : line + 2].tolist()
                self._learn(text[start:begin], text[behind : end - 1], bytes(key[:size]), micros)
        return Bare(room[: bared[-1]].tobytes(), bared, wrapper, seconds, columns)

    def names(self, wrapper: Ints) -> Counter[str]:
        """How often each layer was taken off lines whose wrappers have these numbers."""
        found: Counter[str] = Counter()
        for number, count in enumerate(np.bincount(wrapper).tolist() if len(wrapper) else ()):
            found.update(dict.fromkeys(self._names[number], count) if count else {})
        return found

    def _learn(self, before: bytes, behind: bytes, key: bytes, micros: float) -> None:
        """Learns what a wrapper is, and all others that are known by the same but for their time of day and numbers."""
        forms = [(before, behind), *_others(key, enclosed=bool(behind))]
        one, other, *more = (self._known.wrapper(*(part.decode("ascii") for part in parts)) for parts in forms)
        alike = one is not None and other is not None and one[:2] == other[:2] and all(each == other for each in more)
        taken = one if alike and one and self._node in {None, one.node} else None
        midnight = self._midnight(taken, other, micros, clocks=len(_CLOCK.findall(key))) if taken else None
        if not taken or midnight is None:
            self._keys.add(key, -1)
            return
        self._keys.add(key, len(self._names))
        if behind:
            self._keys.add(key.partition(_BETWEEN)[0] + bytes([KNOWN_BEFORE]), 0)
        self._names.append(taken.layers)
        self._midnights.append(midnight)
        self._known.node = self._node = taken.node

    def _midnight(self, one: Wrapper, other: Wrapper | None, micros: float, *, clocks: int) -> float | None:
        """When the day of a wrapper begins, NaN where it tells no time; `None` where its time is not that of its clock.

        Of several wrappers the inner one's time counts, which need not be the first.
        """
        begins = other.stamp if other else None
        if one.stamp is None or begins is None:
            return np.nan if one.stamp is begins else None
        midnight = self._known.seconds(begins)
        return midnight if clocks <= 1 and self._known.seconds(one.stamp) == (midnight * 1e6 + micros) / 1e6 else None


def _others(key: bytes, *, enclosed: bool) -> list[tuple[bytes, bytes]]:
    """What stands before a text and behind it, by its key: at midnight, in JSON with numbers that may be times."""
    if not enclosed:
        return [(key, b"")]
    parts = [number.partition(_BETWEEN) for number in (key, _NUMBER.sub(_LIKE_A_TIME, key))]
    return [(before, behind) for before, _, behind in parts]
