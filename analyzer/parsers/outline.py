"""YAML as far as manifests use it, read by indentation: every scalar with the path that leads to it.

No anchors or tags: what is not understood is left out, never guessed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from analyzer.expression import lazy
from analyzer.parsers.around import time_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.parsers.block import Text

_KEY = lazy(r"""("[^"]{1,200}"|'[^']{1,200}'|[\w./$~-][\w./ $~-]{0,200}?):(?: +(.*))?$""")
_TOP = lazy(r"[a-z][A-Za-z-]{0,40}:")  # at the margin a log's own words may stand
_FOLDED = lazy(r"[|>][+-]?\d?$")
_ITEM = lazy(r'"((?:[^"\\]|\\.)*)"|\'([^\']*)\'|([^,\[\]{}"\'\s][^,\[\]{}]*)')
_PAIR = lazy(r"""([\w./-]{1,80}): ?("[^"]*"|'[^']*'|[^,{}]*)""")
_COMMENT = lazy(r"\s#.*$")
_QUOTED = lazy(r'"(?:[^"\\]|\\.)*"|\'[^\']*\'')
_ESCAPE = lazy(r"\\(.)")
_ESCAPED = {"n": "\n", "t": "\t", "r": ""}
_LONGEST = 4000
_MOST = 16 * 1024  # characters of a text, or of a collection, that goes over lines


@dataclass(slots=True)
class Leaf:
    """One scalar: the document's number, the keys and list indexes that lead to it; its text; its first line."""

    path: tuple[str | int, ...]
    value: str
    line: Text


class _Level(NamedTuple):
    indent: int
    name: str | int


class Outline:
    """The scalars of the lines in their order; `used` counts the lines that belong to the document."""

    def __init__(self, lines: Sequence[Text]) -> None:
        self.leaves: list[Leaf] = []
        self.used = 0
        self._document = 0
        self._levels: list[_Level] = []
        self._counts: dict[tuple[str | int, ...], int] = {}
        self._open: tuple[int, str] | None = None  # indent of the key above, and what joins the lines of its text
        self._flow: tuple[str, Text] | None = None  # a collection in brackets that is not closed yet
        for number, line in enumerate(lines, 1):
            text = line.text.rstrip()[:_LONGEST]
            if text.strip() and not self._take(text, line):
                break
            self.used = number if text.strip() else self.used

    @property
    def _path(self) -> tuple[str | int, ...]:
        return (self._document, *(level.name for level in self._levels))

    def _take(self, text: str, line: Text) -> bool:
        rest = text.lstrip()
        indent = len(text) - len(rest)
        if self._goes_on(indent, rest):
            return True
        if rest in {"---", "..."}:
            self._document += 1
            self._levels = []
            return True
        if rest.startswith("#"):
            return indent > 0 or time_in(rest) is None  # a time is a script's banner
        item, dash = rest == "-" or rest.startswith("- "), indent
        while rest == "-" or rest.startswith("- "):
            indent, rest = self._item(indent, rest)
        found = _KEY.match(rest)
        if found and (indent or _TOP.match(rest)):
            while self._levels and self._levels[-1].indent >= indent:
                self._levels.pop()
            self._levels.append(_Level(indent, found[1].strip("'\"")))
            self._value(found[2] or "", indent, line)
            return True
        if item and rest:
            self._value(rest, dash, line)
        return item

    def _goes_on(self, indent: int, rest: str) -> bool:
        """Takes a line of a text or of a collection that began above."""
        if self._flow:
            text, first = self._flow
            self._flow = None
            if (indent or rest[0] in "]}") and len(text) < _MOST:
                self._value(f"{text} {_bare(rest)}", indent, first)
                return True
        if self._open and indent > self._open[0]:
            leaf = self.leaves[-1]
            if len(leaf.value) < _MOST:
                leaf.value = f"{leaf.value}{self._open[1]}{rest}" if leaf.value else rest
            quote = leaf.value[:1]
            if self._open[1] == " " and quote in {'"', "'"} and rest.endswith(quote):
                leaf.value, self._open = _unquoted(leaf.value), None
            return True
        self._open = None
        return False

    def _item(self, indent: int, rest: str) -> tuple[int, str]:
        """A dash: the next item of the list above it, which may stand at the dash's own depth."""
        while self._levels and self._levels[-1].indent > indent:
            self._levels.pop()
        if self._levels and self._levels[-1].indent == indent and isinstance(self._levels[-1].name, int):
            self._levels.pop()
        number = self._counts.get(self._path, 0)
        self._counts[self._path] = number + 1
        self._levels.append(_Level(indent, number))
        inner = rest[1:].lstrip()
        return indent + len(rest) - len(inner), inner

    def _value(self, text: str, indent: int, line: Text) -> None:
        if text[:1] in {'"', "'"} and text[-1:] == text[:1] and len(text) > 1:
            self.leaves.append(Leaf(self._path, _unquoted(text), line))
        elif _FOLDED.match(text):
            self.leaves.append(Leaf(self._path, "", line))
            self._open = (indent, "\n" if text[0] == "|" else " ")
        elif text[:1] in {"[", "{"} and _open_brackets(text):
            self._flow = (_bare(text), line)
        elif text.startswith("["):
            items = [_unquoted(found[0]).strip() for found in _ITEM.finditer(text[1:])]
            words = [item for item in items if item]
            self.leaves += [Leaf((*self._path, number), word, line) for number, word in enumerate(words)]
        elif text.startswith("{"):
            self.leaves += [Leaf((*self._path, key), value.strip(" '\""), line) for key, value in _PAIR.findall(text)]
        elif text:
            self.leaves.append(Leaf(self._path, _COMMENT.sub("", text).strip(), line))
            self._open = (indent, " ")


def _bare(text: str) -> str:
    """A line of a collection without the remark behind it."""
    return _COMMENT.sub("", text) if _COMMENT.search(_QUOTED.sub("", f" {text}")) else text


def _open_brackets(text: str) -> bool:
    """Whether a collection goes on in the next line."""
    bare = _COMMENT.sub("", _QUOTED.sub("", text))
    return bare.count("[") + bare.count("{") > bare.count("]") + bare.count("}")


def _unquoted(text: str) -> str:
    """A scalar without its quotes, its escapes read where they are double ones."""
    if text[:1] == "'" and text[-1:] == "'":
        return text[1:-1].replace("''", "'")
    if text[:1] == '"' and text[-1:] == '"' and len(text) > 1:
        return _ESCAPE.sub(lambda found: _ESCAPED.get(found[1], found[1]), text[1:-1])
    return text
