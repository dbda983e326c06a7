"""The tree of `lsblk`: which disks there are, how large, and what is mounted from them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from analyzer.events import Fact
from analyzer.expression import lazy
from analyzer.parsers.block import Block

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.parsers.block import Around, Text

KIND = "lsblk"
HEADS = ("NAME",)

_NAMES = """
NAME KNAME MAJ:MIN RM SIZE RO TYPE MOUNTPOINT MOUNTPOINTS MODEL SERIAL ROTA TRAN FSTYPE FSVER LABEL UUID FSAVAIL FSUSE%
VENDOR SCHED STATE PKNAME PATH
"""
_COLUMNS = frozenset(_NAMES.split())
_SIZE = lazy(r"\d[\d.,]{0,12}[BKMGTP]?$", re.ASCII)
_TREE = "├─└│`|- "
_TYPES = frozenset({"disk", "part", "lvm", "loop", "rom", "md", "crypt", "raid0", "raid1", "raid5", "raid10", "mpath"})


def claims(head: str, _around: Around) -> bool:
    """A header of columns that are all its own."""
    words = head[:300].split()
    return len(words) > 1 and words[0] == "NAME" and "SIZE" in words and _COLUMNS.issuperset(words)


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One fact per disk or partition: its size, type, and what follows in the row."""
    columns = lines[0].text.split()
    events: list[Fact] = []
    used = 1
    for line in lines[1:]:
        words = line.text[:500].strip().lstrip(_TREE).split()
        sized = any(_SIZE.match(word) for word in words[1:])
        if not sized or ("TYPE" in columns and not _TYPES.intersection(words)):
            break
        events.append(Fact(where=around.at(line), text=line.quoted, name=f"disk {words[0]}", value=" ".join(words[1:])))
        used += 1
    return Block(used, used, [*events])
