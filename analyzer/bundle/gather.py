"""Paths of the command line to named sources: folders walked, archives listed, whatever is unsafe refused by name."""

from __future__ import annotations

import os
import stat
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from analyzer.bundle.answer import MEMBER, Answer, begins
from analyzer.bundle.archive import Members, members_of
from analyzer.bundle.own import is_enclosed, is_report
from analyzer.bundle.reread import reread
from analyzer.bundle.source import Compressed, InMemory, OnDisk, Origin, Source
from analyzer.bundle.stream import method_of
from analyzer.errors import UnreadableError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from analyzer.evidence import Ref

MAX_SOURCES = 10_000
MAX_DEPTH = 3
STDIN = "-"
_SKIPPED = frozenset({"__MACOSX", "CVS", "__pycache__"})
_PROBE = 64 * 1024


@dataclass(slots=True)
class Bundle:
    """What is to be read: sources in a stable order, and one sentence for each input that cannot be."""

    sources: list[Source] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    @property
    def size(self) -> int | None:
        """How many bytes there are to read; `None` where some are packed, and only reading them tells."""
        packed = any(isinstance(source.origin, Compressed | Answer) for source in self.sources)
        return None if packed else sum(source.size for source in self.sources)

    def lines(self, refs: Iterable[Ref]) -> dict[Ref, str]:
        """The text of the cited lines, read again; a line that is no longer there is left out."""
        return reread({source.name: source for source in self.sources}, refs)


def gather(paths: Sequence[str]) -> Bundle:
    """Everything under `paths`: files, folders, archives, `-` for standard input. Never raises on what it finds."""
    bundle = Bundle()
    add = _Adder(bundle)
    for path, label in zip(paths, _labels(paths), strict=True):
        if path == STDIN:
            add.expand("stdin", _stdin(), depth=0)
        else:
            _add_path(Path(path), label, add, alone=len(paths) == 1)
    return bundle


def opened(name: str, data: bytes) -> Bundle:
    """What a file of this name and these bytes would give."""
    bundle = Bundle()
    _Adder(bundle).expand(name, InMemory(data), depth=0)
    return bundle


def _labels(paths: Sequence[str]) -> list[str]:
    """What each path is called: its last part, and the whole where two would be called alike."""
    names = [path if path == STDIN else Path(path).name or path for path in paths]
    return [name if names.count(name) == 1 else path for name, path in zip(names, paths, strict=True)]


def _stdin() -> InMemory:
    return InMemory(sys.stdin.buffer.read())


def _add_path(path: Path, label: str, add: _Adder, *, alone: bool) -> None:
    if not path.is_dir():
        _add_file(path, label if path.exists() else str(path), add, given=True)
        return
    before = add.seen
    for found in _walk(path, add):
        relative = found.relative_to(path).as_posix()
        _add_file(found, relative if alone else f"{label}/{relative}", add)
    if add.seen == before:
        add.refuse(str(path), "the folder holds no files")


def _walk(folder: Path, add: _Adder) -> Iterator[Path]:
    """Files below the folder, by name; hidden ones and version control left out, links to folders not followed."""

    def blocked(error: OSError) -> None:
        add.refuse(str(error.filename), f"cannot be read ({error.strerror or error})")

    for where, folders, files in os.walk(folder, onerror=blocked):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _SKIPPED)
        for name in sorted(files):
            if not name.startswith("."):
                yield Path(where, name)


def _add_file(path: Path, name: str, add: _Adder, *, given: bool = False) -> None:
    """Adds a file; a pipe only where it was `given` by name, and somebody writes to it."""
    try:
        mode = path.stat().st_mode
        if stat.S_ISREG(mode):
            add.expand(name, OnDisk(path), depth=0)
        elif not stat.S_ISFIFO(mode):
            add.refuse(name, f"is a {'socket' if stat.S_ISSOCK(mode) else 'device'}, not a file")
        elif not given:
            add.refuse(name, "is a pipe, not a file")
        elif (data := _piped(path)) is not None:
            add.expand(name, InMemory(data), depth=0)  # `<(kubectl logs …)` can be read only once
        else:
            add.refuse(name, "is a pipe that nobody writes to")
    except FileNotFoundError:
        add.refuse(name, "a link that leads nowhere" if path.is_symlink() else "no such file or folder")
    except (OSError, ValueError) as error:
        add.refuse(name, f"cannot be read ({getattr(error, 'strerror', None) or error})")


def _piped(path: Path) -> bytes | None:
    """What is written to the pipe up to its end; `None`, without waiting, where nobody holds its other end."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    with os.fdopen(descriptor, "rb") as pipe:
        try:
            first = os.read(descriptor, 1)
        except BlockingIOError:
            first = b""  # there is a writer, and it has not written yet
        else:
            if not first:
                return None
        os.set_blocking(descriptor, True)
        return first + pipe.read()


class _Adder:
    """Puts sources into a bundle, archives and compressed files opened up on the way."""

    def __init__(self, bundle: Bundle) -> None:
        self.bundle = bundle
        self._full = False

    @property
    def seen(self) -> int:
        """How many inputs were taken or refused."""
        return len(self.bundle.sources) + len(self.bundle.errors)

    def refuse(self, name: str, why: str) -> None:
        """Notes that an input is not read, and why."""
        self.bundle.errors.append(f"{name}: {why}")

    def expand(self, name: str, origin: Origin, *, depth: int) -> None:
        """Adds a file; an archive gives its members instead, a compressed file its content under the same name.

        The answer to a query for log entries gives these entries.
        """
        try:
            plain, head, size = self._probe(origin)
        except (OSError, UnreadableError) as error:
            why = getattr(error, "strerror", None) or error
            self.refuse(name, f"cannot be read ({why})")
            return
        members = members_of(plain, head) if depth < MAX_DEPTH else None
        if members is not None:
            self._add_members(name, members, depth)
            return
        if is_enclosed(head):
            return
        if is_report(head):
            self.refuse(name, "is a report of this program, not evidence")
            return
        if begins(head):
            name, plain = f"{name}!{MEMBER}", Answer(plain)
        self._add(Source(name, size, plain))

    def _probe(self, origin: Origin) -> tuple[Origin, bytes, int]:
        """The origin with its compression undone, the first bytes, and the size as stored."""
        size = _stored(origin)
        head = _head(origin)
        method = method_of(head)
        if method:
            origin = Compressed(origin, method)
            head = _head(origin)
        return origin, head, size

    def _add_members(self, name: str, members: Members, depth: int) -> None:
        found = 0
        for inner, origin in members.files:
            if _hidden(inner):
                continue
            found += 1
            self.expand(f"{name}!{inner}", origin, depth=depth + 1)
            if self._full:
                return
        for why in members.refused:
            self.bundle.errors.append(f"{name}{why}")
        if not found and not members.refused:
            self.refuse(name, "the archive holds no files")

    def _add(self, source: Source) -> None:
        if len(self.bundle.sources) < MAX_SOURCES:
            self.bundle.sources.append(source)
        elif not self._full:
            self._full = True
            self.refuse(source.name, f"refused, like everything after it: more than {MAX_SOURCES:,} files")


def _hidden(name: str) -> bool:
    return any(part.startswith(".") or part in _SKIPPED for part in name.split("/"))


def _head(origin: Origin) -> bytes:
    stream = origin.open()
    try:
        return stream.read(_PROBE)
    finally:
        stream.close()


def _stored(origin: Origin) -> int:
    if isinstance(origin, OnDisk):
        return origin.path.stat().st_size
    if isinstance(origin, InMemory):
        return len(origin.data)
    return int(getattr(origin, "size", 0))
