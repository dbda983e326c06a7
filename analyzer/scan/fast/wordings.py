"""What is known of the wordings of messages, or of lines without a header, and of single lines of a wording."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from analyzer.scan.fast.layout import ALIKE, FLAG_BITS, SHAPED, Words
from analyzer.scan.fast.lexicon import Learning
from analyzer.scan.silence import ASK, EVENTS

if TYPE_CHECKING:
    from analyzer.scan.fast.lexicon import Held as HeldLexicon

_MOST: Final = 50_000  # of one kind; more than that are no forms
_MOST_ONCE: Final = 8 * 1024
_MOST_SHAPES: Final = 64  # of one wording
DIGITS: Final = b"0123456789"
_ZEROS: Final = bytes.maketrans(DIGITS, b"0000000000")


class Held(NamedTuple):
    """What is known, and the arrays that it tells the addresses of."""

    words: Words
    arrays: tuple[HeldLexicon, ...]


class Wordings:
    """A wording is a line without its digits; its shapes have zeros in their places, and are found sooner.

    Where a wording says that its lines are to be asked for by themselves, so are those of a shape, or each of them.
    """

    def __init__(self) -> None:
        self._bare = Learning(bare=True)
        self._shapes = Learning(alike=True)
        self._exact = Learning()
        self._once: set[bytes] = set()
        self._many: dict[bytes, int] = {}

    def __contains__(self, bare: bytes) -> bool:
        """Whether a wording is known, or can never be."""
        return bare in self._bare or len(self._bare) >= _MOST

    def now(self) -> Held:
        """All that is known so far; it stays as it is when more is learned."""
        arrays = self._shapes.now(), self._bare.now(), self._exact.now()
        return Held(Words(*(held.lexicon for held in arrays)), arrays)

    def add(self, bare: bytes, flags: int, *, alike: bool = False) -> None:
        """Keeps what all lines of a wording are, or that they are to be asked for; `alike`: all of a shape at once."""
        further = (ALIKE if alike else 0) if flags & ASK else SHAPED
        self._bare.add(bare, len(self._bare) << FLAG_BITS | further | flags)

    def learn_shape(self, line: bytes) -> bool:
        """Keeps the shape of a line, what it is being known; a wording of very many is no longer asked for them."""
        bare, shape = line.translate(None, DIGITS), line.translate(_ZEROS)
        number = self._bare.get(bare)
        if number is None or not number & SHAPED or shape in self._shapes:
            return False
        many = self._many[bare] = self._many.get(bare, 0) + 1
        if many > _MOST_SHAPES or len(self._shapes) >= _MOST // 2:  # the rest is for answers
            self._bare.change(bare, number & ~SHAPED)
        else:
            self._shapes.add(shape, number & ~SHAPED)
        return True

    def get(self, line: bytes, *, alike: bool) -> int | None:
        """What was answered for a line, if anything was."""
        return self._shapes.get(line.translate(_ZEROS)) if alike else self._exact.get(line)

    def comes_again(self, line: bytes, *, alike: bool) -> bool:
        """Whether such a line was here before; from the next one on that is so."""
        form = line.translate(_ZEROS) if alike else line
        if form in self._once:
            return True
        if len(self._once) >= _MOST_ONCE:
            self._once.clear()
        self._once.add(form)
        return False

    def answered(self, line: bytes, flags: int, voice: int) -> int:
        """The number of a line: its flags, and what it says where it gives events, else its wording."""
        number = self._bare.get(line.translate(None, DIGITS)) or 0
        return (voice if flags & EVENTS else number >> FLAG_BITS) << FLAG_BITS | flags

    def learn(self, line: bytes, number: int, *, alike: bool) -> bool:
        """Keeps an answer, which there is none of yet; whether there was room for it."""
        learning = self._shapes if alike else self._exact
        if len(learning) >= _MOST:
            return False
        learning.add(line.translate(_ZEROS) if alike else line, number)
        return True
