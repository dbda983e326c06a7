"""Lines that have to be asked for by themselves, as others of their wording may be something else."""

from __future__ import annotations

from typing import Final

from analyzer.scan.fast.lexicon import Learning

_MOST: Final = 50_000
_MOST_ONCE: Final = 8 * 1024
_ZEROS: Final = bytes.maketrans(b"0123456789", b"0000000000")


class Asked:
    """What was answered for lines that came more than once: for those with digits in the same places, or for one."""

    def __init__(self) -> None:
        self.alike = Learning(alike=True)
        self.exact = Learning()
        self._once: set[bytes] = set()

    def get(self, line: bytes, *, alike: bool) -> int | None:
        """What was answered, if anything was."""
        return self.alike.get(line.translate(_ZEROS)) if alike else self.exact.get(line)

    def comes_again(self, line: bytes, *, alike: bool) -> bool:
        """Whether such a line was here before; from the next one on that is so."""
        form = line.translate(_ZEROS) if alike else line
        if form in self._once:
            return True
        if len(self._once) >= _MOST_ONCE:
            self._once.clear()
        self._once.add(form)
        return False

    def learn(self, line: bytes, number: int, *, alike: bool) -> bool:
        """Keeps an answer, which there is none of yet; whether there was room for it."""
        learning = self.alike if alike else self.exact
        if len(learning) >= _MOST:
            return False
        learning.add(line.translate(_ZEROS) if alike else line, number)
        return True
