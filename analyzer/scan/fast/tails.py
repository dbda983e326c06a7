"""Access lines: a level, an address, and a tail that says everything else: ` - "GET /health HTTP/1.1" 200 OK`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.scan.fast.lexicon import Learning

if TYPE_CHECKING:
    from analyzer.scan.fast.lexicon import Held
    from analyzer.scan.run import Known

LEVELS = (b"INFO:     ", b"\x1b[32mINFO\x1b[0m:     ")  # uvicorn's, without and with colours
_MOST = 50_000  # tails; more than that are no forms


class Tails:
    """What is known of the tails behind either level: the exact reading is asked once for each.

    `paths` and `status` are what they say.
    """

    def __init__(self, known: Known) -> None:
        self.paths: list[str] = []
        self.status: list[float] = []
        self._known = known
        self._numbers = tuple(Learning() for _ in LEVELS)

    def now(self) -> tuple[Held, Held]:
        """The number of each tail so far, below zero where the line says something else."""
        plain, coloured = (numbers.now() for numbers in self._numbers)
        return plain, coloured

    def learn(self, level: int, text: bytes) -> bool:
        """Learns what a text says, which begins with its level and depends on nothing but its tail; whether it did."""
        numbers = self._numbers[level]
        middle = text.index(b" ", len(LEVELS[level]))
        tail = text[middle:]
        if tail in numbers or len(numbers) >= _MOST:
            return False
        body = tail.removesuffix(b"\r")
        plain = body.startswith(b' - "') and body.isascii() and body == body.rstrip()
        odd = b"[2" in body or b"@" in body or (b"\x1b" in body) != bool(level)
        answer = self._known.access((text[:middle] + body).decode("ascii")) if plain and not odd else None
        numbers.add(tail, len(self.paths) if answer else -1)
        if answer:
            self.paths.append(answer[0])
            self.status.append(answer[1])
        return True
