"""Entries of JSON that are printed over many lines: by `jq`, `journalctl -o json-pretty`, `gcloud --format json`.

Each begins with a bracket that has a line to itself, and may stand in a list, and this in another object. What was cut
off at either end is read line by line, as far as the line of a message tells by itself.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Generic

from analyzer.expression import lazy_regex
from analyzer.layers.entries import MOST_LINES, L, Piece, Shown, alone, pieces
from analyzer.layers.jsonlines import field, origin, unwrapped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from analyzer.layers.peeled import Peeled

_STRING = r'"(?:[^"\\]|\\.)*+"'
_LINE = lazy_regex(
    rf"\s*+(?P<name>{_STRING}\s*+:\s*+)?(?:(?P<open>[{{\[])|(?P<close>[}}\]]),?|(?:{_STRING}|[-+.\w]++|\{{\}}|\[\]),?)\s*+$"
)
_NAMED = -1  # in place of where a bracket opened: an entry does not begin with it
_CLOSES = {"{": "}", "[": "]"}


def told(texts: Sequence[str], begins_record: Callable[[str], bool]) -> Peeled | None:
    """The first entry of a record in these lines."""
    if not any(text.strip() == "{" for text in texts):
        return None
    reader: LaidOut[Shown] = LaidOut()
    found = [piece.peeled for text in texts for entry in reader.take(Shown(text)) for piece in entry]
    return next((one for one in found if one is not None and one.stamp is not None and begins_record(one.text)), None)


class LaidOut(Generic[L]):
    """The entries, each up to the line that closes its bracket.

    One whose beginning is cut off is from `node`, where what is left does not tell another origin.
    """

    def __init__(self, node: str = "") -> None:
        self.open = False
        self._node = node
        self._held: list[L] = []
        self._opened: list[tuple[int, str]] = []  # for each bracket that is open, the index of its line
        self._cut = True  # whether an entry may have begun before the first line
        self._closed = 0  # brackets that opened before the first line
        self._passing = False  # whether the brackets hold more than an entry has

    def take(self, line: L) -> Iterator[list[Piece[L]]]:
        """The entry that this line completes, or the line itself where it belongs to none."""
        found = _LINE.match(line.text)
        begins = found is not None and found["open"] == "{" and not found["name"]
        if found is None or (begins and not self._opened):
            yield from self.flush()
        if found is None or not (self._opened or found["open"] or (self._cut and (found["name"] or self._held))):
            yield _by_itself(line)
            return
        self._held.append(line)
        if found["open"]:
            self._opened.append((len(self._held) - 1 if begins and not self._passing else _NAMED, found["open"]))
        elif found["close"] and (entry := self._close()):
            yield from entry
        self._passing = self._passing or len(self._held) >= MOST_LINES
        if self._passing or not (self._opened or self._cut):
            yield from map(alone, self._held)
            self._held, self._passing, self._cut = [], bool(self._passing and self._opened), False

    def flush(self) -> Iterator[list[Piece[L]]]:
        """What there is of an entry that has no end."""
        held, opened = self._held, self._opened
        self._held, self._opened, self._passing, self._cut = [], [], False, False
        self.open = bool(opened)
        at = next((index for index, _ in opened if index >= 0), len(held))
        ends = "".join(_CLOSES[bracket] for _, bracket in reversed(opened))
        entry = _entry(held[at:], "", ends) if at < len(held) else None
        yield from map(_by_itself, held[:at] if entry else held)
        if entry:
            yield entry

    def _close(self) -> list[list[Piece[L]]]:
        """The entry that the last bracket closes, and what stands before it."""
        if self._opened:
            at, _ = self._opened.pop()
            entry = _entry(self._held[at:]) if at >= 0 else None
        else:
            at, self._closed = 0, self._closed + 1
            entry = _entry(self._held, '{"":' * (self._closed - 1) + "{", node=self._node)
        if entry is None:
            return []
        before = [*map(_by_itself, self._held[:at])]
        self._held, self._opened, self._cut = [], [], False  # what stands around it is no entry
        return [*before, entry]


def _entry(held: list[L], begin: str = "", end: str = "", node: str = "") -> list[Piece[L]] | None:
    """The entry in these lines, with brackets that are cut off; `None` where they are none."""
    text = "\n".join(line.text for line in held).rstrip().removesuffix(",")
    try:
        value = json.loads(begin + text + end)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    peeled = unwrapped(value)
    said = [(index, found) for index, line in enumerate(held) if (found := field(line.text)) and found.text]
    if peeled is None and (begin or end) and said:  # the time is cut off
        peeled = said[-1][1]._replace(node=origin(value))
    if peeled is None:
        return None
    first = next((index for index, found in said if peeled.text.endswith(found.text)), 0)
    return pieces(held, first, [peeled.text], peeled._replace(node=peeled.node or node))


def _by_itself(line: L) -> list[Piece[L]]:
    """A line of an entry that is cut off; any other line."""
    found = field(line.text)
    return alone(line) if found is None else [Piece(line, line, line, found)]
