"""Which lines say nothing, however their digits may read: found out once for each wording.

Whatever might be a header, a wrapper, a time, an echo, a snapshot or look like an error is left to the exact reading.
A line is silent only where no other digits, and no digits more or less, would change the answer; where a pattern may
claim it, the line is asked for by itself.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analyzer.expression import without_digits
from analyzer.layers import Peeler
from analyzer.parsers import argv
from analyzer.parsers.around import may_be_echo
from analyzer.parsers.blocks import has_bare_head
from analyzer.parsers.unclaimed import may_look_like_error
from analyzer.records import multiline
from analyzer.scan.silence import APART, ASK, COLOURED, EVENTS, KNOWN, LOUD, SILENT

if TYPE_CHECKING:
    from analyzer.catalog import Catalog, Claim
    from analyzer.catalog.match import Entry

_LONGEST = 2000  # bytes of a line that is worth remembering
_REMEMBERED = 8 * 1024  # wordings, and lines that had to be asked for by themselves
_WITHIN = 400
_FEW = 8
_DIGITS = b"0123456789"
_ALIKE = bytes.maketrans(b"123456789", b"000000000")
# A line that begins with anything else may be an echo, a banner, JSON, Markdown, another writer's prefix.
_OPENING = re.compile(r"[A-Za-z \t\r|%/.]|\[[A-Za-z]")
_HEADED = re.compile(r"\[(?:gpu|TP|DP|PP|EP|CP|ATTN|MOE|pod/)|[A-Z]+: {2,}|\. ")
# A time without its digits: `::`, which C++ has only behind a name or a closing bracket.
_TIME = re.compile(r"(?:^|[^A-Za-z_>)]|T)::")
_CODE = ("server_args", "File ", "Traceback (", " hit an exception: ", "Receive: ", "Finish: ", '"request.')
_GOES_ON = re.compile(r"\s|[A-Z]+:|Process |Python v|Thread ")


@dataclass(slots=True)
class _Question:
    """What single lines of a wording are to be asked: do they match one of `entries`; else they are of this kind.

    `looks` says that the wording looks like an error where no pattern explains it; `speaks` that one of its lines gave
    events. A line with one of the `beginnings` is explained. `alike`: those with digits in the same places have one
    answer.
    """

    entries: list[Entry]
    kind: int
    looks: bool
    alike: bool
    speaks: bool = False
    beginnings: tuple[bytes, ...] = ()


class Silent(dict[bytes, int]):
    """The verdict on every wording that was seen twice; a wording is a line's bytes without its digits.

    `on` is set by whoever has seen the head of the source: where it has a wrapper of its own, or its newest line first,
    single lines cannot be judged.
    """

    def __init__(self, catalog: Catalog) -> None:
        super().__init__()
        self.on = False
        self._peeler = Peeler()
        self._matcher = catalog.matcher
        self._heads = tuple(without_digits(head.text) for head in catalog.heads)
        self._once: set[bytes] = set()
        self._open: dict[bytes, _Question] = {}
        self._asked: dict[bytes, int] = {}
        self._speakers: dict[bytes, tuple[str, ...]] = {}

    def wear(self, peeler: Peeler) -> None:
        """Judges what is left of lines when this peeler has taken their wrappers off."""
        self._peeler = peeler

    def __missing__(self, bare: bytes) -> int:
        """Judges a wording when it comes for the second time."""
        if len(bare) > _LONGEST:
            return LOUD
        if len(self._once) >= _REMEMBERED:
            self._once.clear()
            self._open.clear()
            self.clear()
        if bare not in self._once:
            self._once.add(bare)
            return LOUD
        self[bare] = verdict = self._judge(bare)
        return verdict

    def ask(self, raw: bytes, bare: bytes) -> int:
        """What a line is that holds the literal of a pattern; for the exact reading where the pattern claims it."""
        question = self._open.get(bare) or self._opened(bare)
        if question.beginnings and raw.startswith(question.beginnings):
            return question.kind | KNOWN
        form = raw.translate(_ALIKE) if question.alike else raw
        kind = self._asked.get(form)
        if kind is None:
            kind = self._answer(raw, question)
            if len(self._asked) >= _REMEMBERED:
                self._asked.clear()
            if len(raw) <= _LONGEST:
                self._asked[form] = kind
        return kind

    def asks_alike(self, bare: bytes) -> bool:
        """Whether lines of a wording that is asked for have one answer where they have digits in the same places."""
        return (self._open.get(bare) or self._opened(bare)).alike

    def said(self, raw: bytes) -> tuple[str, list[Claim]]:
        """The text and the claims of a line that gives events."""
        text = raw.decode().rstrip()
        return text, self._matcher.claims(text)

    def speakers(self, raw: bytes) -> tuple[str, ...]:
        """The patterns of the claims of a line that gives events, one for each claim."""
        question = self._open.get(raw.translate(None, _DIGITS))
        if question is None or not question.alike:
            return tuple(claim.pattern.id for claim in self.said(raw)[1])
        form = raw.translate(_ALIKE)
        if form not in self._speakers:
            if len(self._speakers) >= _REMEMBERED:
                self._speakers.clear()
            self._speakers[form] = tuple(claim.pattern.id for claim in self.said(raw)[1])
        return self._speakers[form]

    def _answer(self, raw: bytes, question: _Question) -> int:
        try:
            text = self._peeler.peel(raw.decode()).text
        except UnicodeDecodeError:  # a digit stood inside a character
            return LOUD
        if question.speaks and self._gives_events(text, question.kind):
            return APART | KNOWN | EVENTS
        found = [entry for entry in question.entries if entry.matches(text)]
        if not found:
            return LOUD if question.looks else question.kind
        if all(_is_aside(entry) for entry in found):
            self._learn(question, found[0], text)
            return question.kind | KNOWN
        question.speaks = self._gives_events(text, question.kind)
        return APART | KNOWN | EVENTS if question.speaks else LOUD

    def _learn(self, question: _Question, entry: Entry, text: str) -> None:
        """Keeps a beginning by which every line of the wording is explained, whatever follows it."""
        if len(question.beginnings) < _FEW and not question.kind & COLOURED and all(map(_is_aside, question.entries)):
            beginning = entry.beginning(text)
            question.beginnings += (beginning.encode(),) if beginning else ()

    def _gives_events(self, text: str, kind: int) -> bool:
        """Whether a line gives events and nothing else, and is nobody's continuation."""
        if kind != APART and not (kind == SILENT and multiline.is_bar(text)):
            return False
        claims = self._matcher.claims(text)
        return bool(claims) and all(claim.pattern.event and not claim.pattern.private for claim in claims)

    def _opened(self, bare: bytes) -> _Question:
        """The question again, where it was forgotten."""
        self._judge(bare)
        return self._open[bare]

    def _judge(self, bare: bytes) -> int:
        try:
            text = bare.decode()
        except UnicodeDecodeError:
            return LOUD
        peeled = self._peeler.peel(text)
        if text.count("\x1b") != text.count("\x1b[") or set(peeled.names) - {"ansi"} or self._may_speak(peeled.text):
            return LOUD
        verdict = (SILENT if _joins(peeled.text) else APART) | (COLOURED if peeled.names else 0)
        looks = may_look_like_error(peeled.text[:_WITHIN])
        entries = self._matcher.possible(peeled.text)
        if not entries and (looks or text.isascii()):
            return LOUD if looks else verdict
        alike = all(entry.takes_digits_alike for entry in entries)
        self._open[bare] = _Question(entries, verdict, looks=looks, alike=alike)
        return ASK

    def _may_speak(self, text: str) -> bool:
        """Whether a line of this wording may be anything else than a text, explained or not."""
        return (
            _OPENING.match(text) is None
            or _HEADED.match(text) is not None
            or _TIME.search(text) is not None
            or may_be_echo(text)
            or text.endswith("\\")
            or text.startswith(self._heads)
            or multiline.is_chain(text)
            or multiline.is_below(f"{text} ")  # what it ends with may be a digit that is left out
            or argv.may_hold_command(text)
            or any(code in text for code in _CODE)
            or has_bare_head(text)
        )


def _joins(text: str) -> bool:
    """Whether a line of this wording may go on a message or a traceback before it."""
    return _GOES_ON.match(text) is not None or multiline.ends_traceback(text)


def _is_aside(entry: Entry) -> bool:
    """Whether the wording is explained and says nothing; only at its start is a line never a quotation."""
    return bool(entry.pattern.harmless) and entry.pattern.at == "start"
