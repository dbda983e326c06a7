"""Functions are compiled once and found by every later run, and whatever has become of what was kept, they work."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

np = pytest.importorskip("numpy")
pytest.importorskip("numba")
compiled = pytest.importorskip("analyzer.scan.fast.compiled")
build = pytest.importorskip("analyzer.scan.fast.build")
kept = pytest.importorskip("analyzer.scan.fast.kept")
machine = pytest.importorskip("analyzer.scan.fast.machine")

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(compiled.__file__).parents[3]


def doubled(number: int) -> int:
    return number * 2


marked = compiled.Compiled(doubled)


def quadrupled(number: int) -> int:
    return marked(marked(number))  # type: ignore[no-any-return]


FUNCTIONS: dict[str, Callable[..., Any]] = {"doubled": doubled, "quadrupled": quadrupled}


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    path = tmp_path / "modules" / "source.py"
    path.parent.mkdir()
    path.write_text("NAME = 1\n", "utf-8")
    return [path]


@pytest.fixture
def builds(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """What was compiled so far."""
    made: list[bytes] = []
    real = build.object_code

    def counted(functions: Any) -> bytes:
        made.append(real(functions))
        return made[-1]

    monkeypatch.setattr(build, "object_code", counted)
    return made


def works(sources: list[Path]) -> bool:
    """Whether the functions give what they should, as machine code without numba."""
    found = compiled.runs(FUNCTIONS, kept.kept_for(sources))
    assert [found["doubled"](21), found["quadrupled"](-3)] == [42, -12]
    return {each.__name__ for each in found.values()} == {"run"}


def test_what_was_compiled_once_is_found(sources: list[Path], builds: list[bytes]) -> None:
    assert works(sources)
    assert works(sources)
    assert len(builds) == 1


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text[:-1],
        lambda text: text[:40],
        lambda text: text[:0],
        lambda text: text + b"more",
        lambda text: text[:100] + bytes([text[100] ^ 1]) + text[101:],
        lambda text: bytes(len(text)),
        lambda text: bytes([text[0] ^ 1]) + text[1:],
    ],
    ids=["cut", "cut short", "empty", "longer", "one bit", "zeros", "for another processor"],
)
def test_what_was_damaged_or_is_foreign_is_compiled_anew(
    sources: list[Path], builds: list[bytes], change: Callable[[bytes], bytes]
) -> None:
    works(sources)
    (path,) = (sources[0].parent / "__pycache__").iterdir()
    whole = path.read_bytes()
    path.write_bytes(change(whole))
    assert works(sources)
    assert len(builds) == 2
    assert kept.kept_for(sources).read() == builds[-1]


def test_code_of_other_sources_is_compiled_anew(sources: list[Path], builds: list[bytes]) -> None:
    works(sources)
    sources[0].write_text("NAME = 2\n", "utf-8")
    assert works(sources)
    assert len(builds) == 2


def test_code_for_another_processor_is_compiled_anew(
    sources: list[Path], builds: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    works(sources)
    monkeypatch.setattr(kept, "processor", lambda: ("another", "+more"))
    assert works(sources)
    assert len(builds) == 2


def test_where_nothing_can_be_kept_every_run_compiles(sources: list[Path], builds: list[bytes], tmp_path: Path) -> None:
    for name in ("modules/__pycache__", "caches"):
        (tmp_path / name).write_bytes(b"a file in its place")
    assert works(sources)
    assert works(sources)
    assert len(builds) == 2


@pytest.fixture
def numba_keeps_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import numba

    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "numba"))


@pytest.mark.usefixtures("numba_keeps_here")
def test_an_object_file_that_wants_what_may_not_be_there_is_never_loaded(
    sources: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = """
        declare i64 @no_such_function(i64)
        define i64 @doubled(i64 %n) { %d = call i64 @no_such_function(i64 %n) ret i64 %d }
    """
    code = machine.target_machine().emit_object(machine.binding.parse_assembly(text))
    asked = []
    monkeypatch.setattr(build, "object_code", lambda functions: asked.append(functions) or code)
    assert not works(sources), "numba calls them"
    assert not works(sources)
    assert len(asked) == 1, "it is not compiled in vain again"


@pytest.mark.usefixtures("numba_keeps_here")
@pytest.mark.parametrize("error", [AttributeError, RuntimeError, NotImplementedError])
def test_where_the_compiler_is_not_as_expected_its_own_ways_are_used(
    sources: list[Path], builds: list[bytes], error: type[Exception]
) -> None:
    def fails(_functions: object) -> bytes:
        raise error

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "object_code", fails)
        assert not works(sources)
    assert works(sources), "and by the next one it is tried again"
    assert len(builds) == 1


def test_without_the_compiler_there_is_no_fast_reading(sources: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "analyzer.scan.fast.build", None)
    with pytest.raises(ImportError):
        compiled.runs(FUNCTIONS, kept.kept_for(sources))


def test_every_function_is_machine_code_in_the_object_file() -> None:
    from analyzer.scan.fast import beside, enclosed, folded_key, kernel, texts, unwrapped

    modules = beside, enclosed, folded_key, kernel, texts, unwrapped
    found = [value for of in modules for value in vars(of).values() if isinstance(value, compiled.Compiled)]
    assert {*compiled._ALL.values()} == {*found}  # noqa: SLF001 - what is marked
    if {value.run.__name__ for value in found} != {"run"}:
        with pytest.raises(machine.RefusedError, match="of another kind here"):
            build.object_code({name: value.__wrapped__ for name, value in compiled._ALL.items()})  # noqa: SLF001 - the same


def test_where_no_machine_code_may_be_made_there_is_no_fast_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise OSError("cannot allocate executable memory")

    monkeypatch.setattr(compiled, "check_jit_execution", refuse)
    with pytest.raises(ImportError):
        compiled.make_ready()


SCRIPT = """
import sys
{before}
from analyzer.bundle import InMemory
from analyzer.catalog import Catalog
from analyzer.parsers.silent import Silent
from analyzer.parsers.steady import Steady
from analyzer.scan import fast
from analyzer.scan.run import Run

known, silent = Steady(Catalog.load()), Silent(Catalog.load())
known.on = silent.on = True
line = b"[2026-02-17 10:02:51 TP1] Decode batch. #running-req: 8, #queue-req: 0\\n"
items = fast.scan(InMemory(line * 100).open(), known, silent, 0)
print(sum(item.lines for item in items if isinstance(item, Run)), "numba" in sys.modules)
"""


def ran(caches: Path, before: str = "") -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(caches)}
    command = [sys.executable, "-c", SCRIPT.format(before=before)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_a_log_is_read_without_numba_when_the_code_is_kept(tmp_path: Path) -> None:
    first, second = ran(tmp_path), ran(tmp_path)
    assert first.stdout.split()[0] == second.stdout.split()[0] == "97", first.stderr + second.stderr
    assert second.stdout.split()[1] == "False"


def test_where_numba_is_not_installed_the_package_is_not_there(tmp_path: Path) -> None:
    done = ran(tmp_path, "sys.modules['numba'] = None")
    assert "ImportError" in done.stderr or "ModuleNotFoundError" in done.stderr


def imported(path: Path) -> set[Path]:
    """Our own modules from which a module takes anything."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("analyzer."):
            found.add(ROOT / f"{(node.module or '').replace('.', '/')}.py")
    return found


@pytest.mark.parametrize("name", ["beside.py", "kernel.py", "texts.py"])
def test_code_depends_on_every_module_that_the_functions_take_anything_from(name: str) -> None:
    folder = Path(compiled.__file__).parent
    named = {(folder / source).resolve() for source in compiled._SOURCES}  # noqa: SLF001 - what the code depends on
    assert {path.name for path in named if not path.is_file()} == set()
    assert imported(folder / name) <= named


@pytest.mark.parametrize("gaps", [lambda: np.arange(10)[::2], lambda: np.zeros((4, 3)).T, lambda: np.arange(9)[::-1]])
def test_an_array_with_gaps_has_no_address(gaps: object) -> None:
    with pytest.raises(ValueError, match="gaps"):
        compiled.address(gaps())  # type: ignore[operator]


def test_a_part_in_one_piece_has_the_address_of_its_first_element() -> None:
    whole_array = np.arange(10, dtype=np.int64)
    assert compiled.address(whole_array[3:]) == compiled.address(whole_array) + 3 * 8
