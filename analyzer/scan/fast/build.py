"""Compiles functions to the machine code of one object file. Imports numba: needed once, as what it makes is kept."""

from __future__ import annotations

from contextlib import suppress
from ctypes import c_double, c_int64, c_uint64
from functools import cache
from types import FunctionType
from typing import TYPE_CHECKING, Any, get_args, get_origin, get_type_hints

import numba
from llvmlite import binding

from analyzer.scan.fast.intrinsics import INTRINSICS
from analyzer.scan.fast.machine import RefusedError, is_readable, target_machine
from analyzer.scan.fast.signature import signature_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Functions = Mapping[str, Callable[..., Any]]

_njit: Any = numba.njit  # has options that it does not tell of
_ALONE = {"nogil": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}  # called by no interpreter
_KINDS = {c_int64: "i64", c_uint64: "i64", c_double: "double"}
_OWN = 2  # what the code is given before the numbers


def object_code(functions: Functions) -> bytes:
    """An object file that defines every function under its name, to be called as `signature` has it."""
    target = target_machine()
    if not is_readable(target.emit_object(binding.parse_assembly(""))):
        raise RefusedError("object files are of another kind here")
    made = _compilable(functions, _njit(**_ALONE))
    whole, symbols = binding.parse_assembly(""), {}
    for name, function in functions.items():
        symbols[name], module = _compiled(function, made[name])
        whole.link_in(module)
    for name, symbol in symbols.items():
        whole.get_function(symbol).name = name
    _inline(whole, target)
    return bytes(target.emit_object(whole))


def _inline(module: binding.ModuleRef, target: binding.TargetMachine) -> None:
    """Has every function take in all that it calls: a call would hand on each number of a tuple, some hundred."""
    for function in module.functions:
        if not function.is_declaration:
            function.add_function_attribute("alwaysinline")
    passes = binding.create_pass_builder(target, binding.create_pipeline_tuning_options(speed_level=3))
    passes.getModulePassManager().run(module, passes)


def _compiled(function: Callable[..., Any], dispatcher: Any) -> tuple[str, binding.ModuleRef]:
    """The symbol of a function, and a module that defines it and all that it calls."""
    signature = signature_of(function)
    kinds = tuple(_kind(each) for each in signature.given)
    dispatcher.compile(kinds)
    overload = dispatcher.overloads[kinds]
    symbol = overload.fndesc.llvm_func_name
    module = binding.parse_assembly(dispatcher.inspect_llvm(kinds))
    given = [str(argument.type) for argument in module.get_function(symbol).arguments]
    if (
        overload.library.has_dynamic_globals  # addresses in this process
        or overload.signature.return_type != _kind(signature.result)
        or given[_OWN:] != [_KINDS[number] for number in signature.numbers()]
    ):
        raise RefusedError(f"{function.__name__} is not what its annotations say")
    return symbol, module


def dispatchers(functions: Functions, mark: str) -> dict[str, Any]:
    """The functions as numba itself compiles, keeps and calls them; the mark tells apart what it kept."""

    def quick(function: FunctionType) -> Any:
        function.__qualname__ += f"_{mark}"  # a part of the name under which it is kept
        with suppress(RuntimeError):  # numba's word for there being no place to keep it
            return _njit(nogil=True, cache=True)(function)
        return _njit(nogil=True)(function)

    return _compilable(functions, quick)


def _compilable(functions: Functions, made: Callable[[FunctionType], Any]) -> dict[str, Any]:
    """The functions, each `made` of a copy that sees the others so, and what the compiler has for instructions."""
    scopes: dict[int, dict[str, Any]] = {}
    found = {}
    for name, function in functions.items():
        assert isinstance(function, FunctionType)  # noqa: S101 - nothing else is marked
        scope = scopes.setdefault(id(function.__globals__), dict(function.__globals__))
        copy = FunctionType(function.__code__, scope, function.__name__)
        copy.__qualname__ = function.__qualname__
        found[name] = made(copy)
    others = INTRINSICS | {function: found[name] for name, function in functions.items()}
    for scope in scopes.values():
        for name, value in scope.items():
            function = getattr(value, "__wrapped__", value)
            if isinstance(function, FunctionType):
                scope[name] = others.get(function, value)
    return found


@cache
def _kind(kind: Any) -> Any:
    """The compiler's own name for a type."""
    return numba.typeof(_example(kind))  # type: ignore[no-untyped-call]


def _example(kind: Any) -> Any:
    if hasattr(kind, "_fields"):
        return kind(*map(_example, get_type_hints(kind).values()))
    if get_origin(kind) is tuple:
        return tuple(map(_example, get_args(kind)))
    return None if kind is type(None) else kind(0)
