"""Functions over plain memory that are machine code: compiled by the first run that needs them, kept for later ones.

They take numbers and addresses alone: for arrays the compiler would count references at every call, which costs more
than all that is done with them. Whoever calls one holds on to the arrays, and answers for what is read and written.
Nothing else is to be done for one more of them: all that are marked are compiled together, and each can be called.
"""

from __future__ import annotations

from functools import update_wrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar

from llvmlite.binding import check_jit_execution

from analyzer.scan.fast.kept import kept_for
from analyzer.scan.fast.machine import Machine, RefusedError
from analyzer.scan.fast.signature import signature_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from numpy.typing import NDArray

    from analyzer.scan.fast.kept import Kept

P = ParamSpec("P")
R = TypeVar("R")

# What machine code depends on, the first of them under whose name it is kept.
_SOURCES = (
    "kernel.py",
    "beside.py",
    "unwrapped.py",
    "enclosed.py",
    "folded_key.py",
    "texts.py",
    "layout.py",
    "../silence.py",
    "../reach.py",
    "instructions.py",
    "intrinsics.py",
    "signature.py",
    "compiled.py",
    "build.py",
    "machine.py",
)


class Compiled(Generic[P, R]):
    """A function that is called as machine code, which `make_ready` finds."""

    run: Callable[P, R]
    __wrapped__: Callable[P, R]

    def __init__(self, function: Callable[P, R]) -> None:
        update_wrapper(self, function)

    def __call__(self, *given: P.args, **named: P.kwargs) -> R:
        """What the machine code makes of the same."""
        return self.run(*given, **named)


_ALL: dict[str, Compiled[..., Any]] = {}


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Marks a function that is to be machine code, and calls others that are, or `instructions`."""
    marked = Compiled(function)
    _ALL[f"{function.__module__}.{function.__qualname__}"] = marked
    return marked


def make_ready() -> None:
    """Finds machine code for every function that is marked; numba is imported if none is kept, or none can be."""
    try:
        check_jit_execution()
    except OSError as error:
        raise ImportError("no machine code may be made here") from error
    functions = {name: marked.__wrapped__ for name, marked in _ALL.items()}
    for name, run in runs(functions, kept_for(Path(__file__).parent / source for source in _SOURCES)).items():
        _ALL[name].run = run


def runs(functions: Mapping[str, Callable[..., Any]], kept: Kept) -> dict[str, Callable[..., Any]]:
    """What does the work of each function."""
    try:
        machine = _machine(functions, kept)
        return {
            name: signature_of(function).call(machine.address(name), machine) for name, function in functions.items()
        }
    except ImportError:  # without numba there is nothing else
        raise
    except Exception:  # noqa: BLE001 - this reaches into another program's works; what that promises is the other way
        from analyzer.scan.fast.build import dispatchers  # noqa: PLC0415 - imports numba

        return dispatchers(functions, kept.depends.hex()[:16])


def _machine(functions: Mapping[str, Callable[..., Any]], kept: Kept) -> Machine:
    code = kept.read()
    if code is not None:
        return Machine(code)
    from analyzer.scan.fast.build import object_code  # noqa: PLC0415 - imports numba

    try:
        code = object_code(functions)
        machine = Machine(code)
    except RefusedError:
        kept.write(b"")  # so that it is not compiled in vain every time
        raise
    kept.write(code)
    return machine


def addresses(arrays: Iterable[NDArray[Any]]) -> Any:
    """The addresses of several arrays, to be handed on as arguments."""
    return [address(array) for array in arrays]


def address(array: NDArray[Any]) -> int:
    """Where the array's first element lies; the array must lie in one piece."""
    if not array.flags.c_contiguous:
        raise ValueError("the array has gaps")
    return int(array.ctypes.data)
