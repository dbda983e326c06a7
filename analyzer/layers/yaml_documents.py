"""Entries as `gcloud logging read` prints them: documents of YAML, whose texts are folded at 80 characters.

Read as far as such documents go: names and texts by indentation, in every way in which a text may be written.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Generic, NamedTuple

from analyzer.expression import lazy_regex
from analyzer.layers.entries import MOST_LINES, L, Piece, alone, pieces
from analyzer.layers.jsonlines import unwrapped

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import regex

_BEGINS = "---"
_ID = "insertId: "  # of every entry, whatever it holds
_PAYLOADS = ("textPayload:", "jsonPayload:")
_KEY = lazy_regex(r"( *)([\w./@-]{1,200}|'[^']{1,200}'|\"[^\"]{1,200}\"):(?: +(.*))?$")
_BLOCK = lazy_regex(r"[|>][-+\d]{0,2}\s*$")
_ESCAPE = lazy_regex(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))")
_ESCAPED = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "e": "\x1b",
    "0": "\0",
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "v": "\v",
    "_": "\xa0",
}
_CONTINUED = lazy_regex(r"(?<!\\)(?:\\\\)*\\$")


class _Text(NamedTuple):
    """A text, the lines of it as they are printed, and the index of the first of them."""

    value: str
    begin: int
    parts: list[str]


def told(texts: Sequence[str]) -> bool:
    """Whether entries of Google's logging stand in these lines."""
    return any(text.startswith(_ID) for text in texts) and any(text.startswith(_PAYLOADS) for text in texts)


class Documents(Generic[L]):
    """The entries, each up to the line of dashes that begins the next."""

    open = False

    def __init__(self) -> None:
        self._held: list[L] = []

    def take(self, line: L) -> Iterator[list[Piece[L]]]:
        """The entry that ends before this line."""
        if line.text.rstrip() == _BEGINS or len(self._held) >= MOST_LINES:
            yield from self.flush()
        self._held.append(line)

    def flush(self) -> Iterator[list[Piece[L]]]:
        """The entry that was waiting for more lines."""
        held, self._held = self._held, []
        document: dict[str, Any] = {}
        texts = list(_read([line.text for line in held], document))
        peeled = unwrapped(document)
        if peeled is None:
            yield from map(alone, held)
            return
        said = next((text for text in texts if text.value == peeled.text), _Text("", 0, [peeled.text]))
        yield pieces(held, said.begin, said.parts, peeled)


def _read(lines: list[str], document: dict[str, Any]) -> Iterator[_Text]:
    """The texts of a document, which gets them under their names."""
    within = [(-1, document)]
    at = 0
    while at < len(lines):
        found = _KEY.match(lines[at])
        begin, at = at, at + 1
        if found is None:
            continue
        indent, name = len(found[1]), found[2].strip("'\"")
        while within[-1][0] >= indent:
            within.pop()
        if not found[3]:
            further: dict[str, Any] = {}
            within[-1][1][name] = further
            within.append((indent, further))
            continue
        end = next((n for n in range(at, len(lines)) if not _deeper(lines[n], indent)), len(lines))
        text = _text(found[3], lines[at:end], begin)
        within[-1][1][name] = text.value
        at = end
        yield text


def _deeper(line: str, indent: int) -> bool:
    return not line.strip() or line[: indent + 1].isspace()


def _text(first: str, further: list[str], begin: int) -> _Text:
    """A text that begins behind its name, and its further lines, which are indented."""
    if _BLOCK.match(first):
        width = next((len(line) - len(line.lstrip(" ")) for line in further if line.strip()), 0)
        if first[1:2].isdigit():  # the text itself begins with blanks
            width = min(width, int(first[1]))
        parts = [line[width:] for line in further]
        while parts and not parts[-1]:
            parts.pop()
        return _Text("\n".join(parts), begin + 1, parts)
    lines = [first.rstrip(), *(line.strip(" ") for line in further)]
    if first[0] == "'":
        value = _folded(lines).removeprefix("'").removesuffix("'").replace("''", "'")
    elif first[0] == '"':
        value = _ESCAPE.sub(_unescaped, _folded(lines).removeprefix('"').removesuffix('"'))
    else:
        value = _folded(lines)
    value = value.removesuffix("\n")
    return _Text(value, begin, [value])


def _folded(lines: list[str]) -> str:
    """The lines as one: a break is a blank, unless it is escaped; each empty line is a break."""
    text = lines[0]
    breaks = 0
    for line in lines[1:]:
        if not line:
            breaks += 1
            continue
        escaped = _CONTINUED.search(text)
        text = (text[:-1] if escaped else text + ("\n" * breaks or " ")) + line
        breaks = 0
    return text


def _unescaped(found: regex.Match[str]) -> str:
    digits = found[1] or found[2] or found[3]
    if digits:
        code = int(digits, 16)
        return chr(code) if code <= sys.maxunicode else "\ufffd"
    return _ESCAPED.get(str(found[4]), str(found[4]))
