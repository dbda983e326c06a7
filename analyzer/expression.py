"""Regular expressions that are compiled when first used, and what lines have in common but for their digits."""

from __future__ import annotations

import re
from typing import Any, cast

import regex

_DIGITS = b"0123456789"


def without_digits(text: str) -> str:
    """The text without the digits from 0 to 9. As bytes, as that takes a thirtieth of the time that a text would."""
    return text.encode("utf-8", "surrogatepass").translate(None, _DIGITS).decode("utf-8", "surrogatepass")


def lazy(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """`re.compile(pattern, flags)`, put off until the first use."""
    return cast("re.Pattern[str]", _Lazy(re.compile, pattern, flags))


def lazy_regex(pattern: str, flags: int = 0) -> regex.Pattern[str]:
    """`regex.compile(pattern, flags)`, put off until the first use."""
    return _Lazy(regex.compile, pattern, flags)


class _Lazy:
    """Becomes the compiled expression attribute by attribute, so that a second use costs what it costs there."""

    def __init__(self, compiler: Any, pattern: str, flags: int) -> None:
        self._made = compiler, pattern, flags

    def __getattr__(self, name: str) -> Any:
        """What the compiled expression has under that name, kept from now on."""
        compiler, pattern, flags = self._made
        compiled = compiler(pattern, flags)
        for kept in ("match", "search", "fullmatch", "finditer", "findall", "sub", "split", "pattern", "flags"):
            setattr(self, kept, getattr(compiled, kept))
        return getattr(compiled, name)
