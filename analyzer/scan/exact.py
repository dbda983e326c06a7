r"""Bytes to physical lines: the readable definition of what a line is, where it stands and what its text is.

A line ends at `\\n` and nowhere else; the `\\r` of CR LF is dropped, one inside a line stays. Lines count from 1 as
`sed -n` counts them; the byte spans of all lines, laid end to end, are the stream.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from analyzer.bundle.encoding import HEAD, encoding_of, to_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from analyzer.bundle import Stream

MAX_TEXT = 64 * 1024
_CHUNK = 512 * 1024
_ROOM = 8 * MAX_TEXT


class Line(NamedTuple):
    """One physical line. Bytes `start` to `end` include its line end.

    `undecodable` counts characters that stand for bytes the encoding does not know; `cut` is true where the text is
    only the first 64 Ki characters.
    """

    number: int
    start: int
    end: int
    text: str
    undecodable: int = 0
    cut: bool = False


def lines(stream: Stream) -> Iterator[Line]:
    """The stream's lines, in order. A last line without a line end is a line; an empty stream has none."""
    head = _fill(stream)
    encoding = encoding_of(head[:HEAD])
    split = _SPLITTERS.get(encoding, _split_bytes)
    at, number, carry, dropped = 0, 0, b"", 0
    while head:
        *whole, rest = split(carry + head if carry else head)
        for raw in whole:
            number += 1
            end = at + len(raw) + dropped
            yield line_of(number, (at, end), raw, encoding, cut=bool(dropped))
            at, dropped = end, 0
        carry, more = bounded(rest)
        dropped += more
        head = stream.read(_CHUNK)
    if carry or dropped:
        yield line_of(number + 1, (at, at + len(carry) + dropped), carry, encoding, cut=bool(dropped))


def _fill(stream: Stream) -> bytes:
    """Enough of the beginning to tell the encoding, even from a pipe that gives little at a time."""
    data = b""
    while len(data) < HEAD and (more := stream.read(_CHUNK)):
        data += more
    return data


def line_of(number: int, span: tuple[int, int], raw: bytes, encoding: str, *, cut: bool) -> Line:
    """A line whose bytes are `raw`, line end included; `cut` where some of them are missing."""
    if len(raw) > MAX_TEXT:
        text, undecodable = to_text(raw[: 4 * MAX_TEXT], encoding)
        cut = cut or len(raw.rstrip(b"\r\n")) > 4 * MAX_TEXT or len(text.rstrip("\r\n")) > MAX_TEXT
        text = text[:MAX_TEXT]
    else:
        text, undecodable = to_text(raw, encoding)
    return Line(number, *span, text.rstrip("\r\n") if text[-1:] in "\r\n" else text, undecodable, cut)


def bounded(rest: bytes) -> tuple[bytes, int]:
    """What is kept of an unfinished line, and how many bytes of it are dropped: a line may be as long as the file."""
    if len(rest) <= _ROOM:
        return rest, 0
    kept = _ROOM + (len(rest) - _ROOM) % 2  # an even number goes, so that two-byte characters stay aligned
    return rest[:kept], len(rest) - kept


def _split_bytes(data: bytes) -> list[bytes]:
    parts = data.split(b"\n")
    last = parts.pop()
    return [part + b"\n" for part in parts] + [last]


def _split_wide(data: bytes, end: bytes) -> list[bytes]:
    """Splits two-byte text: a line end counts only where it lies on a character's boundary."""
    parts: list[bytes] = []
    begin = at = 0
    while (at := data.find(end, at)) >= 0:
        if (at - begin) % 2:
            at += 1
            continue
        at += 2
        parts.append(data[begin:at])
        begin = at
    return [*parts, data[begin:]]


_SPLITTERS: dict[str, Callable[[bytes], list[bytes]]] = {
    "utf-16-le": lambda data: _split_wide(data, b"\n\0"),
    "utf-16-be": lambda data: _split_wide(data, b"\0\n"),
}
