"""How the bytes of a source become text: one encoding per source, told from its first bytes."""

from __future__ import annotations

import codecs

HEAD = 64 * 1024

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_LOOK = 1024
_CONTROLS = frozenset(range(0x20)) - frozenset(b"\t\n\r\x0b\x0c\x1b\x08\x07")


def encoding_of(head: bytes) -> str:
    """The codec for a source that begins with `head`: `utf-8` unless a byte order mark or the NULs say otherwise."""
    for mark, name in _MARKS:
        if head.startswith(mark):
            return name
    look = head[:_LOOK]
    even, odd = look[0::2].count(0), look[1::2].count(0)
    half = len(look) // 2
    if half and odd > 0.4 * half and even < 0.1 * half:
        return "utf-16-le"
    if half and even > 0.4 * half and odd < 0.1 * half:
        return "utf-16-be"
    return "utf-8"


def is_text(head: bytes) -> bool:
    """Whether `head` reads as text; NULs alone (the hole that a log rotation leaves) are no sign against it."""
    name = encoding_of(head)
    if name != "utf-8":
        return True
    look = head.replace(b"\0", b"")
    if not look:
        return True
    controls = sum(byte in _CONTROLS for byte in look)
    broken = look.decode("utf-8", "replace").count("�")
    return controls <= 0.02 * len(look) and broken <= 0.2 * len(look)


def to_text(raw: bytes, name: str) -> tuple[str, int]:
    """The text of one line, and how many characters could not be decoded; NULs are dropped."""
    plain = name == "utf-8-sig"
    try:
        text = raw.decode("utf-8" if plain else name)
        undecodable = 0
    except UnicodeDecodeError:
        text = raw.decode("utf-8" if plain else name, "replace")
        undecodable = text.count("�")
    if "\0" in text:
        text = text.replace("\0", "")
    return text.removeprefix("\ufeff"), undecodable
