"""Byte streams over files, memory and compressed data that are read to their last byte, however damaged."""

from __future__ import annotations

import bz2
import importlib
import lzma
from typing import TYPE_CHECKING, Protocol, Self

from analyzer.errors import UnreadableError
from analyzer.vocabulary import INTERRUPTED

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, BinaryIO

CHUNK = 256 * 1024
MAX_RATIO = 200
FREE_OUTPUT = 64 * 1024 * 1024
INFLATE = ("isal.isal_zlib", "zlib_ng.zlib_ng", "zlib")  # three, two and one times as fast
_PIECE = 4096  # what a decoder had decompressed of a piece is lost when the piece turns out broken, so pieces are small


class Stream(Protocol):
    """What a source is read through."""

    @property
    def damage(self) -> str:
        """What was wrong with the bytes, once they have been read; empty where nothing was."""
        ...

    def read(self, size: int, /) -> bytes:
        """At most `size` bytes; empty at the end."""
        ...

    def close(self) -> None:
        """Lets go of the file."""
        ...


class Limited:
    """A file read up to the size that it had when it was opened, so that a growing log ends."""

    def __init__(self, file: BinaryIO, size: int) -> None:
        self.damage = ""
        self._file = file
        self._left = size

    def read(self, size: int, /) -> bytes:
        """At most `size` bytes."""
        try:
            data = self._file.read(min(size, self._left))
        except OSError as error:
            self.damage = f"reading stopped: {error.strerror or error}"
            return b""
        except Exception as error:  # noqa: BLE001 - zip members raise checksum, codec and password errors of all kinds
            self.damage = f"damaged: {error}"
            return b""
        self._left -= len(data)
        return data

    def close(self) -> None:
        """Closes the file."""
        self._file.close()


class Section:
    """`size` bytes of another stream from `offset` on; reads its way there."""

    def __init__(self, stream: Stream, offset: int, size: int) -> None:
        self.damage = ""
        self._stream = stream
        self._left = size
        self._skip(offset)

    def _skip(self, offset: int) -> None:
        while offset > 0:
            data = self._stream.read(min(offset, CHUNK))
            if not data:
                break
            offset -= len(data)

    def read(self, size: int, /) -> bytes:
        """At most `size` bytes."""
        data = self._stream.read(min(size, self._left)) if self._left else b""
        if not data and self._left:
            self.damage = self._stream.damage or "cut off: the archive ends inside this file"
            self._left = 0
        self._left -= len(data)
        return data

    def close(self) -> None:
        """Closes the stream beneath."""
        self._stream.close()


class Unpacked:
    """Decompressed bytes; a cut or broken tail gives all that could be decompressed, and `damage`."""

    def __init__(self, stream: Stream, method: str) -> None:
        self.damage = ""
        self._stream = stream
        self._method = method
        self._make = METHODS[method]
        self._decoder: Any = self._make()
        self._ready = bytearray()
        self._in = 0
        self._out = 0
        self._done = False
        self._fresh = True

    def read(self, size: int, /) -> bytes:
        """At most `size` bytes."""
        while len(self._ready) < size and not self._done:
            self._step()
        with memoryview(self._ready) as ready:
            data = bytes(ready[:size])
        del self._ready[:size]
        return data

    def _step(self) -> None:
        data = self._stream.read(CHUNK)
        if not data:
            self._finish()
            return
        self._feed(data)

    def _feed(self, data: bytes) -> None:
        at = 0
        while at < len(data) and not self._done:
            if self._fresh and not data[at:].strip(b"\0"):
                return  # tape padding after the last member
            piece = data[at : at + _PIECE]
            try:
                made = self._decoder.decompress(piece)
            except Exception as error:  # noqa: BLE001 - each codec has an error class of its own
                self._stop("" if self._fresh and self._out else f"damaged {self._method} data: {error}")
                return
            self._fresh = False
            self._in += len(piece)
            self._out += len(made)
            self._ready += made
            at += len(piece)
            if self._decoder.eof:
                at -= len(self._decoder.unused_data)
                self._decoder = self._make()
                self._fresh = True
            if self._out > FREE_OUTPUT and self._out > MAX_RATIO * self._in:
                self._stop(f"refused: expands to more than {MAX_RATIO} times its size (read up to {self._out:,} bytes)")

    def _finish(self) -> None:
        if not self._fresh:
            rest = getattr(self._decoder, "flush", bytes)()
            self._ready += rest
            self._stop(f"cut off: the {self._method} data ends before its end mark")
        self._done = True
        self.damage = self.damage or self._stream.damage

    def _stop(self, why: str) -> None:
        self._done = True
        self.damage = why

    def close(self) -> None:
        """Closes the stream beneath."""
        self._stream.close()


class Tapped:
    """A stream that hands every piece it reads to a listener (a hash, a progress bar), who ends it by `False`."""

    def __init__(self, stream: Stream, heard: Callable[[bytes], object]) -> None:
        self._stream = stream
        self._heard = heard
        self._ended = False

    @property
    def damage(self) -> str:
        """What was wrong with the bytes beneath, or that the reading was ended."""
        return INTERRUPTED if self._ended else self._stream.damage

    def read(self, size: int, /) -> bytes:
        """At most `size` bytes."""
        data = b"" if self._ended else self._stream.read(size)
        self._ended = (self._heard(data) is False and bool(data)) or self._ended
        return data

    def close(self) -> None:
        """Closes the stream beneath."""
        self._stream.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _zstd() -> Any:
    """A zstd decoder: the standard library's from Python 3.14 on, before that its backport."""
    for module in ("compression.zstd", "backports.zstd"):
        try:
            return importlib.import_module(module).ZstdDecompressor()
        except ImportError:
            continue
    raise UnreadableError("no zstd decoder is installed (pip install backports.zstd)")


def _inflate(bits: int) -> Any:
    """A decoder of gzip or of bare deflate data: the quickest that is installed."""
    for module in INFLATE:
        try:
            return importlib.import_module(module).decompressobj(bits)
        except ImportError:
            continue
    raise UnreadableError("this Python has no zlib")


METHODS: dict[str, Callable[[], Any]] = {
    "gzip": lambda: _inflate(31),
    "bzip2": bz2.BZ2Decompressor,
    "xz": lzma.LZMADecompressor,
    "zstd": _zstd,
    "deflate": lambda: _inflate(-15),  # an entry of a zip; no magic number tells it
}

_MAGIC = ((b"\x1f\x8b", "gzip"), (b"BZh", "bzip2"), (b"\xfd7zXZ\x00", "xz"), (b"\x28\xb5\x2f\xfd", "zstd"))


def method_of(head: bytes) -> str:
    """The compression that `head` begins with, or an empty text."""
    return next((name for magic, name in _MAGIC if head.startswith(magic)), "")
