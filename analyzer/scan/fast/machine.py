"""Machine code in an object file, loaded into this process by llvmlite alone."""

from __future__ import annotations

from contextlib import suppress
from struct import iter_unpack
from typing import NamedTuple

from llvmlite import binding

# From outside of itself the code may want what every C library has: anything that is missing would end the process.
_OUTSIDE = frozenset({"memcmp", "memcpy", "memmove", "memset"})
_ELF = b"\x7fELF\x02\x01"  # of 64 bits, the lowest byte first
_NOWHERE = 0


class RefusedError(Exception):
    """An object file that is not as expected."""


class Symbols(NamedTuple):
    """The names that an object file defines, and those that it wants."""

    defined: frozenset[str]
    wanted: frozenset[str]


class Machine:
    """The functions of an object file, for as long as this is held."""

    def __init__(self, code: bytes) -> None:
        self._symbols = symbols(code)
        if strange := {name for name in self._symbols.wanted if not _is_known(name)}:
            raise RefusedError(f"wants {', '.join(sorted(strange))}")
        self._engine = binding.create_mcjit_compiler(binding.parse_assembly(""), target_machine())
        self._engine.add_object_file(binding.ObjectFileRef.from_data(code))
        self._engine.finalize_object()

    def address(self, name: str) -> int:
        """Where a function begins."""
        if name not in self._symbols.defined:
            raise RefusedError(f"has no {name}")
        return int(self._engine.get_function_address(name))


def target_machine() -> binding.TargetMachine:
    """The processor that runs the program, with all that it can."""
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    target = binding.Target.from_triple(binding.get_process_triple())
    reloc = "static" if target.name.startswith("x86") else "default"
    name, features = processor()
    return target.create_target_machine(name, features, opt=3, reloc=reloc, codemodel="jitdefault", jit=True)


def processor() -> tuple[str, str]:
    """The name of this processor, and what it can."""
    features = ""
    with suppress(RuntimeError):  # not every kind can be asked
        features = binding.get_host_cpu_features().flatten()
    return binding.get_host_cpu_name(), features


def is_readable(code: bytes) -> bool:
    """Whether an object file is of the kind whose symbols are understood here."""
    return code.startswith(_ELF)


def symbols(code: bytes) -> Symbols:
    """The names in an object file."""
    if not is_readable(code):
        raise RefusedError("is no object file of a known kind")
    sections = {section.name(): bytes(section.data()) for section in binding.ObjectFileRef.from_data(code).sections()}
    if not {b".strtab", b".symtab"} <= sections.keys():
        raise RefusedError("has no symbols")
    names = sections[b".strtab"]
    defined: set[str] = set()
    wanted: set[str] = set()
    for start, _, _, section, _, _ in iter_unpack("<IBBHQQ", sections[b".symtab"]):
        name = names[start : names.index(b"\0", start)].decode()
        (wanted if section == _NOWHERE else defined).add(name)
    return Symbols(frozenset(defined), frozenset(wanted - {""}))  # the first symbol has no name


def _is_known(name: str) -> bool:
    return name in _OUTSIDE and binding.address_of_symbol(name) is not None
