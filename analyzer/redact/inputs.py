"""The beginnings of the inputs, read for names and secrets before anything of them is replaced."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from analyzer.bundle.encoding import encoding_of, to_text
from analyzer.errors import UnreadableError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.bundle import Source

FOR_SECRETS: Final = 64 * 1024
FOR_NAMES: Final = 256 * 1024


def heads(sources: list[Source], size: int) -> Iterator[str]:
    """The first `size` bytes of each source as text; what cannot be read is left out."""
    for source in sources:
        data = _head(source, size)
        yield to_text(data, encoding_of(data))[0]


def pairs(text: str) -> list[str]:
    """Every different line with the next one: enough of a text to recognise anything in it, and quick to pass over."""
    lines = text.split("\n")
    together = (f"{one}\n{next_}" for one, next_ in zip(lines, [*lines[1:], ""], strict=True))
    return list(dict.fromkeys(together))


def _head(source: Source, size: int) -> bytes:
    data = b""
    try:
        stream = source.open()
    except (OSError, UnreadableError):
        return data
    try:
        while len(data) < size and (more := stream.read(size - len(data))):
            data += more
    except (OSError, UnreadableError):
        pass  # the parser has said so; what was read counts
    finally:
        stream.close()
    return data
