"""Files and folders become one list in which every id stands once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from analyzer.catalog.load import load, shipped_folder
from analyzer.errors import PatternError

if TYPE_CHECKING:
    from pathlib import Path


def written(path: Path, identity: str, extra: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"[[pattern]]\nid = '{identity}'\nharmless = 'why'\nliteral = 'x'\nregex = 'x'\n{extra}", "utf-8")
    return path


def test_a_folder_is_read_in_path_order_with_its_folders(tmp_path: Path) -> None:
    written(tmp_path / "b.toml", "second")
    written(tmp_path / "a" / "z.toml", "first")
    (tmp_path / "notes.md").write_text("no pattern", "utf-8")
    assert [(p.id, p.file) for p in load([tmp_path])] == [("first", "a/z.toml"), ("second", "b.toml")]


def test_an_id_that_stands_twice_is_refused_with_both_files(tmp_path: Path) -> None:
    written(tmp_path / "a.toml", "same")
    written(tmp_path / "b.toml", "same")
    with pytest.raises(PatternError, match=r"b\.toml: pattern same: id: already used in a\.toml"):
        load([tmp_path])


def test_a_neighbour_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "a.toml", "one", "also = ['two']")
    with pytest.raises(PatternError, match="pattern one: also: there is no pattern 'two'"):
        load([path])


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(PatternError, match=r"none\.toml: cannot be read"):
        load([tmp_path / "none.toml"])
    (tmp_path / "latin.toml").write_bytes(b"# \xe9")
    with pytest.raises(PatternError, match=r"latin\.toml: cannot be read"):
        load([tmp_path / "latin.toml"])


def test_the_shipped_folder_holds_patterns() -> None:
    assert any(shipped_folder().rglob("*.toml"))
