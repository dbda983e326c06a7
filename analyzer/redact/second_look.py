"""A finished document as a reader can see it: unwrapped, and with its escapes undone."""

from __future__ import annotations

import html
from typing import Final
from urllib.parse import unquote

import regex

_ANSI: Final = regex.compile(r"\x1b\[[\d;]*m")
_CODE: Final = regex.compile(r"\\u([0-9a-fA-F]{4})|\\x([0-9a-fA-F]{2})")
_BACKSLASHED: Final = regex.compile(r"\\+([^\w\s])")
_LINE_END: Final = regex.compile(r"\\+[nrt]")
_WRAP: Final = r"[ \t]*\n[ \t>|│]*"
_FOLD: Final = regex.compile(_WRAP)
# What may stand anywhere in a word that was wrapped.
FOLD: Final = f"(?:{_WRAP})?"
_ZERO_WIDTH: Final = "\u200b"


def readings(document: str) -> list[str]:
    """The document as it stands, and decoded: JSON, HTML, Markdown and URL escapes undone, wrapped lines joined."""
    decoded = html.unescape(_ANSI.sub("", document).replace(_ZERO_WIDTH, ""))
    decoded = _BACKSLASHED.sub(r"\1", _LINE_END.sub(" ", _CODE.sub(_character, decoded)))
    return list(dict.fromkeys([document, decoded, unquote(decoded), unwrapped(decoded), _FOLD.sub(" ", decoded)]))


def unwrapped(text: str) -> str:
    """The text with every wrapped line joined to the next."""
    return str(_FOLD.sub("", text))


def _character(match: regex.Match[str]) -> str:
    return chr(int(match[1] or match[2], 16))
