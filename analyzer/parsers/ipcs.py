"""`ipcs`: the segments of System V's shared memory, their limits (`-l`) and their sum (`-u`); queues and semaphores.

What lies in /dev/shm is none of them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from analyzer.events import Fact
from analyzer.expression import lazy
from analyzer.parsers.block import Block
from analyzer.parsers.sizes import count, size

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analyzer.parsers.block import Around, Text

KIND = "ipcs"
HEADS = ("------ Shared Memory", "------ Message", "------ Semaphore")

_TITLE = lazy(
    r"-{6} (?:Message Queues|Messages? (?:Limits|Status)|Shared Memory (?:Segments|Limits|Status)"
    r"|Semaphore (?:Arrays|Limits|Status)|(?:Shared Memory|Message Queues?|Semaphore) [A-Z][\w /-]{2,40}) -{6,8}$"
)
_HEADER = lazy(r"(?:key|shmid|msqid|semid|T|KEY|ID)(?: +[a-z_-]{2,12}){3,9}$")
_SEGMENT = lazy(
    r"0x[0-9a-f]{8} +(\d{1,12}) +\S{1,64} +[0-7]{3,4} +(\d{1,20}) +(\d{1,9})(?: +(?:dest|locked|dest locked))?$"
)
_OTHER = lazy(r"0x[0-9a-f]{8} +\d{1,12} +\S{1,64} +[0-7]{3,4} +\d{1,20}(?: +\d{1,20})?$")
_LIMIT = lazy(
    r"(max|min|default max|semaphore max) ([a-z][a-z ]{3,40}?)(?: \((kbytes|bytes)\))? = (\d{1,20})$", re.ASCII
)
_STATUS = lazy(
    r"(?:segments allocated|pages (?:allocated|resident|swapped)|allocated (?:queues|semaphores)"
    r"|used (?:headers|space|arrays)|Swap performance:)(?: +=)? +\d{1,20}.{0,40}$"
)
_UNITS = {"kbytes": "KiB", "bytes": "B", None: "count"}
_NO_LIMIT = 2**60  # bytes; the kernel's defaults near the largest number that there is


def claims(head: str, _around: Around) -> bool:
    """A title between its rules."""
    return _TITLE.match(head.strip()[:200]) is not None


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One fact per segment and per limit of shared memory."""
    title = ""
    events: list[Fact] = []
    used = 0
    for number, line in enumerate(lines, 1):
        text = line.text.strip()[:400]
        if _TITLE.match(text):
            title = text
        elif "Shared Memory" in title and (segment := _SEGMENT.match(text)):
            name, value = f"shm-segment {segment[1]}", f"{segment[2]} bytes, {segment[3]} attached"
            amount = size(segment[2], line.ref)
            events.append(Fact(where=around.at(line), text=line.quoted, name=name, value=value, amount=amount))
        elif "Shared Memory" in title and (limit := _LIMIT.match(text)):
            events += _limit(limit, line, around)
        elif text and not any(form.match(text) for form in (_HEADER, _OTHER, _LIMIT, _STATUS)):
            break
        used = number if text else used
    return Block(max(used, 1), used, [*events])


def _limit(found: re.Match[str], line: Text, around: Around) -> Iterator[Fact]:
    """A limit by its own words; one that is none has no amount."""
    amount = size(found[4], line.ref, bare=_UNITS[found[3]]) if found[3] else count(found[4], line.ref)
    amount = amount if amount is not None and amount.value < _NO_LIMIT else None
    name = f"ipcs.{found[1]}-{found[2]}".replace(" ", "-")
    yield Fact(where=around.at(line), text=line.quoted, name=name, value=found[4], amount=amount)
