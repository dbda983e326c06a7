"""What the fast reading has learned from the exact one about the forms of lines; it grows with the forms, not lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from analyzer.scan.fast.compiled import address
from analyzer.scan.fast.forms import first_word, forms_of
from analyzer.scan.fast.layout import LEVEL, OPENING, Learned
from analyzer.scan.fast.lexicon import Learning
from analyzer.scan.fast.tails import LEVELS, Tails
from analyzer.scan.fast.template import template_of
from analyzer.tables import OWN

if TYPE_CHECKING:
    from analyzer.evidence import Rank, Stamp
    from analyzer.scan.fast.template import Template
    from analyzer.scan.run import Known
    from analyzer.scan.silence import Known as Silent

_MOST = 50_000  # forms of one kind; more than that are no forms
_MOST_TEMPLATES = 64
_MOST_DAYS = 1000
_DIGITS = b"0123456789"
_ANY_TIME = "[2000-01-01 00:00:00"
_DATE = len("[2025-11-02 ")


class Held(NamedTuple):
    """What was learned, and the arrays that it tells the addresses of."""

    learned: Learned
    arrays: tuple[object, ...]


class Memory:
    """Asks the exact reading once for each form, and keeps the answer.

    Every `learn...` says whether the line it was asked for can now be told.
    """

    def __init__(self, known: Known, silent: Silent) -> None:
        self.known = known
        self.silent = silent
        self.templates: list[Template] = []
        self.ranks: list[Rank] = []
        self.tails = Tails(known)
        self._labels = Learning()
        self._wordings = Learning(bare=True)
        self._hushes = Learning(bare=True)
        self._midnights: dict[bytes, float] = {}
        self._stamps: dict[bytes, Stamp | None] = {}
        self._heads = np.array(sorted({first_word(head.text.encode()) for head in known.heads}), np.uint64)
        self._levels = np.frombuffer(b"".join(level.ljust(LEVEL, b"\0") for level in LEVELS), np.uint8)
        self._sizes = np.array([len(level) for level in LEVELS], np.int64)
        self._now: Held | None = None

    def now(self) -> Held:
        """All that is known so far; it stays as it is when more is learned."""
        if self._now is None:
            dates = [[first_word(date[:8]), first_word(date[8:])] for date in self._midnights]
            days, midnights = np.array([*dates, [0, 0]], np.uint64), np.array([*self._midnights.values(), 0.0])
            ranks, forms = self._labels.now(), forms_of(self.templates)
            wordings, hushes = self._wordings.now(), self._hushes.now()
            plain, coloured = self.tails.now()
            learned = Learned(
                len(dates),
                address(days),
                address(midnights),
                ranks.lexicon,
                len(self._heads),
                address(self._heads),
                forms.forms,
                address(self._levels),
                address(self._sizes),
                plain.lexicon,
                coloured.lexicon,
                wordings.lexicon,
                hushes.lexicon,
            )
            self._now = Held(learned, (days, midnights, ranks, wordings, hushes, forms, plain, coloured, self))
        return self._now

    def columns(self, table: str) -> tuple[int, ...]:
        """The numbers that the values of a table's rows have which are there at all: first that of their form."""
        own = OWN[table]
        filled = {field.column for form in self.templates if form.table == table for field in form.fields}
        return 0, *(number for number, name in enumerate(own, 1) if name in filled)

    def stamp(self, opening: bytes) -> Stamp | None:
        """The time in the opening of a header, `[2025-11-02 10:15:42`."""
        if opening not in self._stamps:
            if len(self._stamps) >= _MOST:
                self._stamps.clear()
            header = self.known.header(opening.decode("ascii", "replace") + "] x")
            self._stamps[opening] = header[1] if header else None
        return self._stamps[opening]

    def learn_day(self, opening: bytes) -> bool:
        """Learns when the day in the opening of a header begins, in seconds as tables have them; NaN: it is no day."""
        date = opening[:_DATE]
        if date in self._midnights or len(self._midnights) >= _MOST_DAYS:
            return False
        header = self.known.header(date.decode("ascii", "replace") + "00:00:00] x")
        self._midnights[date] = self.known.seconds(header[1]) if header and header[1] else np.nan
        self._now = None
        return True

    def learn_rank(self, line: bytes) -> bool:
        """Learns the label, an index of `ranks`, of what stands behind a header's time, ` TP0`; below zero: no rank."""
        words = line[OPENING : line.index(b"]")]
        if words in self._labels or len(self._labels) >= _MOST:
            return False
        rank = self._rank(words)
        self._labels.add(words, -1 if rank is None else len(self.ranks))
        self.ranks += [] if rank is None else [rank]
        self._now = None
        return True

    def _rank(self, words: bytes) -> Rank | None:
        """The rank in what stands between a header's time and its bracket; `None` where the header is another one."""
        opening = f"{_ANY_TIME}{words.decode('ascii', 'replace')}] "
        header = self.known.header(opening + "x")
        whole = header and header[1] and header[0] == len(opening) and header[1].text == _ANY_TIME[1:]
        return header[2] if header and whole else None

    def learn_tail(self, level: int, text: bytes) -> bool:
        """Learns what an access line says: a text that begins with its level."""
        learned = self.tails.learn(level, text)
        self._now = None if learned else self._now
        return learned

    def learn_wording(self, message: bytes) -> bool:
        """Learns whether a headed line's message says nothing: no fact, no error, nothing that goes on.

        It must not begin with white space, nor have any at its end but a carriage return, and no digit among its first
        four bytes.
        """
        bare = message.translate(None, _DIGITS)
        if bare in self._wordings or len(self._wordings) >= _MOST:
            return False
        self._wordings.add(bare, int(self._says_nothing(message.removesuffix(b"\r"))))
        self._now = None
        return True

    def _says_nothing(self, message: bytes) -> bool:
        if not message.isascii() or b"[" in message:
            return False
        text = message.decode("ascii")
        return text.isprintable() and self.known.silent(text)

    def learn_hush(self, line: bytes) -> bool:
        """Learns what lines without a header are that differ from this one in digits only; not by the first of them."""
        bare = line.translate(None, _DIGITS)
        flags = self.silent[bare]
        if bare not in self.silent or bare in self._hushes or len(self._hushes) >= _MOST:
            return False
        self._hushes.add(bare, flags)
        self._now = None
        return True

    def ask(self, line: bytes) -> int:
        """What this line without a header is, where others of its wording may be something else: its flags."""
        return self.silent.ask(line, line.translate(None, _DIGITS))

    def learn_form(self, message: bytes) -> bool:
        """Learns the form of a batch line that no template has."""
        head = next((head for head in self.known.heads if message.startswith(head.text.encode())), None)
        if head is None or len(self.templates) >= _MOST_TEMPLATES:
            return False
        template = template_of(message, head)
        if template:
            self.templates.append(template)
            self._now = None
        return template is not None
