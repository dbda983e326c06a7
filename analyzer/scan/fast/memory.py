"""What the fast reading has learned from the exact one about the forms of lines; it grows with the forms, not lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from analyzer.scan.fast.template import template_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analyzer.evidence import Rank, Stamp
    from analyzer.scan.fast.run import Known
    from analyzer.scan.fast.template import Template

LEVELS = (b"INFO:     ", b"\x1b[32mINFO\x1b[0m:     ")  # uvicorn's, with and without colours
_MOST = 50_000  # forms of one kind; more than that are no forms
_MOST_TEMPLATES = 64
_LONGEST = 500
_DIGITS = b"0123456789"
_ANY_TIME = "[2000-01-01 00:00:00"


class Memory:
    """Asks the exact reading once for each form, and keeps the answer.

    `tails` says for what stands behind the address of an access line, by level, which of `paths` it has; -1 where it
    is no plain access line.
    """

    def __init__(self, known: Known) -> None:
        self.known = known
        self.templates: list[Template] = []
        self._ranks: dict[bytes, Rank | None] = {}
        self._stamps: dict[bytes, Stamp | None] = {}
        self.tails: dict[bytes, dict[bytes, int]] = {level: {} for level in LEVELS}
        self.paths: list[str] = []
        self._status: list[float] = []
        self._silent: dict[tuple[bytes, bytes], bool] = {}

    def stamp(self, opening: bytes) -> Stamp | None:
        """The time in the opening of a header, `[2025-11-02 10:15:42`."""
        if opening not in self._stamps:
            if len(self._stamps) >= _MOST:
                self._stamps.clear()
            header = self.known.header(opening.decode("ascii", "replace") + "] x")
            self._stamps[opening] = header[1] if header else None
        return self._stamps[opening]

    def rank(self, words: bytes) -> Rank | None:
        """The rank in what stands between a header's time and its bracket; `None` where the header is another one."""
        if words not in self._ranks:
            if len(self._ranks) >= _MOST:
                return None
            opening = f"{_ANY_TIME}{words.decode('ascii', 'replace')}] "
            header = self.known.header(opening + "x")
            whole = header and header[1] and header[0] == len(opening) and header[1].text == _ANY_TIME[1:]
            self._ranks[words] = header[2] if header and whole else None
        return self._ranks[words]

    def learn_access(self, level: bytes, beginning: bytes, tail: bytes) -> None:
        """Learns path and status of an access line, which depend on nothing but its `tail`, behind the address."""
        tails, coloured = self.tails[level], b"\x1b" in level
        if tail in tails or len(tails) >= _MOST:
            return
        body = tail.removesuffix(b"\r")
        plain = body.startswith(b' - "') and body.isascii() and body == body.rstrip()
        odd = b"[2" in body or b"@" in body or (b"\x1b" in body) != coloured
        answer = self.known.access((beginning + body).decode("ascii")) if plain and not odd else None
        tails[tail] = len(self.paths) if answer else -1
        if answer:
            self.paths.append(answer[0])
            self._status.append(answer[1])

    def status(self, answers: NDArray[np.int64]) -> NDArray[np.float64]:
        """The status of each access line."""
        return np.array(self._status, np.float64)[answers]

    def silent(self, message: bytes) -> bool:
        """Whether a headed line's message says nothing: no fact, no error, nothing that goes on."""
        if not message.isascii() or b"[" in message or message != message.strip() or len(message) > _LONGEST:
            return False
        form = (message[:4], message.translate(None, _DIGITS))
        answer = self._silent.get(form)
        if answer is None:
            if len(self._silent) >= _MOST:
                return False
            text = message.decode("ascii")
            answer = self._silent[form] = text.isprintable() and self.known.silent(text)
        return answer

    def learn(self, message: bytes) -> Template | None:
        """The form of a steady-state line that no template has."""
        head = next((head for head in self.known.heads if message.startswith(head.text.encode())), None)
        if head is None or len(self.templates) >= _MOST_TEMPLATES:
            return None
        template = template_of(message, head)
        if template:
            self.templates.append(template)
        return template
