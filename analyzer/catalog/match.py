"""Which patterns claim a record: literals first, then the regexes of those whose literal is there.

Nothing is claimed inside a request that the log dumps, nor inside a string of a traceback's source lines.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from analyzer.catalog import wording
from analyzer.expression import without_digits

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import regex

    from analyzer.catalog.definition import Pattern, Variant

LONGEST: Final = 64 * 1024  # characters of a text that a regex sees
_SECONDS: Final = 1.0  # after which a regex is given up; no shipped pattern comes near it
_KEY: Final = 4  # characters by which wordings with a fixed beginning are indexed
_SHORT: Final = 1000  # characters of a text that is worth remembering
_REMEMBERED: Final = 16 * 1024  # texts
_REPEATS: Final = 4096  # records whose claims are remembered: every rank says the same
_FEW: Final = 16  # further lines of a record that is worth remembering
_GRAM: Final = 3
_PLACES: Final = {"exception": 1, "record": 2}  # in _Possible; all others go to its first

# A request or an answer printed into the log: what follows is a user's text.
_DUMPS: Final = ("Receive: obj=", "Finish: obj=", '"request.received"', '"request.finished"')
_EXCEPTION: Final = re.compile(r"[A-Za-z_][\w.]*(?:: |:?$)")
_LOOKS_FURTHER: Final = re.compile(r"\$|\\[bBZzGK]|\(\?>|[+*?}]\+|\(\?[a-zA-Z]")  # than the match: ends, atomic groups
_HIT: Final = " hit an exception: "


class Claim(NamedTuple):
    """A pattern's match: the captures that took part, and where in which text of the record they stand."""

    pattern: Pattern
    variant: Variant
    values: dict[str, str]
    subject: str
    start: int
    end: int

    @property
    def gives(self) -> str:
        """The pattern of the event that the claim gives; empty where it gives none."""
        return self.pattern.id if self.pattern.event and not self.pattern.table else ""


class Entry(NamedTuple):
    """One wording of a pattern."""

    pattern: Pattern
    variant: Variant

    @property
    def takes_digits_alike(self) -> bool:
        """Whether texts that differ in their digits only, and have as many in the same places, all match or none."""
        told = any(character.isdigit() for literal in self.variant.literals for character in literal)
        return not told and wording.takes_digits_alike(self.variant.regex)

    def matches(self, text: str) -> bool:
        """Whether a text is, or holds, the wording; whether it is a claim on a record is another matter."""
        return any(literal in text for literal in self.variant.literals) and bool(
            _matches(self.pattern, self.variant, text)
        )

    def beginning(self, text: str) -> str:
        """What of a text the wording at its start needs, so that every text with this beginning has it, or nothing."""
        if self.pattern.at != "start" or _LOOKS_FURTHER.search(self.variant.regex):
            return ""
        found = _matches(self.pattern, self.variant, text)
        beginning = text[: found[0].end()] if found else ""
        return beginning if any(literal in beginning for literal in self.variant.literals) else ""


class _Possible(NamedTuple):
    """The entries that a text may satisfy: by itself, as a line that names an exception, as a whole record."""

    loose: list[Entry]
    exceptions: list[Entry]
    records: list[Entry]


class _Index:
    """Entries by the literals that a text must contain, all looked for at once by three characters of each.

    Lines that differ in their digits only are asked once: the answer may hold entries whose literal is not there,
    never misses one, and is remembered.
    """

    def __init__(self) -> None:
        self._entries: dict[tuple[int, str], list[Entry]] = {}
        self._by_gram: dict[str, list[tuple[int, int, str]]] = {}  # the number of an entry, its place, its literal
        self._known: dict[str, _Possible] = {}

    def add(self, entry: Entry) -> None:
        """Takes an entry in; the literals of a place stay in their order, and so do the entries of a literal."""
        place = _PLACES.get(entry.pattern.at, 0)
        for literal in {without_digits(literal): None for literal in entry.variant.literals}:
            entries = self._entries.setdefault((place, literal), [])
            if not entries:
                self._by_gram.setdefault(literal[:_GRAM], []).append((len(self._entries), place, literal))
            entries.append(entry)

    def possible(self, bare: str) -> _Possible:
        """The entries that a text may satisfy, in their order; `bare` is the text without its digits."""
        found = self._known.get(bare)
        if found is None:
            found = self._found(bare)
            if len(bare) <= _SHORT:
                if len(self._known) >= _REMEMBERED:
                    self._known.clear()
                self._known[bare] = found
        return found

    def _found(self, bare: str) -> _Possible:
        grams = set(map("".join, zip(bare, bare[1:], bare[2:], strict=False)))
        shared = [*(grams & self._by_gram.keys()), *(gram for gram in self._by_gram if len(gram) < _GRAM)]
        found = _Possible([], [], [])
        for _, place, literal in sorted(one for gram in shared for one in self._by_gram[gram] if one[2] in bare):
            found[place].extend(self._entries[place, literal])
        return found


class Matcher:
    """The regex patterns of a catalog, indexed by what a text must contain."""

    def __init__(self, patterns: Iterable[Pattern]) -> None:
        self._begins: dict[str, list[Entry]] = {}
        self._index = _Index()
        self._said: dict[tuple[str, ...], list[Claim]] = {}
        for pattern in patterns:
            for variant in pattern.variants:
                self._add(Entry(pattern, variant))

    def claims(self, text: str, more: Sequence[str] = ()) -> list[Claim]:
        """Every claim on a record of `text` and its further lines, in the order of the patterns.

        A pattern at the start, of an exception or of a record claims once, by the first variant that matches;
        one that may stand anywhere claims every place where it matches.
        """
        if len(text) > _SHORT or len(more) > _FEW:
            return self._claims(text, more)
        record = (text, *more)
        found = self._said.get(record)
        if found is None:
            found = self._claims(text, more)
            if len(self._said) >= _REPEATS:
                self._said.clear()
            self._said[record] = found
        return found

    def _claims(self, text: str, more: Sequence[str]) -> list[Claim]:
        text = text[:LONGEST]
        if text.startswith(_DUMPS):  # nothing behind the marker is the server's own word
            begun = _claimed(self._begins.get(text[:_KEY], ()), text)
            return [claim for claim in begun if not _is_quoted(claim)]
        whole = whole_text(text, more) if more else text
        bare = without_digits(text)
        possible = self._index.possible(bare)
        found = list(_claimed((*self._begins.get(text[:_KEY], ()), *possible.loose), text))
        for line in exception_lines(text, more):
            found += _claimed(self._index.possible(without_digits(line)).exceptions, line)
        if more:
            possible = self._index.possible(without_digits(whole))
        found += _claimed(possible.records, whole)
        return [claim for claim in found if not _is_quoted(claim)]

    def may_claim(self, text: str) -> bool:
        """Whether a record of this text, or of one that differs in digits only, may be claimed."""
        return bool(self.possible(text))

    def may_claim_record(self, text: str) -> bool:
        """Whether a pattern of whole records may claim one for this line, or one that differs in digits only, in it."""
        return bool(self._index.possible(without_digits(text)).records)

    def possible(self, text: str) -> list[Entry]:
        """All wordings that may claim a record of this text, or of one that differs in digits only."""
        bare = without_digits(text)
        found = [
            entry
            for key, entries in self._bare_begins.items()
            if bare.startswith(key)
            for entry in entries
            if any(without_digits(literal) in bare for literal in entry.variant.literals)
        ]
        possible = self._index.possible(bare)
        raised = _HIT in bare or _EXCEPTION.match(bare) is not None
        return [*found, *possible.loose, *possible.records, *(possible.exceptions if raised else [])]

    @cached_property
    def _bare_begins(self) -> dict[str, list[Entry]]:
        found: dict[str, list[Entry]] = {}
        for key, entries in self._begins.items():
            found.setdefault(without_digits(key), []).extend(entries)
        return found

    def _add(self, entry: Entry) -> None:
        beginning = wording.first_text(entry.variant.regex)[:_KEY] if entry.pattern.at == "start" else ""
        if len(beginning) == _KEY:
            self._begins.setdefault(beginning, []).append(entry)
            return
        self._index.add(entry)


def exception_lines(text: str, more: Sequence[str]) -> list[str]:
    """The `Type: message` lines of a record: the one that it consists of, or those that end its tracebacks."""
    if (more or _HIT in text) and _dumps(text):
        return []
    head = text.partition(_HIT)[2] or text
    found = [head] if _EXCEPTION.match(head) else []
    before = text
    for line in more:
        follows = before[:1].isspace() or before.endswith("(most recent call last):")
        if follows and not line[:1].isspace() and _EXCEPTION.match(line):
            found.append(line[:LONGEST])
        before = line
    if not found and more and _EXCEPTION.match(more[-1]) and any(line.startswith('File "') for line in more):
        found.append(more[-1][:LONGEST])  # cloud exports strip the indentation of every line
    return found


def whole_text(text: str, more: Sequence[str]) -> str:
    """The record over its line breaks, without the frames of a traceback and their source lines."""
    framed = any(line.startswith('  File "') for line in more)
    kept = [line for line in more if not line[:1].isspace()] if framed else more
    return "\n".join((text, *kept))[:LONGEST]


def _claimed(entries: Iterable[Entry], text: str) -> Iterator[Claim]:
    done: dict[str, list[tuple[int, int]]] = {}
    for pattern, variant in entries:
        spans = done.setdefault(pattern.id, [])
        if spans and pattern.at != "anywhere":
            continue
        if not any(literal in text for literal in variant.literals):
            continue
        for match in _matches(pattern, variant, text):
            start, end = match.span()
            if all(end <= first or start >= last for first, last in spans):
                spans.append((start, end))
                taken = {name: value for name, value in match.groupdict().items() if value is not None}
                yield Claim(pattern, variant, taken, text, start, end)


def _matches(pattern: Pattern, variant: Variant, text: str) -> list[regex.Match[str]]:
    expression = wording.compiled(variant.regex)
    # Without `concurrent=False` each match lets go of the interpreter's lock, and waits for it beside busy threads.
    try:
        if pattern.at == "anywhere":
            return list(expression.finditer(text, timeout=_SECONDS, concurrent=False))
        search = expression.search if pattern.at == "record" else expression.match
        found = search(text, timeout=_SECONDS, concurrent=False)
    except TimeoutError:
        return []
    return [found] if found else []


def _dumps(text: str) -> bool:
    return any(marker in text for marker in _DUMPS)


def _is_quoted(claim: Claim) -> bool:
    """Whether the claim stands in a dumped request, or in a string of a source line that a traceback printed."""
    if claim.pattern.event == "RequestLogged":
        return False
    if _dumps(claim.subject[: claim.end]):
        return True
    before = claim.subject[: claim.start]
    line = before[before.rfind("\n") + 1 :]
    return line.startswith("    ") and (line.count('"') % 2 == 1 or line.count("'") % 2 == 1)
