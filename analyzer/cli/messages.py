"""What an SGLang release can log, read from its own source, and how much of it the patterns recognise."""

from __future__ import annotations

import ast
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from analyzer.errors import UnreadableError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.catalog import Catalog

LEVELS = ("info", "warning", "error", "critical")
_SAME = {"warn": "warning", "exception": "error", "fatal": "critical"}
_FEWEST_LETTERS = 4
_HOLE = "\0"
_FILLINGS = ("7", "7.25", "word")


class Message(NamedTuple):
    """One logging call; `pieces` are its fixed texts, between the values that it prints."""

    level: str
    place: str
    pieces: tuple[str, ...]

    def __str__(self) -> str:
        return "{}".join(self.pieces).split("\n", maxsplit=1)[0]


def messages(folder: str) -> list[Message]:
    """Every logging call with a fixed text in the Python files below a folder, in their order.

    Raises `UnreadableError` where the folder holds no Python file.
    """
    root = Path(folder)
    files = sorted(root.rglob("*.py"))
    if not files:
        raise UnreadableError(f"{folder}: no Python file here; name the folder of an unpacked SGLang release")
    return [message for file in files for message in _of_file(file, str(file.relative_to(root)))]


def _of_file(file: Path, name: str) -> Iterator[Message]:
    try:
        with warnings.catch_warnings(action="ignore"):
            tree = ast.parse(file.read_text(encoding="utf-8", errors="replace"))
    except (SyntaxError, ValueError, RecursionError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            level = _SAME.get(node.func.attr, node.func.attr)
            pieces = tuple(_text(node.args[0]).split(_HOLE)) if level in LEVELS else ()
            if sum(map(len, pieces)) >= _FEWEST_LETTERS:
                yield Message(level, f"{name}:{node.lineno}", pieces)


def _text(node: ast.expr) -> str:
    """The fixed text of an expression with `_HOLE` for everything that is only known when it runs."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else _HOLE
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(part) for part in node.values)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _text(node.left) + _text(node.right)
    return _HOLE


def recognised(catalog: Catalog, message: Message) -> bool:
    """Whether a pattern claims the message when its values are filled in with a number or a word."""
    texts = [filling.join(message.pieces) for filling in _FILLINGS]
    heads = tuple(head.text for head in catalog.heads)
    return any(text.startswith(heads) or catalog.matcher.claims(text) for text in texts)
