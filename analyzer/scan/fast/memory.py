"""What the fast reading has learned from the exact one about the forms of lines; it grows with the forms, not lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.scan.fast.access import LEVELS, Tails
from analyzer.scan.fast.labels import Labels
from analyzer.scan.fast.template import template_of

if TYPE_CHECKING:
    from analyzer.evidence import Rank, Stamp
    from analyzer.scan.fast.run import Known
    from analyzer.scan.fast.template import Template

_MOST = 50_000  # forms of one kind; more than that are no forms
_MOST_TEMPLATES = 64
_DIGITS = b"0123456789"
_ANY_TIME = "[2000-01-01 00:00:00"


class Memory:
    """Asks the exact reading once for each form, and keeps the answer."""

    def __init__(self, known: Known) -> None:
        self.known = known
        self.templates: list[Template] = []
        self.labels = Labels()
        self.ranks: list[Rank] = []
        self._ranks: dict[bytes, int] = {}
        self._midnights: dict[bytes, float | None] = {}
        self._stamps: dict[bytes, Stamp | None] = {}
        self.tails = [Tails(level, known) for level in LEVELS]
        self._silent: dict[bytes, bool] = {}

    def stamp(self, opening: bytes) -> Stamp | None:
        """The time in the opening of a header, `[2025-11-02 10:15:42`."""
        if opening not in self._stamps:
            if len(self._stamps) >= _MOST:
                self._stamps.clear()
            header = self.known.header(opening.decode("ascii", "replace") + "] x")
            self._stamps[opening] = header[1] if header else None
        return self._stamps[opening]

    def midnight(self, date: bytes) -> float | None:
        """The seconds, as tables have them, at which the day of a header begins: `[2025-11-02 `."""
        if date not in self._midnights:
            if len(self._midnights) >= _MOST:
                self._midnights.clear()
            header = self.known.header(date.decode("ascii", "replace") + "00:00:00] x")
            self._midnights[date] = self.known.seconds(header[1]) if header and header[1] else None
        return self._midnights[date]

    def learn_rank(self, text: bytes, key: tuple[int, ...]) -> int:
        """The label, an index of `ranks`, of what stands behind a header's time, ` TP0] `; below zero: not known."""
        label = self._ranks.get(text)
        if label is None:
            rank = self._rank(text[:-2]) if text.endswith(b"] ") and len(self._ranks) < _MOST else None
            label = len(self.ranks) if rank is not None else -1
            if len(self._ranks) < _MOST:
                self._ranks[text] = label
            if rank is not None:
                self.ranks.append(rank)
        if label >= 0:
            self.labels.add(key, label)
        return label

    def _rank(self, words: bytes) -> Rank | None:
        """The rank in what stands between a header's time and its bracket; `None` where the header is another one."""
        opening = f"{_ANY_TIME}{words.decode('ascii', 'replace')}] "
        header = self.known.header(opening + "x")
        whole = header and header[1] and header[0] == len(opening) and header[1].text == _ANY_TIME[1:]
        return header[2] if header and whole else None

    def silent(self, message: bytes) -> bool:
        """Whether a headed line's message says nothing: no fact, no error, nothing that goes on.

        It must not begin with white space, nor have any at its end but a carriage return, and no digit among its first
        four bytes.
        """
        form = message.translate(None, _DIGITS)
        answer = self._silent.get(form)
        if answer is None:
            if len(self._silent) >= _MOST:
                return False
            answer = self._silent[form] = self._says_nothing(message.removesuffix(b"\r"))
        return answer

    def _says_nothing(self, message: bytes) -> bool:
        if not message.isascii() or b"[" in message:
            return False
        text = message.decode("ascii")
        return text.isprintable() and self.known.silent(text)

    def learn(self, message: bytes) -> Template | None:
        """The form of a steady-state line that no template has."""
        head = next((head for head in self.known.heads if message.startswith(head.text.encode())), None)
        if head is None or len(self.templates) >= _MOST_TEMPLATES:
            return None
        template = template_of(message, head)
        if template:
            self.templates.append(template)
        return template
