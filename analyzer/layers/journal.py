"""The journal with all fields: `journalctl -o verbose`, whose entries are blocks, and `-o export`, parted by blanks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic

from analyzer.expression import lazy_regex
from analyzer.layers import stamps
from analyzer.layers.entries import MOST_LINES, L, Piece, alone, pieces
from analyzer.layers.jsonlines import tagged
from analyzer.layers.peeled import Peeled

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analyzer.evidence import Stamp
    from analyzer.layers.entries import Written

_HEAD = lazy_regex(rf"(?:\p{{L}}{{2,5}} ({stamps.ISO}) \S{{1,8}}|\(no timestamp\)) \[s=[0-9a-f]{{1,32}};i=")
_FIELD = lazy_regex(r" {4}([A-Z_][A-Z0-9_]{0,63})=(.*)")
_FURTHER = " " * len("    MESSAGE=")  # what further lines of a message are indented by
_PLAIN = lazy_regex(r"([A-Z_][A-Z0-9_]{0,63})(?:=(.*))?$")
_CURSOR, _TIME = "__CURSOR=", "__REALTIME_TIMESTAMP="
_SIZE = 8  # bytes of the size that `-o export` writes before a text of several lines
_CUT = "line-max"


def verbose(texts: Sequence[str]) -> bool:
    """Whether entries of `-o verbose` stand in these lines."""
    return any(_HEAD.match(text) is not None for text in texts)


def exported(texts: Sequence[str]) -> bool:
    """Whether entries of `-o export` stand in these lines."""
    heads = [index for index, text in enumerate(texts) if text.startswith(_CURSOR)]
    return any(text.startswith(_TIME) for index in heads for text in texts[index + 1 : index + 3])


class _Blocks(Generic[L]):
    """Lines held until the next head shows that their entry is complete."""

    open = False

    def __init__(self) -> None:
        self._held: list[L] = []

    def flush(self) -> Iterator[list[Piece[L]]]:
        """The entry that was waiting for more lines."""
        held, self._held = self._held, []
        if held:
            yield from self._entry(held)

    def _entry(self, held: list[L]) -> Iterator[list[Piece[L]]]:
        raise NotImplementedError


class Verbose(_Blocks[L]):
    """`Tue 2026-02-17 10:02:51.123456 UTC [s=…;i=…]`, then `    FIELD=value` lines."""

    def take(self, line: L) -> Iterator[list[Piece[L]]]:
        """The entry that ends before this line, or the line itself where it belongs to none."""
        if _HEAD.match(line.text):
            yield from self.flush()
            self._held = [line]
        elif self._held and len(self._held) < MOST_LINES and (not line.text or line.text.startswith("    ")):
            self._held.append(line)
        else:
            yield from self.flush()
            yield alone(line)

    def _entry(self, held: list[L]) -> Iterator[list[Piece[L]]]:
        fields: dict[str, str] = {}
        begin, texts, within = 0, [""], False
        for index, line in enumerate(held):
            field = _FIELD.match(line.text)
            if field:
                fields[field[1]] = field[2]
                within = field[1] == "MESSAGE"
                begin, texts = (index, [field[2]]) if within else (begin, texts)
            elif within and line.text.startswith(_FURTHER):
                texts.append(line.text.removeprefix(_FURTHER))
            elif within and not line.text.strip():
                texts.append("")
        head = _HEAD.match(held[0].text)
        yield _message(held, begin, texts, fields, stamps.iso(head[1]) if head and head[1] else None)


class Exported(_Blocks[L]):
    """`FIELD=value` lines; a text of several lines stands below its field's name, behind its size in eight bytes."""

    def take(self, line: L) -> Iterator[list[Piece[L]]]:
        """The entry that ends before this line, or the line itself where it belongs to none."""
        if line.text.startswith(_CURSOR) or len(self._held) >= MOST_LINES:
            yield from self.flush()
        if self._held or line.text.startswith(_CURSOR):
            self._held.append(line)
        else:
            yield alone(line)

    def _entry(self, held: list[L]) -> Iterator[list[Piece[L]]]:
        fields: dict[str, str] = {}
        begin, texts, at = 0, [""], 0
        fields_below = _fields_below(held)
        while at < len(held):
            field = _PLAIN.match(held[at].text)
            first, at = at, at + 1
            if field is None:
                continue
            value = [field[2] or ""]
            if field[2] is None and at < len(held):
                first, value, at = _sized(held, at, fields_below)
            if field[1] == "MESSAGE":
                begin, texts = first, value
            else:
                fields[field[1]] = value[0]
        yield _message(held, begin, texts, fields, stamps.epoch(fields.get(_TIME.removesuffix("="), "")))


def _fields_below(held: Sequence[Written]) -> list[bool]:
    """For each line whether it and those below it are fields, as far as the next text of several lines."""
    found = [True]
    sized = False  # whether a size stands in the line below
    for line in reversed(held):
        field = _PLAIN.match(line.text)
        named = field is not None and field[2] is None
        found.append(found[-1] if not line.text or (field and not named) else named and sized)
        sized = _has_nuls(line) or (sized and not line.text)
    return found[::-1]


def _has_nuls(line: Written) -> bool:
    """Whether bytes are missing in the text, as those of a size that are NUL are."""
    signs = len(line.text.encode("utf-8", "replace")) - 2 * line.text.count("\ufffd")  # one byte each, three when told
    return line.end - line.start - signs > _SIZE // 2


def _sized(held: Sequence[Written], at: int, fields_below: Sequence[bool]) -> tuple[int, list[str], int]:
    """The text whose size begins at line `at`: the index of its first line, its lines, the index behind them.

    The size is told by the bytes of its lines: of their sums it is one whose signs stand there. Where several are, as
    bytes that are no letters look alike, or none is, the text ends where fields follow.
    """
    begin, left = at, _SIZE
    while begin < len(held) - 1 and held[begin].end - held[begin].start <= left:
        left -= held[begin].end - held[begin].start  # the size has the value of a line end in it
        begin += 1
    first = _behind(held[begin], left)
    ends = [stop for stop in range(begin + 1, len(held) + 1) if _size_stands(held, at, begin, held[stop - 1].end)]
    likely = ends or range(begin + 1, len(held) + 1)
    stop = next((stop for stop in likely if fields_below[stop]), likely[0])
    return begin, [first, *(line.text for line in held[begin + 1 : stop])], stop


def _size_stands(held: Sequence[Written], at: int, begin: int, end: int) -> bool:
    """Whether the size of a text that ends there, with a line end, is what is written from line `at` to `begin`."""
    size = end - held[at].start - _SIZE - 1
    parts = size.to_bytes(_SIZE, "little").split(b"\n") if size >= 0 else []
    if len(parts) != begin - at + 1:
        return False
    sizes = [line.end - line.start - 1 for line in held[at:begin]]
    signs = parts[-1].replace(b"\0", b"").decode("utf-8", "replace")
    text = held[begin].text
    return sizes == [len(part) for part in parts[:-1]] and (text.startswith(signs) or text == signs.rstrip("\r"))


def _behind(line: Written, size: int) -> str:
    """The line's text behind its first `size` bytes, of which those that are NUL are gone already."""
    left = line.end - line.start - size - 1
    return line.text.encode()[-left:].decode("utf-8", "replace") if left > 0 else ""


def _message(
    held: list[L], begin: int, texts: list[str], fields: dict[str, str], stamp: Stamp | None
) -> list[Piece[L]]:
    while texts and not texts[-1]:
        texts.pop()
    texts = [tagged(fields, texts[0] if texts else ""), *texts[1:]]
    partial = fields.get("_LINE_BREAK") == _CUT
    return pieces(held, begin, texts, Peeled("", stamp, fields.get("_HOSTNAME", ""), ("journald",), partial))
