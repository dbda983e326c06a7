"""One named input, and where its bytes come from: a file, memory, a member of an archive, compressed or not."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING, Protocol

from analyzer.bundle.stream import Limited, Section, Stream, Unpacked
from analyzer.errors import UnreadableError
from analyzer.immutable import immutable

if TYPE_CHECKING:
    from pathlib import Path


class Origin(Protocol):
    """Where bytes can be had, again and again. Every kind is plain data, so that a worker process can open it."""

    def open(self) -> Stream:
        """A stream from the first byte on; raises `OSError` or `UnreadableError`."""
        ...


@immutable
class OnDisk:
    """A file of the file system."""

    path: Path

    def open(self) -> Stream:
        """Reads up to the size at this moment."""
        file = self.path.open("rb")
        return Limited(file, _size_of(file))


@immutable
class InMemory:
    """Bytes that cannot be read twice from where they came (standard input, a small member of an archive)."""

    data: bytes

    def open(self) -> Stream:
        """Reads the bytes."""
        return Limited(io.BytesIO(self.data), len(self.data))


@immutable
class Compressed:
    """Another origin, decompressed."""

    of: Origin
    method: str

    def open(self) -> Stream:
        """Decompresses while reading."""
        stream = self.of.open()
        try:
            return Unpacked(stream, self.method)
        except UnreadableError:
            stream.close()
            raise


@immutable
class TarMember:
    """A span of a tar file."""

    of: Origin
    offset: int
    size: int

    def open(self) -> Stream:
        """Goes to the member, by a seek where the tar lies on disk uncompressed."""
        if isinstance(self.of, OnDisk):
            file = self.of.path.open("rb")
            available = max(0, _size_of(file) - self.offset)
            file.seek(self.offset)
            return Section(Limited(file, available), 0, self.size)
        return Section(self.of.open(), self.offset, self.size)


@immutable
class ZipMember:
    """An entry of a zip file."""

    of: OnDisk | InMemory
    name: str
    size: int

    def open(self) -> Stream:
        """Decompresses while reading; the checksum is tested at the end."""
        lies = self.of.path if isinstance(self.of, OnDisk) else io.BytesIO(self.of.data)
        try:
            entry = zipfile.ZipFile(lies).open(self.name)  # noqa: SIM115 - closing the stream closes both
        except (zipfile.BadZipFile, NotImplementedError, RuntimeError, KeyError) as error:
            raise UnreadableError(f"damaged zip entry: {error}") from error
        return Limited(entry, self.size)  # type: ignore[arg-type]  # ZipExtFile reads as a file does


def _size_of(file: io.BufferedReader) -> int:
    size = file.seek(0, io.SEEK_END)
    file.seek(0)
    return size


@immutable
class Source:
    """One input: its name as the report cites it, and its bytes. `size` is as stored, before decompression."""

    name: str
    size: int
    origin: Origin

    def open(self) -> Stream:
        """The decompressed bytes from the first on; raises `OSError` or `UnreadableError`."""
        return self.origin.open()
