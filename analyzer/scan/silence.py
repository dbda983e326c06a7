"""Lines by the thousand that say nothing: told by what is left of them without their digits, before any regex.

Works on UTF-8 text. Everything else about a line (where it stands, what its text is) is as `exact` has it, and a run of
silent lines can be taken apart into these lines again: whether their neighbours have a say in what they are is for the
reader to judge.
"""

from __future__ import annotations

import re
from itertools import accumulate
from typing import TYPE_CHECKING, Protocol

from analyzer.scan.exact import bounded, line_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.bundle import Stream
    from analyzer.scan.exact import Line

# What a line is: for the exact reading; silent, though it may go on a message before it; silent and nobody's
# continuation. A silent line may have colours, be one that a pattern explains, or give events and nothing else. Or it
# has to be asked for by itself.
LOUD, SILENT, APART, COLOURED, KNOWN, EVENTS, ASK = 0, 1, 2, 4, 8, 16, 32

PIECE = 256 * 1024  # few enough lines that what each says is not forgotten before it is read
_DIGITS = b"0123456789"
_STRETCH = re.compile(rb"[^\0]+")
_WITH = {flag: bytes(kind for kind in range(ASK) if kind & flag) for flag in (SILENT, COLOURED, KNOWN, EVENTS)}
_EVENTFUL = re.compile(b"[%b]" % re.escape(_WITH[EVENTS]))


class Known(Protocol):
    """What the reader knows of single lines."""

    on: bool

    def __getitem__(self, bare: bytes, /) -> int:
        """What every line is that these bytes are left of when its digits and its line end are taken away."""
        ...

    def __contains__(self, bare: object, /) -> bool:
        """Whether that is settled, and stays so."""
        ...

    def ask(self, raw: bytes, bare: bytes, /) -> int:
        """What this line is, where the others that differ from it in digits may be something else."""
        ...

    def asks_alike(self, bare: bytes, /) -> bool:
        """Whether lines of such a wording have one answer where they have digits in the same places."""
        ...

    def speakers(self, raw: bytes, /) -> tuple[str, ...]:
        """The patterns of the claims of a line that gives events, one for each claim."""
        ...


class Silence:
    """A run of silent lines: those of a piece from `first` to before `end`."""

    __slots__ = ("_piece", "end", "first")

    def __init__(self, piece: Piece, first: int, end: int) -> None:
        self._piece = piece
        self.first = first
        self.end = end

    def __len__(self) -> int:
        return self.end - self.first

    @property
    def number(self) -> int:
        """The number of the first line."""
        return self._piece.number + self.first

    @property
    def opens_apart(self) -> bool:
        """Whether the first line goes on no message before it."""
        return bool(self._piece.kinds[self.first] & APART)

    @property
    def apart(self) -> bool:
        """Whether no line goes on a message before it."""
        return not self._count(SILENT)

    @property
    def coloured(self) -> int:
        """How many lines have colours."""
        return self._count(COLOURED)

    @property
    def known(self) -> int:
        """How many lines a pattern explains."""
        return self._count(KNOWN)

    def last(self, count: int) -> list[bytes]:
        """The bytes of the last lines, at most `count` of them, without their line ends."""
        return self._piece.raws[max(self.first, self.end - count) : self.end]

    @property
    def mute(self) -> bool:
        """Whether no line gives events."""
        return not self._count(EVENTS)

    def eventful(self) -> Iterator[tuple[bytes, int, int]]:
        """Every line that gives events: its bytes, its number, and where it begins."""
        for found in _EVENTFUL.finditer(self._piece.kinds, self.first, self.end):
            index = found.start()
            yield self._piece.raws[index], self._piece.number + index, self._piece.starts[index]

    def take(self) -> Line:
        """The first line, which the run then no longer has."""
        self.first += 1
        return self._piece.line(self.first - 1)

    def _count(self, flag: int) -> int:
        kinds = self._piece.kinds[self.first : self.end]
        return len(kinds) - len(kinds.translate(None, _WITH[flag]))


class Piece:
    """Whole lines, the first of which is line `number` at byte `at` of the stream; `kinds` say what each is."""

    def __init__(self, text: bytes, number: int, at: int, kinds: bytes = b"") -> None:
        self.number = number
        self.raws = text.split(b"\n")
        self.raws.pop()
        self.starts = list(accumulate(map(len, self.raws), lambda start, size: start + size + 1, initial=at))
        self.kinds = kinds

    def items(self) -> Iterator[Line | Silence]:
        """The runs of silent lines, and between them every other line."""
        done = 0
        for stretch in _STRETCH.finditer(self.kinds):
            first, end = stretch.span()
            yield from map(self.line, range(done, first))
            yield Silence(self, first, end)
            done = end
        yield from map(self.line, range(done, len(self.raws)))

    def line(self, index: int) -> Line:
        """A line as the exact reading has it."""
        span = (self.starts[index], self.starts[index + 1])
        return line_of(self.number + index, span, self.raws[index] + b"\n", "utf-8", cut=False)


def _judged(text: bytes, raws: list[bytes], known: Known) -> bytes:
    """What each line of a text is, which is in `raws` as well."""
    bares = text.translate(None, _DIGITS).split(b"\n")
    bares.pop()
    if not known.on:
        return bytes(len(bares))
    kinds = bytearray(map(known.__getitem__, bares))
    index = kinds.find(ASK)
    while index >= 0:
        kinds[index] = known.ask(raws[index], bares[index])
        index = kinds.find(ASK, index + 1)
    return bytes(kinds)


def scan(stream: Stream, known: Known, after: int, piece: int = PIECE) -> Iterator[Line | Silence]:
    """The lines of UTF-8 text as `exact.lines` has them, with runs in place of silent ones behind the first `after`."""
    number, at, carry, dropped = 1, 0, b"", 0
    while data := stream.read(piece):
        text = carry + data if carry else data
        cut = text.rfind(b"\n") + 1
        whole, rest = text[:cut], text[cut:] if cut else text
        while whole and (dropped or number <= after):
            end = whole.index(b"\n") + 1
            yield line_of(number, (at, at + end + dropped), whole[:end], "utf-8", cut=bool(dropped))
            number, at, dropped, whole = number + 1, at + end + dropped, 0, whole[end:]
        begin = 0
        while begin < len(whole):
            end = whole.rfind(b"\n", begin, begin + piece) + 1 or whole.index(b"\n", begin) + 1
            few = whole[begin:end]
            part = Piece(few, number, at)
            part.kinds = _judged(few, part.raws, known)
            yield from part.items()
            number, at, begin = number + len(part.raws), at + len(few), end
        carry, more = bounded(rest)
        dropped += more
    if carry or dropped:
        yield line_of(number, (at, at + len(carry) + dropped), carry, "utf-8", cut=bool(dropped))
