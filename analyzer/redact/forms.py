"""What private things look like: the expressions of `patterns/secrets/`, and the values that are none."""

from __future__ import annotations

from dataclasses import field, replace
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

import tomli

from analyzer.catalog.load import shipped_folder
from analyzer.catalog.node import Node
from analyzer.catalog.wording import compiled, names
from analyzer.immutable import immutable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SECRETS: Final = frozenset({"secret", "prompt", "tokens"})
IDENTITIES: Final = frozenset({"user", "host", "mail", "home", "model"})
_BEFORE: Final = 40
_SHORT: Final = 4000  # characters of a text that is worth remembering
_REMEMBERED: Final = 4096  # texts: what is quoted is looked through several times
_KINDS: Final = SECRETS | IDENTITIES


@immutable
class Sample:
    """A line with the values in it that are private, in order; none in a decoy."""

    line: str
    hides: tuple[str, ...] = ()


@immutable
class Form:
    """One way in which something private is printed.

    One of `literals` occurs in every text that matches, in any case where it is written in lower case. The captures of
    `regex` are named after what they hold (`kinds`). A match counts for nothing where `unless` is found in the 40
    characters before its first value.
    """

    id: str
    regex: str
    literals: tuple[str, ...]
    kinds: frozenset[str]
    unless: str = ""
    samples: tuple[Sample, ...] = ()
    decoys: tuple[str, ...] = ()


class Part(NamedTuple):
    """A private value and where it stands in the text."""

    kind: str
    start: int
    end: int


@immutable
class Forms:
    """All forms, and by kind the values that name nobody and open nothing."""

    forms: tuple[Form, ...]
    keep: dict[str, str]
    _known: dict[tuple[str, frozenset[str]], tuple[Part, ...]] = field(default_factory=dict, compare=False, repr=False)

    def kept(self, kind: str, value: str) -> bool:
        """Whether a value of this kind is left as it stands."""
        return not value or (kind in self.keep and compiled(self.keep[kind]).fullmatch(value) is not None)

    def among(self, text: str) -> Forms:
        """The forms that parts of this text can have: much quicker on each of its lines, and no less is found there."""
        lower = text.lower()
        found = (replace(form, literals=tuple(_occurring(form.literals, text, lower))) for form in self.forms)
        return Forms(tuple(form for form in found if form.literals), self.keep, self._known)

    def parts(self, text: str, kinds: frozenset[str]) -> tuple[Part, ...]:
        """Every value of these kinds that `text` prints in one of the forms, form by form."""
        if len(text) > _SHORT:
            return tuple(self._parts(text, kinds))
        found = self._known.get((text, kinds))
        if found is None:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            found = self._known[text, kinds] = tuple(self._parts(text, kinds))
        return found

    def _parts(self, text: str, kinds: frozenset[str]) -> Iterator[Part]:
        lower = text.lower()
        for form in self.forms:
            asked = form.kinds & kinds
            if not asked or not any(_occurring(form.literals, text, lower)):
                continue
            for match in compiled(form.regex).finditer(text):
                spans = sorted((*span, kind) for kind in asked for span in match.spans(kind))
                found = [Part(kind, start, end) for start, end, kind in spans]
                found = [part for part in found if not self.kept(part.kind, text[part.start : part.end])]
                if found and not (form.unless and _says(form.unless, text, found[0].start)):
                    yield from found


def _occurring(literals: Iterable[str], text: str, lower: str) -> Iterator[str]:
    return (one for one in literals if one in (lower if one.islower() else text))


def _says(unless: str, text: str, end: int) -> bool:
    return compiled(unless).search(text, max(0, end - _BEFORE), end) is not None


@cache
def shipped() -> Forms:
    """The forms that come with the program. Raises `PatternError` with file, form and key for whatever is wrong."""
    forms: list[Form] = []
    keep: dict[str, str] = {}
    for path in sorted((shipped_folder() / "secrets").glob("*.toml")):
        document = Node(tomli.loads(path.read_text(encoding="utf-8")), path.name)
        document.only("private", "keep")
        forms += [_form(node) for node in document.tables("private")]
        kept = document.table("keep")
        kept.only(*_KINDS, "folder")
        keep |= {kind: "|".join(f"(?:{one})" for one in kept.texts(kind)) for kind in kept.values}
    return Forms(tuple(forms), keep)


def _form(node: Node) -> Form:
    node.only("id", "literal", "regex", "unless", "sample", "decoy")
    for key in ("id", "literal", "regex", "sample"):
        if not node.values.get(key):
            raise node.wrong(key, "is missing")
    kinds = frozenset(names(node.text("regex")))
    if not kinds or not kinds <= _KINDS:
        raise node.wrong("regex", "each capture is named after what it holds", _KINDS)
    return Form(
        id=node.text("id"),
        regex=node.text("regex"),
        literals=node.texts("literal"),
        kinds=kinds,
        unless=node.text("unless"),
        samples=tuple(Sample(sample.text("line"), sample.texts("hides")) for sample in node.tables("sample")),
        decoys=tuple(decoy.text("line") for decoy in node.tables("decoy")),
    )
