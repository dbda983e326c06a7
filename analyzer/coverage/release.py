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
_MOST: Final = 20_000  # files; the largest release has a tenth of them
_VERSION: Final = re.compile(r"sglang-(\d+\.\d+[^-]*)")
_TESTS: Final = re.compile(r"(?:^|/)tests?/|(?:^|/)(?:test_|bench_|conftest)[^/]*$|_test\.py$")


class Module(NamedTuple):
    """A source file; `name` is its path inside the package, `srt/managers/scheduler.py`."""

    name: str
    text: str


class Release(NamedTuple):
    """The server's source files of a release, in path order; `version` is empty where the path does not tell it."""

    version: str
    modules: tuple[Module, ...]


def open_release(path: str) -> Release:
    """The release in a wheel, or in a folder that is, or holds, the package `sglang`.

    Raises `UnreadableError` where there is none.
    """
    root = Path(path)
    try:
        found = sorted(_in_folder(root) if root.is_dir() else _in_wheel(root))
    except (OSError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error) as error:
        raise UnreadableError(f"{path}: neither a wheel nor a folder of SGLang's source: {error}") from error
    if not found:
        raise UnreadableError(f"{path}: no server source here; name a wheel of sglang or its unpacked folder")
    version = _VERSION.match(root.name.removesuffix(".whl"))
    return Release(version[1] if version else "", tuple(found))


def _in_folder(root: Path) -> Iterator[Module]:
    for file in list(root.rglob("*.py"))[:_MOST]:
        inner = file.relative_to(root).as_posix()
        name = _of_server(f"{root.resolve().name}/{inner}") or _of_server(f"{_PACKAGE}/{inner}")
        if name and file.stat().st_size <= _LARGEST:
            yield Module(name, file.read_text(encoding="utf-8", errors="replace"))


def _in_wheel(path: Path) -> Iterator[Module]:
    with zipfile.ZipFile(path) as wheel:
        for member in wheel.infolist()[:_MOST]:
            name = _of_server(member.filename)
            if name and member.file_size <= _LARGEST:
                yield Module(name, wheel.read(member).decode("utf-8", errors="replace"))


def _of_server(name: str) -> str:
    """A file's path inside the package; empty where it is no part of the server, or a test of it."""
    parts = PurePosixPath(name).parts
    if _PACKAGE not in parts or not name.endswith(".py"):
        return ""
    after = len(parts) - parts[::-1].index(_PACKAGE)
    inner = "/".join(parts[after:])
    return inner if parts[after] == _SERVER and not _TESTS.search(inner) else ""
