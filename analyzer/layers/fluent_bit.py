"""What fluent-bit's output `stdout` prints: `[0] tag: [[time, {}], {"log"=>"…", "stream"=>"stderr"}]`.

The texts in it are not escaped, so one that ends with a line break, or has some, takes several lines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic

from analyzer.expression import lazy_regex
from analyzer.layers import stamps
from analyzer.layers.entries import MOST_LINES, L, Piece, alone, pieces
from analyzer.layers.jsonlines import MESSAGE, origin, tagged
from analyzer.layers.peeled import Peeled

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_HEAD = lazy_regex(r"\[\d+\] (\S{1,400}): \[\[?(\d{10}\.\d{1,9})(?:, \{.{0,2000}?\}\])?, \{")
_TEXT = lazy_regex(rf'"(?:{"|".join(name.replace(".", "[.]") for name in MESSAGE)})"=>"')
_END = lazy_regex(r'"(?=(?:, "[^"\n]{1,100}"=>|\}{1,8}\]$))')  # where a text that is not escaped ends
_FIELD = lazy_regex(r'"([\w.-]{1,100})"=>"([^"\n]{1,255})"')
_POD = lazy_regex(r"\.containers\.([a-z0-9][a-z0-9.-]{0,252})_[a-z0-9-]+_.+-[0-9a-f]{64}\.log$")
_CLOSED = "}]"
_LONGEST = 256 * 1024  # characters of an entry


def told(texts: Sequence[str]) -> bool:
    """Whether entries stand in these lines, with a text in one of them."""
    return any(_HEAD.match(text) and _TEXT.search(text) for text in texts)


class Printed(Generic[L]):
    """The entries, each up to the line that closes its brackets."""

    open = False

    def __init__(self) -> None:
        self._held: list[L] = []
        self._size = 0

    def take(self, line: L) -> Iterator[list[Piece[L]]]:
        """The entry that this line completes, or the line itself where it belongs to none."""
        begins = _HEAD.match(line.text) is not None
        if begins:
            yield from self.flush()
        if not begins and not self._held:
            yield alone(line)
            return
        self._held.append(line)
        self._size += len(line.text)
        if line.text.endswith(_CLOSED) or len(self._held) >= MOST_LINES or self._size > _LONGEST:
            yield from self.flush()

    def flush(self) -> Iterator[list[Piece[L]]]:
        """The entry that was waiting for more lines."""
        held, self._held, self._size = self._held, [], 0
        if held:
            yield from _entry(held)


def _entry(held: list[L]) -> Iterator[list[Piece[L]]]:
    whole = "\n".join(line.text for line in held)
    head, text = _HEAD.match(whole), _TEXT.search(whole)
    if head is None or text is None:
        yield from map(alone, held)
        return
    end = _END.search(whole, text.end())
    message = whole[text.end() : end.start() if end else None]
    fields = dict(_FIELD.findall(whole[: text.end()] + (whole[end.start() :] if end else "")))
    pod = _POD.search(head[1])
    node = origin(fields) or (pod[1] if pod else "")
    peeled = Peeled("", stamps.epoch(head[2]), node, ("fluent-bit",))
    begin = whole.count("\n", 0, text.end())
    yield pieces(held, begin, tagged(fields, message.removesuffix("\n")).split("\n"), peeled)
