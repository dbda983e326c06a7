"""What an expression prints: fixed texts and holes for what is only known when it runs, in all its alternatives."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from itertools import product
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_MOST: Final = 8  # alternatives of one message
_PERCENT: Final = re.compile(r"%(?:\((\w+)\))?([-#0 +]*[\d*]*(?:\.[\d*]+)?)[hlL]?([sdiufFgGeExXrac%])")
_FIELD: Final = re.compile(r"\{\{|\}\}|\{([^{}:!]*)(![rsa])?(?::([^{}]*))?\}")
_CONVERSIONS: Final = {-1: "", 97: "a", 114: "r", 115: "s"}
_UNCHANGED: Final = frozenset({"strip", "rstrip", "lstrip", "dedent"})


class Hole(NamedTuple):
    """A value in a message: the expression it comes from, its conversion (`r`) and its format (`.2f`)."""

    source: str
    conversion: str = ""
    spec: str = ""


Wording = tuple[str | Hole, ...]
Names = Mapping[str, tuple[Wording, ...]]


def letters(wording: Wording) -> int:
    """How many letters of the message are fixed."""
    return sum(sign.isalpha() for piece in wording if isinstance(piece, str) for sign in piece)


def textual(said: Iterable[Wording]) -> bool:
    """Whether some alternative is, or begins as, a text: an empty one counts, a lone value does not."""
    return any(not wording or any(isinstance(piece, str) for piece in wording) for wording in said)


def wordings(node: ast.expr, names: Names) -> tuple[Wording, ...]:
    """Every way in which the expression may read, at most eight; `names` are the texts that variables hold."""
    match node:
        case ast.Constant(value=str(text)):
            return ((text,) if text else (),)
        case ast.JoinedStr(values=values):
            return joined([wordings(value, names) for value in values])
        case ast.FormattedValue():
            return _formatted(node, names)
        case ast.Name(id=name) | ast.Subscript(value=ast.Name(id=name)) if name in names:
            return names[name]
        case ast.Call(func=ast.Attribute() as function):
            return _called(node, function, names)
        case _:
            return _composed(node, names)


def _composed(node: ast.expr, names: Names) -> tuple[Wording, ...]:
    """A sum, a choice, or a table of texts; anything else is a hole."""
    match node:
        case ast.BinOp(op=ast.Add()):
            return joined([wordings(node.left, names), wordings(node.right, names)])
        case ast.BinOp(left=ast.Constant(value=str(text)), op=ast.Mod()):
            return (percent(text, node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]),)
        case ast.IfExp():
            return _distinct([*wordings(node.body, names), *wordings(node.orelse, names)])
        case ast.Dict(values=values) | ast.Call(func=ast.Name(id="defaultdict"), args=values):
            return _distinct([said for value in values for said in wordings(value, names)])
        case ast.Lambda(body=body):
            return wordings(body, names)
        case _:
            return ((Hole(ast.unparse(node)),),)


def joined(parts: Sequence[tuple[Wording, ...]]) -> tuple[Wording, ...]:
    """One text after the other, every alternative with every other."""
    found: list[Wording] = []
    for choice in product(*parts):
        found.append(_merged(piece for wording in choice for piece in wording))
        if len(found) == _MOST:
            break
    return _distinct(found)


def percent(text: str, arguments: Sequence[ast.expr]) -> Wording:
    """A `%` format with its arguments in their order."""
    values = iter(arguments)
    pieces: list[str | Hole] = []
    end = 0
    for found in _PERCENT.finditer(text):
        pieces.append(text[end : found.start()])
        end = found.end()
        if found[3] == "%":
            pieces.append("%")
            continue
        value = next(values, None)
        source = ast.unparse(value) if value is not None else found[1] or ""
        conversion, kind = ("r", "s") if found[3] == "r" else ("", found[3])
        pieces.append(Hole(source, conversion, _spec(found[2], kind)))
    return _merged([*pieces, text[end:]])


def _spec(width: str, kind: str) -> str:
    if "*" in width or kind in "sa":
        return ""
    return width.replace("-", "<") + {"i": "d", "u": "d"}.get(kind, kind)


def _formatted(node: ast.FormattedValue, names: Names) -> tuple[Wording, ...]:
    inner = wordings(node.value, names)
    conversion = _CONVERSIONS.get(node.conversion, "")
    if conversion != "r" and node.format_spec is None and textual(inner):
        return inner
    spec = "".join(
        str(part.value) for part in getattr(node.format_spec, "values", []) if isinstance(part, ast.Constant)
    )
    return ((Hole(ast.unparse(node.value), conversion, spec),),)


def _called(node: ast.Call, function: ast.Attribute, names: Names) -> tuple[Wording, ...]:
    if function.attr == "format" and isinstance(function.value, ast.Constant) and isinstance(function.value.value, str):
        return (_filled(function.value.value, node),)
    if function.attr in _UNCHANGED:
        return wordings(node.args[0] if node.args else function.value, names)
    if function.attr == "join" and node.args and isinstance(node.args[0], ast.List | ast.Tuple):
        return _joined_by(wordings(function.value, names), node.args[0].elts, names)
    return ((Hole(ast.unparse(node)),),)


def _joined_by(between: tuple[Wording, ...], parts: list[ast.expr], names: Names) -> tuple[Wording, ...]:
    texts = [wordings(part, names) for part in parts]
    return joined([piece for text in texts for piece in (between, text)][1:])


def _filled(text: str, call: ast.Call) -> Wording:
    """A text with `{}` fields that `.format` fills."""
    given = {keyword.arg: ast.unparse(keyword.value) for keyword in call.keywords if keyword.arg}
    given |= {str(number): ast.unparse(argument) for number, argument in enumerate(call.args)}
    pieces: list[str | Hole] = []
    end = count = 0
    for found in _FIELD.finditer(text):
        pieces.append(text[end : found.start()])
        end = found.end()
        if found[0] in {"{{", "}}"}:
            pieces.append(found[0][0])
            continue
        name = found[1] or str(count)
        count += not found[1]
        pieces.append(Hole(given.get(name, name), (found[2] or "")[1:], found[3] or ""))
    return _merged([*pieces, text[end:]])


def _merged(pieces: Iterable[str | Hole]) -> Wording:
    """The same message with neighbouring texts in one piece."""
    found: list[str | Hole] = []
    for piece in pieces:
        last = found[-1] if found else None
        if isinstance(piece, str) and isinstance(last, str):
            found[-1] = last + piece
        elif piece != "":
            found.append(piece)
    return tuple(found)


def _distinct(found: Sequence[Wording]) -> tuple[Wording, ...]:
    return tuple(dict.fromkeys(found))[:_MOST]
