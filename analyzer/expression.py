"""Regular expressions that are compiled when they are first used: most formats do not occur in most inputs."""

from __future__ import annotations

import re
from typing import Any, cast

import regex


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
