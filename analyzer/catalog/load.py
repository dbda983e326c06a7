"""Files and folders of patterns to one list: every id once, every cross-reference there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from analyzer.catalog.read import read
from analyzer.errors import PatternError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from analyzer.catalog.definition import Pattern

_OTHER_FORM = "secrets"


def shipped_folder() -> Path:
    """The folder of the patterns that come with the program: beside `pyproject.toml`, else inside the package."""
    package = Path(__file__).resolve().parent.parent
    checkout = package.parent / "patterns"
    if (package.parent / "pyproject.toml").is_file() and checkout.is_dir():
        return checkout
    return package / "_patterns"


def load(paths: Iterable[Path], *, trusted: bool = False) -> tuple[Pattern, ...]:
    """The patterns of all TOML files under `paths` (files or folders), in path order.

    `trusted` leaves out the compilation of every expression, for files that a test has already checked.
    Raises `PatternError` with file, pattern and key for whatever is wrong, an unreadable path included.
    """
    found: dict[str, Pattern] = {}
    for root in paths:
        for path in _files(root):
            for pattern in read(_text(path), _name(path, root), trusted=trusted):
                if pattern.id in found:
                    first = found[pattern.id].file
                    raise PatternError(f"{pattern.file}: pattern {pattern.id}: id: already used in {first}")
                found[pattern.id] = pattern
    for pattern in found.values():
        for other in pattern.also:
            if other not in found:
                raise PatternError(f"{pattern.file}: pattern {pattern.id}: also: there is no pattern {other!r}")
    return tuple(found.values())


def _files(root: Path) -> list[Path]:
    """All pattern files below a folder; what must not leave a report (`secrets/`) has a form of its own."""
    if not root.is_dir():
        return [root]
    return sorted(p for p in root.rglob("*.toml") if p.relative_to(root).parts[0] != _OTHER_FORM)


def _name(path: Path, root: Path) -> str:
    return path.name if path == root else path.relative_to(root).as_posix()


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise PatternError(f"{path}: cannot be read: {error}") from error
