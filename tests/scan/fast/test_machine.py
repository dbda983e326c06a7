"""An object file is loaded if all that it wants is there for certain, and is refused otherwise: it would end the process."""

from __future__ import annotations

from ctypes import CFUNCTYPE, addressof, c_int64, c_void_p, create_string_buffer
from types import SimpleNamespace

import pytest

binding = pytest.importorskip("llvmlite.binding")
machine = pytest.importorskip("analyzer.scan.fast.machine")

DOUBLED = "define i64 @doubled(i64 %n) { %d = add i64 %n, %n ret i64 %d }"
COPIED = """
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define i64 @copied(ptr %to, ptr %from, i64 %n) { call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %n, i1 false) ret i64 %n }
"""
FOREIGN = """
declare i64 @no_such_function(i64)
define i64 @foreign(i64 %n) { %d = call i64 @no_such_function(i64 %n) ret i64 %d }
"""


def code(text: str) -> bytes:
    """An object file of a text in LLVM's language."""
    found: bytes = machine.target_machine().emit_object(binding.parse_assembly(text))
    if not machine.is_readable(found):
        pytest.skip("object files are of another kind here")
    return found


def test_a_function_is_found_and_runs() -> None:
    held = machine.Machine(code(DOUBLED))
    assert CFUNCTYPE(c_int64, c_int64)(held.address("doubled"))(21) == 42


def test_two_object_files_with_the_same_names_do_not_meet() -> None:
    first, second = machine.Machine(code(DOUBLED)), machine.Machine(code(DOUBLED.replace("%n, %n", "%n, 1")))
    results = [CFUNCTYPE(c_int64, c_int64)(held.address("doubled"))(21) for held in (first, second)]
    assert results == [42, 22]


def test_what_every_c_library_has_may_be_wanted() -> None:
    assert machine.symbols(code(COPIED)).wanted <= {"memcpy"}
    held = machine.Machine(code(COPIED))
    source, target = create_string_buffer(b"text" * 100), create_string_buffer(400)
    copied = CFUNCTYPE(c_int64, c_void_p, c_void_p, c_int64)(held.address("copied"))
    assert copied(addressof(target), addressof(source), 400) == 400
    assert target.raw == b"text" * 100


def test_anything_else_that_is_wanted_is_refused() -> None:
    found = code(FOREIGN)
    assert machine.symbols(found) == machine.Symbols(machine.symbols(found).defined, frozenset({"no_such_function"}))
    with pytest.raises(machine.RefusedError, match="no_such_function"):
        machine.Machine(found)


def test_an_object_file_without_symbols_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binding.ObjectFileRef, "from_data", lambda _code: SimpleNamespace(sections=list))
    with pytest.raises(machine.RefusedError, match="no symbols"):
        machine.symbols(code(DOUBLED))


def test_what_should_be_there_but_is_not_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "_OUTSIDE", frozenset({"no_such_function"}))
    with pytest.raises(machine.RefusedError, match="no_such_function"):
        machine.Machine(code(FOREIGN))


@pytest.mark.parametrize("text", [b"", b"\x7fELF", b"\xcf\xfa\xed\xfe\x0c\x00\x00\x01", b"MZ" + bytes(100)])
def test_what_is_no_known_object_file_is_refused(text: bytes) -> None:
    with pytest.raises(machine.RefusedError):
        machine.Machine(text)


def test_a_function_that_is_not_there_is_refused() -> None:
    held = machine.Machine(code(DOUBLED))
    with pytest.raises(machine.RefusedError, match="tripled"):
        held.address("tripled")


def test_a_processor_that_cannot_be_asked_has_no_features(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise RuntimeError

    monkeypatch.setattr(binding, "get_host_cpu_features", refuse)
    assert machine.processor() == (binding.get_host_cpu_name(), "")
