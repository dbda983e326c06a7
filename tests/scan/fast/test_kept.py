"""What is read back is what was written, for the same sources, compiler and processor, or nothing at all."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

kept = pytest.importorskip("analyzer.scan.fast.kept")

if TYPE_CHECKING:
    from pathlib import Path

CODE = b"machine code " * 50


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    folder = tmp_path / "modules"
    folder.mkdir()
    paths = [folder / "first.py", folder / "second.py"]
    for path in paths:
        path.write_text(f"NAME = {path.stem!r}\n", "utf-8")
    return paths


def only_file(folder: Path) -> Path:
    (found,) = folder.iterdir()
    return found


def test_nothing_is_read_where_nothing_was_kept(sources: list[Path]) -> None:
    assert kept.kept_for(sources).read() is None


@pytest.mark.parametrize("code", [CODE, b""])
def test_code_is_kept_beside_the_modules(sources: list[Path], code: bytes) -> None:
    kept.kept_for(sources).write(code)
    assert kept.kept_for(sources).read() == code
    name = only_file(sources[0].parent / "__pycache__").name
    assert name.startswith("first-")
    assert name.endswith(".machine")


@pytest.mark.parametrize("index", [0, 1])
def test_code_of_other_sources_is_not_read(sources: list[Path], index: int) -> None:
    kept.kept_for(sources).write(CODE)
    sources[index].write_text("NAME = 'another'\n", "utf-8")
    assert kept.kept_for(sources).read() is None


@pytest.mark.parametrize(
    ("name", "value"),
    [("processor", lambda: ("another", "+avx")), ("version", "9.9.9"), ("_compiler", list)],
)
def test_code_for_another_processor_or_by_another_compiler_is_not_read(
    sources: list[Path], monkeypatch: pytest.MonkeyPatch, name: str, value: Any
) -> None:
    ours = kept.kept_for(sources)
    ours.write(CODE)
    monkeypatch.setattr(kept, name, value)
    foreign = kept.kept_for(sources)
    assert foreign.read() is None
    assert foreign._replace(name=ours.name).read() is None, "even under the same name"


def test_the_version_of_the_compiler_is_told_without_importing_it() -> None:
    pytest.importorskip("numba")
    (path,) = kept._compiler()  # noqa: SLF001 - where it looks
    assert "version" in path.read_text("utf-8")


@given(st.integers(0, 64 + len(CODE) - 1), st.integers(1, 255))
def test_a_file_with_any_byte_changed_is_not_read(tmp_path_factory: pytest.TempPathFactory, at: int, by: int) -> None:
    damaged(tmp_path_factory, lambda text: text[:at] + bytes([text[at] ^ by]) + text[at + 1 :])


@pytest.mark.parametrize("size", [0, 1, 31, 32, 63, 64, 65, 63 + len(CODE)])
def test_a_file_that_was_cut_is_not_read(tmp_path_factory: pytest.TempPathFactory, size: int) -> None:
    damaged(tmp_path_factory, lambda text: text[:size])


def test_a_file_with_more_behind_it_is_not_read(tmp_path_factory: pytest.TempPathFactory) -> None:
    damaged(tmp_path_factory, lambda text: text + b"\0")


def damaged(folders: pytest.TempPathFactory, change: Any) -> None:
    place = kept.Kept("code", b"d" * 32, (folders.mktemp("kept"),))
    place.write(CODE)
    path = only_file(place.folders[0])
    path.write_bytes(change(path.read_bytes()))
    assert place.read() is None
    place.write(CODE)
    assert place.read() == CODE


def test_a_folder_that_cannot_be_written_is_passed_over(sources: list[Path], tmp_path: Path) -> None:
    (sources[0].parent / "__pycache__").write_bytes(b"a file in its place")
    kept.kept_for(sources).write(CODE)
    assert kept.kept_for(sources).read() == CODE
    assert only_file(tmp_path / "caches" / "sglang-postmortem").read_bytes().endswith(CODE)


def test_where_nothing_can_be_written_nothing_is_kept(sources: list[Path], tmp_path: Path) -> None:
    for name in ("modules/__pycache__", "caches"):
        (tmp_path / name).write_bytes(b"a file in its place")
    kept.kept_for(sources).write(CODE)
    assert kept.kept_for(sources).read() is None


def test_the_folder_that_is_chosen_for_numba_comes_first(
    sources: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "chosen"))
    kept.kept_for(sources).write(CODE)
    assert only_file(tmp_path / "chosen").read_bytes().endswith(CODE)
    assert kept.kept_for(sources).read() == CODE


def test_a_relative_folder_for_caches_is_none(sources: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "caches")
    assert kept.kept_for(sources).folders == (sources[0].parent / "__pycache__",)


def test_whoever_has_no_home_has_no_folder_for_caches(sources: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> None:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME")
    assert kept.kept_for(sources).folders[1:] == (kept.Path.home() / ".cache" / "sglang-postmortem",)
    monkeypatch.setattr(kept.Path, "home", homeless)
    assert kept.kept_for(sources).folders == (sources[0].parent / "__pycache__",)


def test_without_a_source_nothing_is_kept(sources: list[Path]) -> None:
    sources[1].unlink()
    kept.kept_for(sources).write(CODE)
    assert not [*sources[0].parent.glob("*/*")]


def test_who_writes_at_the_same_time_leaves_one_whole_file(tmp_path: Path) -> None:
    place = kept.Kept("code", b"d" * 32, (tmp_path,))
    codes = [os.urandom(size) for size in (0, 10, 1000, 300_000)]
    place.write(codes[0])
    with ThreadPoolExecutor(4) as pool:
        writing = [pool.submit(place.write, code) for code in codes * 20]
        while not all(done.done() for done in writing):
            assert place.read() in codes
    assert only_file(tmp_path).name == "code"


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o702])
def test_code_is_neither_kept_in_a_folder_that_others_may_write_nor_read_from_one(
    sources: list[Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, mode: int
) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(shared))
    kept.kept_for(sources).write(CODE)
    assert kept.kept_for(sources).read() == CODE
    shared.chmod(mode)
    assert kept.kept_for(sources).read() is None
    kept.kept_for(sources).write(b"other")
    assert kept.kept_for(sources).read() == b"other", "in the next folder"


def test_a_file_that_others_may_write_or_a_link_is_not_read(
    sources: list[Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "own"))
    ours = kept.kept_for(sources)
    ours.write(CODE)
    file = tmp_path / "own" / ours.name
    file.chmod(0o666)
    assert ours.read() is None
    file.chmod(0o600)
    assert ours.read() == CODE
    file.replace(tmp_path / "elsewhere")
    file.symlink_to(tmp_path / "elsewhere")
    assert ours.read() is None


def test_a_folder_named_from_where_one_stands_is_not_used(sources: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", "incident")
    assert not any("incident" in folder.parts for folder in kept.kept_for(sources).folders)
