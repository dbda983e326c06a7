"""A stream in blocks of a few MB: whole lines, and the line that began in the block before."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from analyzer.scan.exact import bounded, line_of
from analyzer.scan.fast.compiled import address
from analyzer.scan.fast.room import MOST
from analyzer.scan.fast.texts import end_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from analyzer.bundle import Stream
    from analyzer.scan.exact import Line
    from analyzer.scan.fast.wrapping import Bare

    Ints: TypeAlias = NDArray[np.int64]

_FIRST = 256 * 1024  # bytes


class Block(NamedTuple):
    """What a piece of a stream completes: a `first` line, which may have begun before it, and further lines.

    Of these, line `n` of `text` begins at `ends[n]` and ends before `ends[n + 1]`; the first stands at byte `at` of the
    stream and is line `number`. `bare` are these lines without their wrappers, where they have any.
    """

    first: Line | None
    text: bytes
    ends: Ints
    at: int
    number: int
    bare: Bare | None = None

    @property
    def lines(self) -> int:
        """How many lines there are behind the first."""
        return len(self.ends) - 1

    def line(self, index: int) -> Line:
        """A line as the exact reading has it."""
        start, end = self.ends[index : index + 2].tolist()
        shift = self.at - int(self.ends[0])
        span = start + shift, end + shift
        return line_of(self.number + index, span, self.text[start:end], "utf-8", cut=False)

    def before(self, count: int) -> Block:
        """The first line, and so many behind it."""
        return self._replace(ends=self.ends[: count + 1])

    def behind(self, count: int) -> Block:
        """The lines behind so many."""
        moved = int(self.ends[count] - self.ends[0])
        return Block(None, self.text, self.ends[count:], self.at + moved, self.number + count)


def blocks(stream: Stream, piece: int) -> Iterator[Block]:
    """The stream's lines, as `exact.lines` has them; at most `piece` bytes are read at a time."""
    number, at, carry, dropped = 1, 0, b"", 0
    for data in _pieces(stream, piece):
        begin, end = data.find(b"\n") + 1, data.rfind(b"\n") + 1
        if not begin:
            carry, more = bounded(carry + data)
            dropped += more
            continue
        size = len(carry) + dropped + begin
        first = line_of(number, (at, at + size), carry + data[:begin], "utf-8", cut=bool(dropped))
        ends = _ends(data, begin, end)
        whole = Block(first, data, ends, at + size, number + 1)
        while whole.lines > MOST:
            yield whole.before(MOST)
            whole = whole.behind(MOST)
        yield whole
        number += len(ends)
        at += size + end - begin
        carry, dropped = bounded(data[end:])
    if carry or dropped:
        last = line_of(number, (at, at + len(carry) + dropped), carry, "utf-8", cut=bool(dropped))
        yield Block(last, b"", np.zeros(1, np.int64), 0, 0)


def _pieces(stream: Stream, most: int) -> Iterator[bytes]:
    """The stream in pieces, each twice as long as the one before: most of what is to be learned stands in the first."""
    size = min(most, _FIRST)
    while data := _filled(stream, size):
        yield data
        size = min(most, 2 * size)


def _ends(text: bytes, begin: int, end: int) -> Ints:
    """Where each whole line ends, behind where the first one begins."""
    ends = np.empty(end - begin + 1, np.int64)  # takes memory only as far as it is written
    ends[0] = begin
    count = end_lines(address(np.frombuffer(text, np.uint8)), begin, end, address(ends))
    return ends[: count + 1].copy()


def _filled(stream: Stream, size: int) -> bytes:
    """That many bytes, even from a decompressor that gives little at a time; fewer at the end."""
    data = stream.read(size)
    if not data or len(data) == size:
        return data
    parts, left = [data], size - len(data)
    while left and (more := stream.read(left)):
        parts.append(more)
        left -= len(more)
    return b"".join(parts)
