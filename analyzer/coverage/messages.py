"""Every message that a source file can print: logging calls, prints, raises and assertions, with what they may say."""

from __future__ import annotations

import ast
import builtins
import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

from analyzer.coverage.wording import Names, Wording, joined, letters, textual, wordings
from analyzer.immutable import immutable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from analyzer.coverage.release import Module

Level = Literal["info", "warning", "error", "raise", "print"]

_FEWEST: Final = 4  # fixed letters of a message that has a wording of its own
_METHODS: Final[dict[str, Level]] = {
    "info": "info", "warning": "warning", "warn": "warning", "error": "error", "exception": "error",
    "critical": "error", "fatal": "error",
}  # fmt: skip
_HELPERS: Final = ("_once", "_on_rank0", "rank0_log", "rank0_print")
_CATCH_ALL: Final = frozenset({"Exception", "BaseException"})


@immutable
class Message:
    """A place in the source that prints; `type` is an exception's name as a traceback ends with it.

    `wordings` are the alternatives; where `worded` is false none has a text of its own. `caught` where the same
    function catches what it raises, `traced` where the traceback of a caught exception follows.
    """

    level: Level
    module: str
    line: int
    function: str
    wordings: tuple[Wording, ...]
    type: str = ""
    caught: bool = False
    traced: bool = False

    @property
    def worded(self) -> bool:
        """Whether some alternative has a text of its own."""
        return any(letters(wording) >= _FEWEST for wording in self.wordings)

    @property
    def usage(self) -> bool:
        """Whether the parser of the command line prints it, in one line instead of a traceback."""
        return self.type.endswith("ArgumentTypeError")

    @property
    def fixed(self) -> str:
        """The fixed words of all alternatives, with a zero where a value stands."""
        return "\n".join("".join(p if isinstance(p, str) else "\0" for p in wording) for wording in self.wordings)

    @property
    def place(self) -> str:
        """Where it stands: `srt/managers/scheduler.py:1234`."""
        return f"{self.module}:{self.line}"

    @property
    def folder(self) -> str:
        """The part of the server that says it: `managers`, `mem_cache`, or a file beside them."""
        return self.module.split("/")[1]


def messages(module: Module) -> list[Message]:
    """The messages of a file in their order; none where it does not parse. Those of the level debug are left out."""
    try:
        with warnings.catch_warnings(action="ignore"):
            tree = ast.parse(module.text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    reader = _Reader(module.name, {node.name for node in tree.body if isinstance(node, ast.ClassDef)})
    try:
        reader.block(tree.body, {})
    except RecursionError:
        return reader.found
    return reader.found


@dataclass(slots=True)
class _Reader:
    """Walks through a file with the texts that its variables hold at each place."""

    module: str
    classes: set[str]
    found: list[Message] = field(default_factory=list)
    function: str = ""
    catching: list[set[str]] = field(default_factory=list)

    def block(self, body: Iterable[ast.stmt], names: Names) -> Names | None:
        """Reads statements one after the other; the names after them, `None` where the end is not reached."""
        now: Names | None = names
        for statement in body:
            now = self._statement(statement, names if now is None else now)
        return now

    def _statement(self, node: ast.stmt, names: Names) -> Names | None:
        self._said(node, names)
        match node:
            case ast.Raise() | ast.Return() | ast.Continue() | ast.Break():
                return None
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
                return _after_assignment(node, names)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                self._inside(node, names)
                return names
            case _:
                return self._compound(node, names)

    def _said(self, node: ast.stmt, names: Names) -> None:
        match node:
            case ast.Expr(value=ast.Call() as call):
                logged = self._logged(call, names)
                self.found += [logged] if logged else []
            case ast.Assert(msg=ast.expr() as said):
                self._raised(node.lineno, "AssertionError", wordings(said, names))
            case ast.Raise(exc=ast.Call() as raised):
                first = wordings(raised.args[0], names) if raised.args else ()
                self._raised(node.lineno, self._printed(raised.func), first)

    def _compound(self, node: ast.stmt, names: Names) -> Names | None:
        match node:
            case ast.If():
                return _either(self.block(node.body, names), self.block(node.orelse, names))
            case ast.For() | ast.AsyncFor() | ast.While():
                return _either(names, self.block(node.body, names), self.block(node.orelse, names))
            case ast.With() | ast.AsyncWith():
                return self.block(node.body, names)
            case ast.Try() | ast.TryStar():
                return self._tried(node, names)
            case ast.Match():
                return _either(names, *(self.block(case.body, names) for case in node.cases))
            case _:
                return names

    def _inside(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, names: Names) -> None:
        outer = self.function, self.catching
        self.function, self.catching = f"{self.function}.{node.name}".strip("."), []
        if not _abstract(node):
            self.block(node.body, names)
        self.function, self.catching = outer

    def _tried(self, node: ast.Try | ast.TryStar, names: Names) -> Names | None:
        self.catching.append({name for handler in node.handlers if _keeps(handler) for name in _types(handler)})
        tried = self.block(node.body, names)
        self.catching.pop()
        within = _either(names, tried)
        ways = [self.block(handler.body, within or names) for handler in node.handlers]
        after = _either(self.block(node.orelse, tried) if tried is not None else None, *ways)
        final = self.block(node.finalbody, after or names)
        return None if after is None else final

    def _printed(self, name: ast.expr) -> str:
        """An exception's class as a traceback names it: with its module, unless it is Python's own."""
        last = ast.unparse(name).rpartition(".")[2]
        if last in self.classes and not hasattr(builtins, last):
            return f"sglang.{self.module.removesuffix('.py').replace('/', '.')}.{last}"
        return ast.unparse(name)

    def _raised(self, line: int, name: str, said: tuple[Wording, ...]) -> None:
        plain = name.rpartition(".")[2]
        caught = any(plain in types or types & _CATCH_ALL for types in self.catching)
        self.found.append(Message("raise", self.module, line, self.function, said, type=name, caught=caught))

    def _logged(self, call: ast.Call, names: Names) -> Message | None:
        level, arguments = _level(call.func), call.args
        if arguments and isinstance(arguments[0], ast.Name | ast.Attribute) and "logger" in ast.unparse(arguments[0]):
            arguments = arguments[1:]  # a helper is told which logger to use
        if level is None or not arguments:
            return None
        first, *others = arguments
        if others and isinstance(first, ast.Constant) and "%" in str(first.value):
            said = wordings(ast.BinOp(first, ast.Mod(), ast.Tuple(others, ast.Load())), names)
        elif level == "print":
            said = joined([wordings(part, names) for part in arguments])
        else:
            said = wordings(first, names)
        traced = isinstance(call.func, ast.Attribute) and call.func.attr == "exception"
        traced = traced or any(keyword.arg == "exc_info" for keyword in call.keywords)
        return Message(level, self.module, call.lineno, self.function, said, traced=traced)


def _level(function: ast.expr) -> Level | None:
    """What a call prints at; `None` where it is no call that prints."""
    if isinstance(function, ast.Attribute):
        name = function.attr
        if name in _METHODS:
            of = ast.unparse(function.value).lower()
            return _METHODS[name] if "log" in of or of == "warnings" else None
    elif isinstance(function, ast.Name):
        name = function.id
        if name == "print":
            return "print"
    else:
        return None
    if not name.endswith(_HELPERS):
        return None
    return next((level for word, level in _METHODS.items() if word in name), "print" if "print" in name else None)


def _has_text(node: ast.expr) -> bool:
    """Whether a value can be a message: a text, another variable's, or put together from such."""
    match node:
        case ast.Constant(value=value):
            return isinstance(value, str)
        case ast.JoinedStr() | ast.Name():
            return True
        case ast.BinOp(left=left, right=right) | ast.IfExp(body=left, orelse=right):
            return _has_text(left) or _has_text(right)
        case ast.Call(func=ast.Attribute(attr="format" | "join" | "strip" | "rstrip" | "dedent")):
            return True
        case ast.Dict(values=values) | ast.Call(func=ast.Name(id="defaultdict"), args=[_, ast.Dict(values=values)]):
            return all(_has_text(value) for value in values)
        case _:
            return False


def _after_assignment(node: ast.Assign | ast.AnnAssign | ast.AugAssign, names: Names) -> Names:
    """The names after an assignment; a value that is no text makes its name unknown."""
    match node:
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=value)
            | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
        ):
            said = wordings(value, names) if _has_text(value) else ()
        case ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=value) if name in names:
            said = joined([names[name], wordings(value, names)])
        case _:
            return names
    rest = {known: text for known, text in names.items() if known != name}
    return {**rest, name: said} if textual(said) else rest


def _either(*ways: Names | None) -> Names | None:
    """The names after one of several ways; those that end before are no way."""
    open_ways = [way for way in ways if way is not None]
    if len(open_ways) < 2:  # noqa: PLR2004 - nothing to merge
        return open_ways[0] if open_ways else None
    names = dict.fromkeys(name for way in open_ways for name in way)
    return {name: tuple(dict.fromkeys(said for way in open_ways for said in way.get(name, ()))) for name in names}


def _abstract(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> bool:
    """Whether a function only says that a subclass must have one."""
    if isinstance(node, ast.ClassDef):
        return False
    body = [line for line in node.body if not (isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant))]
    return len(body) == 1 and isinstance(body[0], ast.Raise) and "NotImplementedError" in ast.unparse(body[0])


def _keeps(handler: ast.ExceptHandler) -> bool:
    """Whether a handler ends the exception that it catches."""
    return not any(isinstance(node, ast.Raise) for node in ast.walk(handler))


def _types(handler: ast.ExceptHandler) -> set[str]:
    if handler.type is None:
        return {"BaseException"}
    caught = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return {ast.unparse(name).rpartition(".")[2] for name in caught}
