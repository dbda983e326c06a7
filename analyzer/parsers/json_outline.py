"""JSON read token by token, so that a cut output and one behind its first brace tell too: scalars with their paths."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from analyzer.expression import lazy
from analyzer.parsers.outline import Leaf

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.parsers.block import Text

_TOKEN = lazy(r'\s*(?:("(?:[^"\\]|\\.)*")(\s*:)?|([{}\[\],])|(-?\d[\w.+-]{0,40}|true|false|null))\s*')
_LONGEST = 16 * 1024  # characters of a text that are kept
_LINE = 2 * 1024 * 1024
_DEEPEST = 64


class _Level(NamedTuple):
    """An object or a list that is open: what it is called above, and how many items it had."""

    name: str | int
    listed: bool


class JsonOutline:
    """The scalars of the lines in their order, under the document's number 0.

    `used` counts the lines that belong to the document, which begins at the first line: at its brace or at a key in it.
    """

    def __init__(self, lines: Sequence[Text]) -> None:
        self.leaves: list[Leaf] = []
        self.used = 0
        self._levels: list[_Level] = []
        self._counts: list[int] = []
        self._key: str | None = None
        self._closed = False
        for number, line in enumerate(lines, 1):
            if not line.text.strip():
                continue
            known = len(self.leaves)
            if not self._take(line, first=number == 1):
                del self.leaves[known:]  # of a line that breaks off in something else nothing is taken
                break
            self.used = number
            if self._closed:
                break

    @property
    def _path(self) -> tuple[str | int, ...]:
        return (0, *(level.name for level in self._levels[1:]))

    def _take(self, line: Text, *, first: bool) -> bool:
        """Whether the whole line is JSON that goes on where the last one ended."""
        text = line.text[:_LINE]
        at = 0
        if first and not text.lstrip().startswith(("{", "[")):
            self._levels, self._counts = [_Level("", listed=False)], [0]
        while at < len(text):
            found = _TOKEN.match(text, at)
            if found is None or self._closed or len(self._levels) > _DEEPEST:
                return False
            at = found.end()
            quoted, colon, mark, plain = found.groups()
            if quoted and colon:
                self._key = _read(quoted)
            elif mark and mark != ",":
                self._mark(mark)
            elif quoted:
                self._scalar(_read(quoted), line)
            elif plain:
                self._scalar(None if plain == "null" else plain, line)
        return True

    def _mark(self, mark: str) -> None:
        if mark in "{[":
            self._levels.append(_Level(self._name(), listed=mark == "["))
            self._counts.append(0)
        elif self._levels:
            self._levels.pop()
            self._counts.pop()
            self._closed = not self._levels
        else:
            self._closed = True

    def _name(self) -> str | int:
        """What the next value is called: by its key, or by its place in the list."""
        if self._levels and self._levels[-1].listed:
            self._counts[-1] += 1
            return self._counts[-1] - 1
        name, self._key = self._key or "", None
        return name

    def _scalar(self, value: str | None, line: Text) -> None:
        name = self._name()
        if value is not None and self._levels:
            self.leaves.append(Leaf((*self._path, name), value[:_LONGEST], line))


def _read(quoted: str) -> str:
    try:
        return str(json.loads(quoted, strict=False))
    except ValueError:
        return quoted[1:-1]
