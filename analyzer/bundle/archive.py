"""Members of tar and zip archives as origins; nothing is unpacked to disk, nothing outside the archive is named."""

from __future__ import annotations

import io
import tarfile
import zipfile
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from analyzer.bundle import salvage
from analyzer.bundle.source import InMemory, OnDisk, Origin, TarMember, ZipMember
from analyzer.bundle.stream import FREE_OUTPUT, MAX_RATIO

if TYPE_CHECKING:
    from analyzer.bundle.stream import Stream

MAX_MEMBERS = 10_000
MAX_TOTAL = 64 * 1024**3
HELD_EACH = 16 * 1024**2
HELD_ALL = 128 * 1024**2
_TAR_MAGIC = slice(257, 262)
_READ = 1024 * 1024


@dataclass(slots=True)
class Members:
    """What an archive holds: names and origins in its own order, and what was refused (`!name: why`)."""

    files: list[tuple[str, Origin]] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    total: int = 0

    def refuse(self, name: str, why: str) -> None:
        """Notes a member that is not read."""
        self.refused.append(f"!{name}: refused: {why}")

    def takes(self, name: str, size: int) -> bool:
        """Whether one more member of this size may be added; if not, the reason is noted."""
        bad = unsafe_name(name)
        if bad:
            self.refuse(name, bad)
        elif self.total + size > MAX_TOTAL:
            self.refuse(name, f"the archive unpacks to more than {MAX_TOTAL // 1024**3} GiB")
        else:
            self.total += size
            return True
        return False

    def full(self) -> bool:
        """Whether the archive has more members than are read; noted once."""
        if len(self.files) < MAX_MEMBERS:
            return False
        self.refused.append(f": refused: more than {MAX_MEMBERS:,} members, the rest is not read")
        return True


def unsafe_name(name: str) -> str:
    """Why a member's name is not acceptable; empty where it is."""
    path = PurePosixPath(name.replace("\\", "/"))
    if path.is_absolute() or (len(name) > 1 and name[1] == ":"):
        return "an absolute name"
    if ".." in path.parts:
        return "a name that leads out of the archive"
    return ""


def members_of(origin: Origin, head: bytes) -> Members | None:
    """The archive's members, or `None` where `head` begins no archive."""
    if head.startswith(b"PK\x03\x04"):
        return _zip_members(origin)
    if head[_TAR_MAGIC] == b"ustar":
        return _tar_members(origin)
    return None


class _TarFile(io.RawIOBase):
    """A stream as `tarfile` wants it, with the position it has read up to."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream

    def read(self, size: int = -1, /) -> bytes:
        """Exactly `size` bytes unless the stream ends."""
        parts: list[bytes] = []
        while size > 0 and (data := self._stream.read(min(size, _READ))):
            parts.append(data)
            size -= len(data)
        return b"".join(parts)


def _tar_members(origin: Origin) -> Members:
    members = Members()
    stream = origin.open()
    try:
        with tarfile.open(fileobj=_TarFile(stream), mode="r|") as tar:
            _list_tar(tar, origin, members)
    except (tarfile.TarError, OSError, EOFError, ValueError) as error:
        members.refused.append(f": damaged archive, read as far as it goes ({stream.damage or error})")
    else:
        if stream.damage:
            members.refused.append(f": {stream.damage}")
    finally:
        stream.close()
    return members


def _list_tar(tar: tarfile.TarFile, origin: Origin, members: Members) -> None:
    held = 0
    for info in tar:
        if members.full():
            return
        if info.isdir():
            continue
        if not info.isreg() or info.issparse():
            members.refuse(info.name, "a link, a device or a sparse file")
            continue
        name = info.name.removeprefix("./")
        if not members.takes(name, info.size):
            continue
        lies: Origin = TarMember(origin, info.offset_data, info.size)
        if not isinstance(origin, OnDisk) and info.size <= HELD_EACH and held + info.size <= HELD_ALL:
            data = _all_of(tar, info)
            held += len(data)
            lies = InMemory(data) if len(data) == info.size else lies
        members.files.append((name, lies))


def _all_of(tar: tarfile.TarFile, info: tarfile.TarInfo) -> bytes:
    """The member's bytes, read in passing: going back to it later would decompress everything before it again."""
    file = tar.extractfile(info)
    try:
        return file.read() if file else b""
    except tarfile.ReadError:
        return b""


def _zip_members(origin: Origin) -> Members:
    members = Members()
    lies = origin if isinstance(origin, OnDisk | InMemory) else _held(origin)
    if lies is None:
        members.refused.append(f": refused: a zip of more than {HELD_ALL // 1024**2} MiB inside another archive")
        return members
    try:
        with zipfile.ZipFile(lies.path if isinstance(lies, OnDisk) else io.BytesIO(lies.data)) as archive:
            _list_zip(archive, lies, members)
    except (zipfile.BadZipFile, OSError, ValueError, EOFError) as error:
        _list_salvaged(lies, members)
        told = "its entries were read as far as they go" if members.files else error
        members.refused.append(f": damaged zip ({told})")
    return members


def _list_salvaged(lies: OnDisk | InMemory, members: Members) -> None:
    """What is left of a zip without its directory: a download or an upload that broke off."""
    known = {name for name, _ in members.files}
    for entry in salvage.entries(lies):
        if members.full():
            return
        if entry.origin is None:
            members.refuse(entry.name, entry.why)
        elif entry.name not in known and members.takes(entry.name, entry.size):
            members.files.append((entry.name, entry.origin))


def _list_zip(archive: zipfile.ZipFile, lies: OnDisk | InMemory, members: Members) -> None:
    for info in archive.infolist():
        if members.full():
            return
        if info.is_dir():
            continue
        kind = info.external_attr >> 28
        if kind not in {0, 8}:
            members.refuse(info.filename, "a link or a device")
        elif info.flag_bits & 1:
            members.refuse(info.filename, "encrypted")
        elif info.file_size > FREE_OUTPUT and info.file_size > MAX_RATIO * max(1, info.compress_size):
            members.refuse(info.filename, f"expands to more than {MAX_RATIO} times its size")
        elif members.takes(info.filename, info.file_size):
            members.files.append((info.filename, ZipMember(lies, info.filename, info.file_size)))


def _held(origin: Origin) -> InMemory | None:
    stream = origin.open()
    parts: list[bytes] = []
    size = 0
    try:
        while data := stream.read(_READ):
            parts.append(data)
            size += len(data)
            if size > HELD_ALL:
                return None
    finally:
        stream.close()
    return InMemory(b"".join(parts))
