"""The lines still to come, of which some may be looked at before they are taken."""

from __future__ import annotations

from collections import deque
from itertools import islice
from typing import TYPE_CHECKING

from analyzer.parsers.block import Text
from analyzer.parsers.hush import Hush
from analyzer.records import is_header

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.parsers.hush import Item

_OTHERS = 4000  # lines of others that may stand between those of a snapshot: of a hundred hosts, forty lines each


class _Ahead:
    """The lines of one node that were looked at, each with its place among all lines, and where its headers stand."""

    __slots__ = ("headers", "lines")

    def __init__(self) -> None:
        self.lines: deque[tuple[int, Text]] = deque()
        self.headers: deque[int] = deque()


class Window:
    """The lines of all nodes in their order, of which those of one may be looked at and taken out.

    Each node's are kept by themselves: where many hosts say the same thing, nobody looks through the lines of others.
    """

    def __init__(self, texts: Iterator[Item]) -> None:
        self._texts = texts
        self._ready: deque[tuple[int, Item]] = deque()
        self._ahead: dict[str, _Ahead] = {}
        self._runs: deque[int] = deque()  # the places of what is no text
        self._left_out: set[int] = set()
        self._next = 0  # the place of the first line that was not looked at
        self._taken = -1

    def take(self) -> Item | None:
        """The next line, or `None` at the end."""
        while self._ready:
            place, item = self._ready.popleft()
            if place in self._left_out:
                self._left_out.remove(place)
                continue
            if isinstance(item, Text):
                self._pop(item.node)
            else:
                self._runs.popleft()
            self._taken = place
            return item
        self._taken, self._next = self._next, self._next + 1
        return next(self._texts, None)

    def skip(self, count: int, node: str = "") -> None:
        """Leaves lines of a node out that were looked at."""
        for _ in range(count):
            self._left_out.add(self._pop(node))

    def peek(self, count: int, node: str = "") -> list[Text]:
        """Up to `count` further lines of a node, ended by SGLang's next header: no snapshot goes on behind one.

        The lines of others in between are passed over: hosts that say the same thing at once are mixed line by line.
        """
        own = self._fill(count, node)
        if own is None:
            return []
        end = min(self._runs[0] if self._runs else self._next, own.headers[0] if own.headers else self._next)
        begin = self._taken + 1
        shown: list[Text] = []
        for place, text in islice(own.lines, count):
            if place >= end or place - begin - len(shown) > _OTHERS:
                break
            shown.append(text)
        return shown

    def _fill(self, count: int, node: str) -> _Ahead | None:
        """Reads on until there are so many lines of a node, as far as a snapshot may reach; gives those of the node."""
        own = self._ahead.get(node)
        while not self._runs:
            held = len(own.lines) if own else 0
            if held >= count or (own and own.headers) or self._next - self._taken - 1 - held > _OTHERS:
                break
            item = next(self._texts, None)
            if item is None:
                break
            for each in [item.take() for _ in range(len(item))] if isinstance(item, Hush) else [item]:
                self._add(each)
            own = self._ahead.get(node)
        return own

    def _add(self, item: Item) -> None:
        place, self._next = self._next, self._next + 1
        self._ready.append((place, item))
        if not isinstance(item, Text):
            self._runs.append(place)
            return
        ahead = self._ahead.setdefault(item.node, _Ahead())
        ahead.lines.append((place, item))
        if is_header(item.text):
            ahead.headers.append(place)

    def _pop(self, node: str) -> int:
        """Takes the first line of a node out; gives its place."""
        ahead = self._ahead[node]
        place, _ = ahead.lines.popleft()
        if ahead.headers and ahead.headers[0] == place:
            ahead.headers.popleft()
        if not ahead.lines:
            del self._ahead[node]
        return place
