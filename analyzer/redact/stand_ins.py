"""The book of what is private: learned from every text first, then replaced by the same stand-in everywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import regex

from analyzer.redact.addresses import addresses
from analyzer.redact.folders import folders
from analyzer.redact.forms import shipped
from analyzer.redact.numbering import Numbering
from analyzer.redact.own_words import distinctive
from analyzer.redact.places import alnum, lowered, places

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from analyzer.redact.folders import Pieces
    from analyzer.redact.forms import Forms
    from analyzer.redact.numbering import Key

# From where to where a text is replaced, and by what.
Cut = tuple[int, int, "Pieces"]

_STAND_IN: Final = regex.compile(
    r"(?<![0-9A-Za-z])(?:(?P<kind>user|host|domain|mail|folder|mac|secret|prompt|tokens)-(?P<number>\d{1,6})|addr6?(?:-\d{1,6})+)"
)
_HOST: Final = regex.compile(r"[\w.-]*[a-z][\w.-]*")
# What stands for a sign of a secret in a line that is still to be cut; of the private use area: no log prints it.
COVER: Final = "\ue000"
_RUN: Final = regex.compile(r"[0-9a-z]+")
# Shorter values are replaced only where something says what they are.
_LEAST: Final = {"secret": 8, "prompt": 16}
_FRAGMENTS: Final = range(4, 80)
_MAY_BE_CUT: Final = 120


class StandIns:
    """Private values of some kinds, each with one stand-in: `host-1` is the same host wherever it is met.

    `used` holds, by kind, every stand-in that was put somewhere with the texts that it stands for.
    """

    def __init__(self, kinds: frozenset[str]) -> None:
        self.used: dict[str, dict[str, set[str]]] = {}
        self._kinds = kinds
        self._forms = shipped()
        self._numbers = Numbering()
        self._everywhere: dict[str, Pieces] = {}
        self._in_context: set[str] = set()
        self._full_names: dict[str, set[str]] = {}

    def read(self, *texts: str, kinds: frozenset[str] | None = None) -> None:
        """Learns what is private in the texts; only of some kinds where these are given."""
        lines = dict.fromkeys(line for text in texts for line in text.split("\n"))  # what is quoted overlaps
        forms = self._forms.among("\n".join(lines))
        for text in texts:
            self._read(text, forms, self._kinds if kinds is None else kinds)

    def _read(self, text: str, forms: Forms, kinds: frozenset[str]) -> None:
        for kind, start, end in forms.parts(text, kinds):
            self._learn(kind, text[start:end])
        if "host" in self._kinds:
            self._everywhere |= {found.text.lower(): (found.key,) for found in addresses(text)}
        for taken in _STAND_IN.finditer(text):
            if taken["kind"] is not None:
                self._numbers.reserve(taken["kind"], int(taken["number"]))

    def name(self, kind: str, value: str) -> None:
        """Learns a value that is known to be of this kind."""
        if not self._forms.kept(kind, value):
            self._learn(kind, value)

    def _learn(self, kind: str, value: str) -> None:
        if kind in {"home", "model"}:
            self._everywhere |= folders(value, self._forms.kept, whole=kind == "model")
            return
        key = _key(kind, value)
        if key is None:
            return
        name = key[1]
        if kind == "tokens" or len(name) < _LEAST.get(kind, 0) or not distinctive(name):
            self._in_context.add(name)
            return
        self._everywhere[name] = (key,)
        if kind == "host" and "." in name:
            self._learn_host(name)
        if kind == "mail":
            person, _, domain = name.rpartition("@")
            self._learn_domain(domain)
            if "." in person:  # first and last name: an account elsewhere
                self.name("user", person)

    def _learn_host(self, full_name: str) -> None:
        """The first label of a full name is the same host where it is telling; the rest is whose network it is."""
        short, _, domain = full_name.partition(".")
        self._full_names.setdefault(short, set()).add(full_name)
        if any(c.isdigit() or c == "-" for c in short) and distinctive(short):
            self._everywhere.setdefault(short, (("host", short),))
        self._learn_domain(domain)

    def _learn_domain(self, domain: str) -> None:
        if "." in domain and not self._forms.kept("host", domain):
            self._everywhere.setdefault(domain, (("domain", domain),))

    def rewriter(self, texts: Iterable[str]) -> Callable[[str], str]:
        """A function that rewrites any of these texts with stand-ins for all that was learned."""
        names = self._among("\n".join(texts))
        sizes = {name: range(_FRAGMENTS.start, min(_FRAGMENTS.stop, len(name))) for name in self._everywhere}
        heads = {name[:n]: name for name, cuts in sizes.items() for n in cuts}
        tails = {name[-n:]: name for name, cuts in sizes.items() for n in cuts}

        def rewrite(text: str) -> str:
            cuts = [*self._in_form(text), *self._literal(names, text)]
            if len(text) >= _MAY_BE_CUT:
                cuts += self._fragments(text, heads, tails)
            return self._applied(text, cuts)

        return rewrite

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Where something private stands in a text."""
        said = [(start, end) for _, start, end in self._forms.parts(text, self._kinds)]
        return said + [(start, end) for start, end, _ in places(self._among(text), text)]

    def left_in(self, text: str) -> list[str]:
        """What a text still holds of all that was learned."""
        lower, found = text.lower(), {text[start:end] for start, end, _ in places(self._among(text), text)}
        if any(value in lower for value in self._in_context):
            said = (text[start:end] for _, start, end in self._forms.parts(text, self._kinds))
            found |= {value for value in said if value.lower() in self._in_context}
        return sorted(found)

    def _among(self, text: str) -> list[str]:
        """What can occur in a text: every run of letters and digits of it does."""
        if not self._everywhere:
            return []
        lower = text.lower()
        runs = set(_RUN.findall(lower))
        return [name for name in self._everywhere if runs.issuperset(_RUN.findall(name)) and name in lower]

    def _in_form(self, text: str) -> Iterator[Cut]:
        for kind, start, end in self._forms.parts(text, self._kinds - {"home", "model"}):
            key = _key(kind, text[start:end])
            if key is not None:
                yield start, end, (key,)

    def _literal(self, names: list[str], text: str) -> Iterator[Cut]:
        for start, end, name in places(names, text):
            yield start, end, self._everywhere[name]

    def _fragments(self, text: str, heads: dict[str, str], tails: dict[str, str]) -> Iterator[Cut]:
        """A name that the text was cut within, at either end of it."""
        lower, end = lowered(text), len(text)
        for n in _FRAGMENTS:
            tail, head = lower[end - n :], lower[:n]
            if tail in heads and not alnum(text[end - n - 1]) and distinctive(tail):
                yield end - n, end, self._everywhere[heads[tail]]
            if head in tails and not alnum(text[n]) and distinctive(head):
                yield 0, n, self._everywhere[tails[head]]

    def _applied(self, text: str, cuts: list[Cut]) -> str:
        """The text with its cuts replaced; where two overlap, the first and longer one stands for both."""
        made, at = [], 0
        for start, end, pieces in sorted(cuts, key=lambda cut: (cut[0], -cut[1])):
            if start >= at:
                made += [text[at:start], self._filled(pieces, text[start:end])]
            at = max(at, end)
        return "".join([*made, text[at:]])

    def _filled(self, pieces: Pieces, original: str) -> str:
        alone = len(pieces) == 1
        return "".join(
            piece if isinstance(piece, str) else self._stand_in(piece, original if alone else piece[1])
            for piece in pieces
        )

    def _stand_in(self, key: Key, original: str) -> str:
        if key[0] == "host" and "." in key[1]:
            short = key[1].partition(".")[0]
            alone = self._full_names.get(short) == {key[1]} and short in self._everywhere
            key = ("host", short) if alone else key
        made = self._numbers.stand_in(key)
        self.used.setdefault(key[0], {}).setdefault(made, set()).add(original)
        return made


def _key(kind: str, value: str) -> Key | None:
    """The key of a value; `None` for a stand-in, whole or cut, what is covered, what is no such name."""
    name = value.lower()
    name = name.rstrip(".+-_") if kind in {"user", "host"} else name.strip("\\\"'") if kind == "prompt" else name
    cut = len(name) > 1 and f"{kind}-1".startswith(name)
    if not name or cut or COVER in name or _STAND_IN.fullmatch(name) or (kind == "host" and not _HOST.fullmatch(name)):
        return None
    return (kind, name)
