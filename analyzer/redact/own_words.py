"""The words of this program: a name that is also one of them cannot be told from it where it stands alone."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import regex

_WORD = regex.compile(r"[a-z][a-z0-9]+")
_TEXTS = {".py", ".toml", ".html", ".css", ".js", ".j2"}
_NOT_OURS = {"_patterns", "vendor"}
_LEAST = 3


@cache
def own_words() -> frozenset[str]:
    """Every word, in lower case, of the program's modules, facts and templates: what its reports are made of."""
    package = Path(__file__).parents[1]
    files = [path for path in package.rglob("*") if path.suffix in _TEXTS and _NOT_OURS.isdisjoint(path.parts)]
    return frozenset(word for path in files for word in _WORD.findall(path.read_text(encoding="utf-8").lower()))


def distinctive(name: str) -> bool:
    """Whether a name means the same thing wherever it stands, so that it can be replaced everywhere."""
    return len(name) >= _LEAST and any(c.isalpha() for c in name) and name.lower() not in own_words()
