"""Where names stand in a text by themselves, in any case."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def places(names: Iterable[str], text: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and name of every place where a name in lower case is not continued by a letter or digit of ASCII."""
    lower = lowered(text)
    for name in names:
        start = lower.find(name)
        while start >= 0:
            end = start + len(name)
            before = alnum(name[0]) and alnum(lower[start - 1 : start])
            after = alnum(name[-1]) and alnum(lower[end : end + 1])
            if not before and not after:
                yield start, end, name
            start = lower.find(name, start + 1 if before or after else end)


def lowered(text: str) -> str:
    """The text in lower case with every character in its place: in some alphabets one becomes two."""
    lower = text.lower()
    return lower if len(lower) == len(text) else "".join(c if len(c.lower()) > 1 else c.lower() for c in text)


def alnum(character: str) -> bool:
    """Whether this is a letter or digit of ASCII: a name within a sentence of another alphabet stands by itself."""
    return character.isascii() and character.isalnum()
