"""What the fast reading has learned from the exact one about the forms of lines; it grows with the forms, not lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from analyzer.scan.fast.compiled import address
from analyzer.scan.fast.forms import first_word, forms_of
from analyzer.scan.fast.layout import BEFORE, LEVEL, OPENING, REFUSED, Learned
from analyzer.scan.fast.lexicon import Learning
from analyzer.scan.fast.pairs import pairs_of
from analyzer.scan.fast.tails import LEVELS, Tails
from analyzer.scan.fast.template import template_of
from analyzer.scan.fast.wordings import DIGITS, Wordings
from analyzer.scan.run import Says
from analyzer.scan.silence import ASK, EVENTS, KNOWN, LOUD, SILENT
from analyzer.tables import OWN

if TYPE_CHECKING:
    from analyzer.evidence import Rank, Stamp
    from analyzer.scan.fast.pairs import Held as HeldPairs
    from analyzer.scan.fast.template import Template
    from analyzer.scan.fast.wrapping import Wrapping
    from analyzer.scan.run import Known
    from analyzer.scan.silence import Known as Silent

_MOST = 50_000  # forms of one kind; more than that are no forms
_MOST_TEMPLATES = 64
_MOST_DAYS = 1000
_MOST_TRACEBACKS = 500
_MOST_PAIRS = 1000  # all of which are laid out anew for one more
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
        self.wrapping: Wrapping | None = None
        self.templates: list[Template] = []
        self.ranks: list[Rank] = []
        self.tails = Tails(known)
        self._labels = Learning()
        self._messages, self._hushes = Wordings(), Wordings()
        self._speakers, self._tracebacks = Learning(), (Learning(), Learning())
        self._opened: set[int] = set()  # hashes of tracebacks that came once
        self._pairs: dict[tuple[int, int], int] = {}
        self._held_pairs: HeldPairs | None = None
        self._voices: dict[Says, int] = {}
        self._spoken: list[Says] = []
        self._midnights: dict[bytes, float] = {}
        self._stamps: dict[bytes, Stamp] = {}
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
            messages, hushes = self._messages.now(), self._hushes.now()
            plain, coloured = self.tails.now()
            speakers = self._speakers.now()
            bare, headed = (tracebacks.now() for tracebacks in self._tracebacks)
            self._held_pairs = pairs = self._held_pairs or pairs_of(self._pairs)
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
                messages.words,
                hushes.words,
                speakers.lexicon,
                headed.lexicon,
                bare.lexicon,
                pairs.pairs,
            )
            told = ranks, forms, plain, coloured, messages, hushes, speakers, headed, bare, pairs
            self._now = Held(learned, (days, midnights, *told, self))
        return self._now

    def columns(self, table: str) -> tuple[int, ...]:
        """The numbers that the values of a table's rows have which are there at all: first that of their form."""
        own = OWN[table]
        filled = {field.column for form in self.templates if form.table == table for field in form.fields}
        return 0, *(number for number, name in enumerate(own, 1) if name in filled)

    def time(self, opening: bytes) -> Stamp:
        """The time in the opening of a plain header, `[2025-11-02 10:15:42`. Raises `ValueError` where it is none."""
        if opening not in self._stamps:
            if len(self._stamps) >= _MOST:
                self._stamps.clear()
            header = self.known.header(opening.decode("ascii", "replace") + "] x")
            if not header or not header[1]:
                raise ValueError(f"no time: {opening!r}")
            self._stamps[opening] = header[1]
        return self._stamps[opening]

    def says(self, voice: int) -> Says:
        """What a line says that gives events or looks like an error, by the number of its form."""
        return self._spoken[voice]

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

        Or whether it says the same wherever it stands, and has to be asked for by itself. It must not begin with white
        space, nor have any at its end but a carriage return, and no digit among its first four bytes.
        """
        bare = message.translate(None, DIGITS)
        if bare in self._messages:
            return False
        flags, alike = self._kind(message.removesuffix(b"\r"))
        self._messages.add(bare, flags, alike=alike)
        self._now = None
        return True

    def _kind(self, message: bytes) -> tuple[int, bool]:
        if not message.isascii() or b"[" in message:
            return LOUD, False
        text = message.decode("ascii")
        if not text.isprintable() or not self.known.stands_alone(text):
            return LOUD, False
        return (SILENT, False) if self.known.silent(text) else (ASK, self.known.says_alike(text))

    def ask_message(self, message: bytes) -> int:
        """What a headed line's message is, where others of its wording may be something else: flags and their form.

        For the exact reading where it comes for the first time.
        """
        text = message.removesuffix(b"\r").decode("ascii")
        alike = self.known.says_alike(text)
        found = self._messages.get(message, alike=alike)
        if found is None and self._messages.comes_again(message, alike=alike):
            says = self.known.says(text)
            found = self._told(says, message) if says else LOUD
            self._now = None if self._messages.learn(message, found, alike=alike) else self._now
        return found or LOUD

    def _told(self, says: Says, message: bytes) -> int:
        flags = KNOWN if says.patterns else 0
        flags |= EVENTS if says.error or any(says.patterns) else SILENT
        voice = self._voice(says) if flags & EVENTS else 0
        return self._messages.answered(message, flags, voice)

    def learn_shape(self, said: bytes, *, headed: bool) -> bool:
        """Learns where the digits of a line are whose wording is known, or of a headed line's message."""
        learned = (self._messages if headed else self._hushes).learn_shape(said)
        self._now = None if learned else self._now
        return learned

    def learn_hush(self, line: bytes) -> bool:
        """Learns what lines without a header are that differ from this one in digits only; not by the first of them."""
        bare = line.translate(None, DIGITS)
        flags = self.silent[bare]
        if bare not in self.silent or bare in self._hushes:
            return False
        self._hushes.add(bare, flags, alike=bool(flags & ASK) and self.silent.asks_alike(bare))
        self._now = None
        return True

    def ask(self, line: bytes) -> int:
        """What a line without a header is, where others of its wording may be something else: flags and their form."""
        bare = line.translate(None, DIGITS)
        alike = self.silent.asks_alike(bare)
        found = self._hushes.get(line, alike=alike)
        if found is None:
            flags = self.silent.ask(line, bare)
            voice = self._voice(Says(self.silent.speakers(line))) if flags & EVENTS else 0
            found = self._hushes.answered(line, flags, voice)
            if self._hushes.comes_again(line, alike=alike) and self._hushes.learn(line, found, alike=alike):
                self._now = None
        return found

    def _voice(self, says: Says) -> int:
        """The number of what lines say."""
        if says not in self._voices:
            self._voices[says] = len(self._spoken)
            self._spoken.append(says)
        return self._voices[says]

    def learn_speaker(self, beginning: bytes) -> bool:
        """Learns what requests and answers begin with, up to the user's text."""
        if beginning in self._speakers or len(self._speakers) >= _MOST:
            return False
        self._speakers.add(beginning, len(self._speakers))
        self._now = None
        return True

    def learn_traceback(self, raw: bytes, *, headed: bool) -> int:
        """The number of a traceback that was seen before, lines from its message on; `REFUSED` where it was not.

        As it is where the lines are not one record by themselves.
        """
        learning = self._tracebacks[headed]
        number = learning.get(raw)
        if number is None:
            if len(learning) >= _MOST_TRACEBACKS or not self._comes_again(raw):
                return REFUSED
            number = len(learning) if self.known.unit(raw, headed=headed) else REFUSED
            learning.add(raw, number)
            self._now = None
        return number

    def _comes_again(self, raw: bytes) -> bool:
        if len(self._opened) >= _MOST:
            self._opened.clear()
        before = len(self._opened)
        self._opened.add(hash(raw))
        return len(self._opened) == before

    def learn_pair(self, row: int, wording: int, text: str, *, joins: bool) -> None:
        """Learns whether a line goes on a row and changes nothing in it, where that holds for all of both wordings."""
        if self.known.joins_alike(text):
            self._learn_pair(row, wording, joins)

    def learn_before(self, row: int, *, expects: bool) -> None:
        """Learns whether a traceback behind an access line belongs to it."""
        self._learn_pair(row, BEFORE, expects)

    def _learn_pair(self, row: int, wording: int, answer: bool) -> None:  # noqa: FBT001 - kept as it is
        if len(self._pairs) < _MOST_PAIRS:
            self._pairs[row, wording] = int(answer)
            self._held_pairs = None
            self._now = None

    def learn_form(self, message: bytes) -> bool:
        """Learns the form of a batch line that no template has."""
        head = next((head for head in self.known.heads if message.startswith(head.text.encode())), None)
        if head is None or len(self.templates) >= _MOST_TEMPLATES:
            return False
        expects = self.known.may_expect_traceback(message.decode("ascii", "replace"))
        template = None if expects else template_of(message, head)
        if template:
            self.templates.append(template)
            self._now = None
        return template is not None
