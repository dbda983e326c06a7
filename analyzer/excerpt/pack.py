"""Names and bytes as one tar.gz that is the same for the same content, whoever packs it and when."""

from __future__ import annotations

import gzip
import io
import tarfile
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

import regex

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_FOLDER: Final = "inputs"
_ODD: Final = regex.compile(r"[^\p{L}\p{N}._@+= -]|^[.~-]|^ | $")
_PACKED: Final = regex.compile(r"(?i)\.(?:gz|bz2|xz|zst)$")
_LONGEST: Final = 100


def named(sources: Sequence[str]) -> list[str]:
    """A member's name for each source: safe on any file system, each once, telling what the source's name tells.

    What lay in an archive lies in a folder of its name; what was compressed is not any more.
    """
    taken: set[str] = set()
    names = []
    for source in sources:
        parts = [_part(part) for part in _PACKED.sub("", source).replace("!", "/").replace("\\", "/").split("/")]
        path = PurePosixPath(_FOLDER, *(part for part in parts if part))
        number, wanted = 1, path
        while str(wanted).lower() in taken or wanted == PurePosixPath(_FOLDER):
            number += 1
            wanted = path.with_name(f"{path.stem}-{number}{path.suffix}")
        taken.add(str(wanted).lower())
        names.append(str(wanted))
    return names


def _part(name: str) -> str:
    return str(_ODD.sub("_", name))[-_LONGEST:] if name not in {".", ".."} else ""


def packed(members: Mapping[str, bytes]) -> bytes:
    """A tar.gz of these members in the order of their names; nothing in it tells of who made it, where and when."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for name in sorted(members):
            info = tarfile.TarInfo(name)
            info.size, info.mode = len(members[name]), 0o644
            tar.addfile(info, io.BytesIO(members[name]))
    return gzip.compress(out.getvalue(), mtime=0)
