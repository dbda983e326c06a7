"""The Python files of an SGLang release, from a wheel or a folder: read as text, nothing unpacked, imported or run."""

from __future__ import annotations

import re
import zipfile
import zlib
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final, NamedTuple

from analyzer.errors import UnreadableError

if TYPE_CHECKING:
    from collections.abc import Iterator

_PACKAGE: Final = "sglang"
_SERVER: Final = "srt"  # of the package, the part that a server runs
_LARGEST: Final = 4 * 1024 * 1024  # bytes of one file; the largest in a release has a tenth of it
_MOST: Final = 20_000  # files
_VERSION: Final = re.compile(r"sglang-(\d+\.\d+[^-]*)-")
_TESTS: Final = re.compile(r"(?:^|/)tests?/|(?:^|/)(?:test_|bench_|conftest)[^/]*$|_test\.py$")


class Module(NamedTuple):
    """A source file; `name` is its path inside the package, `srt/managers/scheduler.py`."""

    name: str
    text: str


class Release(NamedTuple):
    """The server's source files of a release, in path order; `version` is empty where nothing tells it."""

    version: str
    modules: tuple[Module, ...]


def open_release(path: str) -> Release:
    """The release in a wheel, or in a folder that is, or holds, the package `sglang`.

    Raises `UnreadableError` where there is none.
    """
    root = Path(path)
    try:
        found = sorted(_in_folder(root) if root.is_dir() else _in_wheel(root))
    except (OSError, zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError, EOFError) as error:
        raise UnreadableError(f"{path}: neither a wheel nor a folder of SGLang's source: {error}") from error
    if not found:
        raise UnreadableError(f"{path}: no server source here; name a wheel of sglang or its unpacked folder")
    version = _VERSION.match(root.name)
    return Release(version[1] if version else "", tuple(found))


def _in_folder(root: Path) -> Iterator[Module]:
    for file in root.rglob("*.py"):
        name = _inside(file.relative_to(root.parent).as_posix()) or _inside(f"{_PACKAGE}/{file.relative_to(root)}")
        if name and file.stat().st_size <= _LARGEST:
            yield Module(name, file.read_text(encoding="utf-8", errors="replace"))


def _in_wheel(path: Path) -> Iterator[Module]:
    with zipfile.ZipFile(path) as wheel:
        for member in wheel.infolist()[:_MOST]:
            name = _inside(member.filename)
            if name and member.file_size <= _LARGEST:
                yield Module(name, wheel.read(member).decode("utf-8", errors="replace"))


def _inside(name: str) -> str:
    """The path inside the package, empty where the file is no part of the server."""
    parts = PurePosixPath(name).parts
    if _PACKAGE not in parts or not name.endswith(".py"):
        return ""
    inner = parts[len(parts) - 1 - parts[::-1].index(_PACKAGE) + 1 :]
    joined = "/".join(inner)
    return joined if inner[:1] == (_SERVER,) and not _TESTS.search(joined) else ""
