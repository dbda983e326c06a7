"""Machine code that is kept for later runs: for these sources, this compiler and this processor, and no others.

Whatever a file of it may have gone through, it is either what was written or not read at all.
"""

from __future__ import annotations

import os
from contextlib import suppress
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from sys import version
from typing import TYPE_CHECKING, NamedTuple

import llvmlite

from analyzer.scan.fast.machine import processor

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_OWN = "sglang-postmortem"


class Kept(NamedTuple):
    """Machine code in a file of this name, in one of these folders.

    The file holds two checksums before the code: of what it depends on, and of itself. Files and folders that others
    may write are not for code that is to be run.
    """

    name: str
    depends: bytes
    folders: tuple[Path, ...]

    def read(self) -> bytes | None:
        """The code, if it was kept."""
        for folder in self.folders:
            with suppress(OSError):
                text = _own(folder / self.name)
                code = text[len(self._head(b"")) :]
                if text == self._head(code) + code:
                    return code
        return None

    def write(self, code: bytes) -> None:
        """Keeps the code, if that can be."""
        for folder in self.folders:
            draft = folder / f"{self.name}.{os.urandom(8).hex()}"
            with suppress(OSError):
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                if not _is_own(folder.stat()):
                    continue
                try:
                    draft.write_bytes(self._head(code) + code)
                    draft.replace(folder / self.name)
                finally:
                    draft.unlink(missing_ok=True)
                return

    def _head(self, code: bytes) -> bytes:
        return self.depends + sha256(code).digest()


def _own(path: Path) -> bytes:
    """What is in a file that nobody else may write. Raises `OSError` for others."""
    with os.fdopen(
        os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)), "rb"
    ) as file:
        if not _is_own(os.fstat(file.fileno())) or not _is_own(path.parent.stat()):
            raise PermissionError(path)
        return file.read()


def _is_own(found: os.stat_result) -> bool:
    """Whether only this user, or the system's owner, may write it; Windows has other means than these."""
    if not hasattr(os, "geteuid"):
        return True
    return found.st_uid in {0, os.geteuid()} and not found.st_mode & 0o022


def kept_for(sources: Iterable[Path]) -> Kept:
    """Where the code is kept that depends on some modules; the first of them gives it its name and the first place."""
    first, *others = sources
    try:
        texts = [path.read_bytes() for path in (first, *others, *_compiler())]
    except OSError:  # without them nothing would tell when the code is out of date
        return Kept("", b"", ())
    depends = sha256("\n".join((version, llvmlite.__version__, *processor())).encode())
    for text in texts:
        depends.update(sha256(text).digest())
    name = f"{first.stem}-{depends.hexdigest()[:16]}.machine"
    return Kept(name, depends.digest(), tuple(_folders(first.parent)))


def _compiler() -> Iterator[Path]:
    """The file in which numba says its version, which is read without importing it."""
    spec = find_spec("numba")
    if spec and spec.origin:
        version_file = Path(spec.origin).with_name("_version.py")
        yield from [version_file] if version_file.is_file() else []


def _folders(beside: Path) -> Iterator[Path]:
    """Where numba would keep what it compiles."""
    if chosen := os.environ.get("NUMBA_CACHE_DIR"):
        yield from [Path(chosen)] if Path(chosen).is_absolute() else []  # no folder that came with an incident
    yield beside / "__pycache__"
    with suppress(RuntimeError):  # nobody's home is known
        caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        yield from [caches / _OWN] if caches.is_absolute() else []
