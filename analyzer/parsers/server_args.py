"""The `server_args=` line: SGLang's own account of its arguments, as a call, as a dict, or cut off anywhere."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from analyzer.events import ArgumentsPrinted
from analyzer.expression import lazy

if TYPE_CHECKING:
    from analyzer.evidence import Where

_OPENING = lazy(r"server_args ?[=:] ?((?:[\w.]+\.)?ServerArgs\(|\{)")
_PART = lazy(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|<[^<>]{0,200}>|[\[\](){},]|[^'\"\[\](){},<]+|.", re.DOTALL)
_CALL_NAME = lazy(r"\s*(\w+)\s*=")
_DICT_NAME = lazy(r"\s*(?:'(\w+)'|\"(\w+)\")\s*:")
_BEGINS_WITHIN = 160
_LONGEST_VALUE = 32 * 1024
_SHOWN = 400
_OPEN, _CLOSE = "([{", ")]}"


class _Parts(NamedTuple):
    """The texts between the outermost commas, and whether the closing bracket was there."""

    pieces: list[str]
    closed: bool


def arguments(text: str, where: Where) -> ArgumentsPrinted | None:
    """The arguments that a message prints, or `None` where it prints none.

    A value that is no Python literal (`<Enum.A: 1>`, `torch.bfloat16`, a nested call) stays as its text. A line that
    was cut or shortened gives the pairs that are whole, with `cut`.
    """
    opening = _OPENING.search(text[:_BEGINS_WITHIN])
    if opening is None:
        return None
    is_dict = opening[1] == "{"
    parts = _split(text[opening.end() :])
    values: dict[str, Any] = {}
    whole = parts.closed
    for piece in parts.pieces if parts.closed else parts.pieces[:-1]:
        name, raw = _pair(piece, is_dict=is_dict)
        if name:
            values[name] = value_of(raw)
        elif piece.strip():
            whole = False  # `...`: somebody shortened the line
    if not values:
        return None
    form = "dict" if is_dict else "call"
    return ArgumentsPrinted(where=where, text=text[:_SHOWN], values=values, form=form, cut=not whole)


def value_of(raw: str) -> Any:
    """The Python literal that `raw` is, else its text."""
    plain = raw.strip()
    if len(plain) > _LONGEST_VALUE:
        return plain
    try:
        value = ast.literal_eval(plain)
        str(value)  # refuses a whole number of thousands of digits, which hexadecimal ones may have
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return plain
    return value


def _split(text: str) -> _Parts:
    pieces = [""]
    depth = 0
    for part in _PART.findall(text):
        if part in _OPEN:
            depth += 1
        elif part in _CLOSE:
            if depth == 0:
                return _Parts(pieces, closed=True)
            depth -= 1
        elif part == "," and depth == 0:
            pieces.append("")
            continue
        pieces[-1] += part
    return _Parts(pieces, closed=False)


def _pair(piece: str, *, is_dict: bool) -> tuple[str, str]:
    found = (_DICT_NAME if is_dict else _CALL_NAME).match(piece)
    if found is None:
        return "", ""
    name = found[1] or found[2] if is_dict else found[1]
    return name, piece[found.end() :]
