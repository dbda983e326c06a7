"""The table of `df`: `-h`, `-H`, `-k`, `-m`, `-T`, plain, and `-i` for inodes; headers in several languages.

`-h` rounds up, so a size may be as much as its last digit too high.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from analyzer.events import Fact, FilesystemListed
from analyzer.expression import lazy
from analyzer.parsers.block import Block
from analyzer.parsers.sizes import count, size

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analyzer.events import Event
    from analyzer.parsers.block import Around, Text

KIND = "df"
HEADS = ("Mounted on", "Eingehängt auf", "Monté sur", "Montado en", "Montado em", "挂载点", "掛載點")

_FIRST = ("Filesystem", "Dateisystem", "Sys.", "S.ficheros", "Sist.", "文件系统", "檔案系統")
_SHARE = lazy(r"(?:\d{1,3}%|-)$")
_CELL = lazy(r"\d{1,18}(?:[.,]\d)?[KMGTPE]?i?B?$|-$")
_BLOCKS = lazy(r"\b(\d{0,4})([KMG])B?-[Bb]l|\b1024-bl")
_FIGURES = ("size", "used", "available")


class _Row(NamedTuple):
    """A row's cells as printed: device, the three figures, the share in use, the mount point."""

    line: Text
    device: str
    figures: tuple[str, ...]
    share: str
    mount: str


def claims(head: str, _around: Around) -> bool:
    """The header, whole."""
    line = head.strip()[:300]
    return line.startswith(_FIRST) and line.endswith(HEADS) and ("%" in line or " Capacity " in line)  # of `df -P`


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One event per row; a long device name may stand alone on the line before its figures."""
    inodes = "Inodes" in lines[0].text or "IUse%" in lines[0].text
    blocks = _BLOCKS.search(lines[0].text)
    bare = f"{blocks[2]}iB" if blocks and blocks[2] else "KiB"
    decimal = " -H" in around.command or "--si" in around.command
    events: list[Event] = []
    used = 1
    device = ""
    for number, line in enumerate(lines[1:], 2):
        words = line.text[:2000].split()
        if len(words) == 1 and not device:
            device = words[0]
            continue
        row = _row([device, *words] if device else words, line)
        if row is None:
            break
        events += _inodes(row, around) if inodes else [_filesystem(row, around, bare, decimal=decimal)]
        used, device = number, ""
    return Block(used, used, events)


def _row(words: list[str], line: Text) -> _Row | None:
    """The row whose share of use stands behind three figures and before the mount point."""
    at = next((i for i, word in enumerate(words) if i >= len(_FIGURES) and _SHARE.match(word)), 0)
    figures = words[at - len(_FIGURES) : at]
    if not at or at + 1 >= len(words) or not all(_CELL.match(word) for word in figures):
        return None
    return _Row(line, words[0], tuple(figures), words[at], " ".join(words[at + 1 :]))


def _filesystem(row: _Row, around: Around, bare: str, *, decimal: bool) -> FilesystemListed:
    total, used, free = (
        size(word, row.line.ref, bare=bare, decimal=decimal, truncated=not word.isdigit()) for word in row.figures
    )
    return FilesystemListed(
        where=around.at(row.line),
        text=row.line.quoted,
        mount=row.mount,
        device=row.device,
        total=total,
        used=used,
        free=free,
    )


def _inodes(row: _Row, around: Around) -> Iterator[Fact]:
    """The share in use, which df rounds up, and how many are free; no share where a file system has no such limit."""
    where, text = around.at(row.line), row.line.quoted
    share = count(row.share.rstrip("%"), row.line.ref, "percent")
    yield Fact(where=where, text=text, name=f"inodes-used {row.mount}", value=row.share, amount=share)
    total, _, free = row.figures
    if row.share != "-":
        left = count(free, row.line.ref)
        yield Fact(where=where, text=text, name=f"inodes-free {row.mount}", value=f"{free} of {total}", amount=left)
