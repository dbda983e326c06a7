"""Which patterns claim a record: literals first, then the regexes of those whose literal is there.

Nothing is claimed inside a request that the log dumps, nor inside a string of a traceback's source lines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import regex

from analyzer.catalog import wording

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from analyzer.catalog.definition import Pattern, Variant

LONGEST: Final = 64 * 1024  # characters of a text that a regex sees
_SECONDS: Final = 1.0  # after which a regex is given up; no shipped pattern comes near it
_KEY: Final = 4  # characters by which wordings with a fixed beginning are indexed
_NO_DIGITS: Final = str.maketrans("", "", "0123456789")
_SHORT: Final = 1000  # characters of a text that is worth remembering
_REMEMBERED: Final = 16 * 1024  # texts

# A request or an answer printed into the log: what follows is a user's text.
_DUMPS: Final = ("Receive: obj=", "Finish: obj=", '"request.received"', '"request.finished"')
_EXCEPTION: Final = regex.compile(r"[A-Za-z_][\w.]*(?:: |:?$)")
_HIT: Final = " hit an exception: "


class Claim(NamedTuple):
    """A pattern's match: the captures that took part, and where in which text of the record they stand."""

    pattern: Pattern
    variant: Variant
    values: dict[str, str]
    subject: str
    start: int
    end: int


class _Entry(NamedTuple):
    pattern: Pattern
    variant: Variant


class _Index:
    """Entries by the literals that a text must contain.

    Lines that differ in their digits only are asked once: the answer may hold entries whose literal is not there,
    never misses one, and is remembered.
    """

    def __init__(self) -> None:
        self._entries: dict[str, list[_Entry]] = {}
        self._known: dict[str, list[_Entry]] = {}

    def add(self, entry: _Entry) -> None:
        for literal in entry.variant.literals:
            self._entries.setdefault(literal.translate(_NO_DIGITS), []).append(entry)

    def possible(self, bare: str) -> list[_Entry]:
        """The entries that a text may satisfy; `bare` is the text without its digits."""
        found = self._known.get(bare)
        if found is None:
            found = [entry for literal, entries in self._entries.items() if literal in bare for entry in entries]
            if len(bare) <= _SHORT:
                if len(self._known) >= _REMEMBERED:
                    self._known.clear()
                self._known[bare] = found
        return found


class Matcher:
    """The regex patterns of a catalog, indexed by what a text must contain."""

    def __init__(self, patterns: Iterable[Pattern]) -> None:
        self._begins: dict[str, list[_Entry]] = {}
        self._loose = _Index()
        self._exceptions = _Index()
        self._records = _Index()
        for pattern in patterns:
            for variant in pattern.variants:
                self._add(_Entry(pattern, variant))

    def claims(self, text: str, more: Sequence[str] = ()) -> list[Claim]:
        """Every claim on a record of `text` and its further lines, in the order of the patterns.

        A pattern at the start, of an exception or of a record claims once, by the first variant that matches;
        one that may stand anywhere claims every place where it matches.
        """
        text = text[:LONGEST]
        if text.startswith(_DUMPS):  # nothing behind the marker is the server's own word
            begun = _claimed(self._begins.get(text[:_KEY], ()), text)
            return [claim for claim in begun if not _is_quoted(claim)]
        whole = whole_text(text, more) if more else text
        bare = text.translate(_NO_DIGITS)
        found = list(_claimed((*self._begins.get(text[:_KEY], ()), *self._loose.possible(bare)), text))
        for line in exception_lines(text, more):
            found += _claimed(self._exceptions.possible(line.translate(_NO_DIGITS)), line)
        found += _claimed(self._records.possible(whole.translate(_NO_DIGITS) if more else bare), whole)
        return [claim for claim in found if not _is_quoted(claim)]

    def may_claim(self, text: str) -> bool:
        """Whether a record of this text, or of one that differs in digits only, may be claimed."""
        bare = text.translate(_NO_DIGITS)
        indexes = (self._loose, self._exceptions, self._records)
        return text[:_KEY] in self._begins or any(index.possible(bare) for index in indexes)

    def _add(self, entry: _Entry) -> None:
        at, variant = entry.pattern.at, entry.variant
        beginning = wording.first_text(variant.regex)[:_KEY] if at == "start" else ""
        if len(beginning) == _KEY:
            self._begins.setdefault(beginning, []).append(entry)
            return
        index = {"exception": self._exceptions, "record": self._records}.get(at, self._loose)
        index.add(entry)


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


def _claimed(entries: Iterable[_Entry], text: str) -> Iterator[Claim]:
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
    try:
        if pattern.at == "anywhere":
            return list(expression.finditer(text, timeout=_SECONDS))
        found = (
            expression.search(text, timeout=_SECONDS)
            if pattern.at == "record"
            else expression.match(text, timeout=_SECONDS)
        )
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
