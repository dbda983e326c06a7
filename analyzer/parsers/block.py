"""What a parser of snapshots sees and gives: a block of lines inside any text, and the events it holds.

A snapshot (`free`, `ps`, `dmesg`, …) may be a file of its own or stand between log lines, behind a `$ command` echo
or under a script's banner. So every parser recognises the first line of its block (`claims`) wherever it stands and
says how many lines it understood (`reads`); whatever it leaves goes on to the log's records.

A parser is a module of `analyzer.parsers` with

    KIND: str                   what the report calls the format ("free")
    HEADS: tuple[str, ...]      texts of which one must occur in a block's first line (a cheap test before `claims`)
    def claims(head: str, around: Around) -> bool
    def reads(lines: Sequence[Text], around: Around) -> Block
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from analyzer.evidence import NO_RANK, Where
from analyzer.immutable import immutable

if TYPE_CHECKING:
    from analyzer.events import Event
    from analyzer.evidence import Ref, Stamp


class Text(NamedTuple):
    """One physical line with its wrappers peeled off; `stamp` is the wrapper's time where it had one.

    `severe`: the wrapper gave it the level of an error.
    """

    text: str
    ref: Ref
    stamp: Stamp | None = None
    node: str = ""
    severe: bool = False

    @property
    def quoted(self) -> str:
        """What an event's `text` keeps of the line: no outer blanks, at most 400 characters."""
        return self.text.strip()[:400]


@immutable
class Around:
    """What stands around a block: the command echoed before it, the banner above it, the nearest time, the origin.

    `stamp` comes from the banner, the prompt or the log header before the block, in this order; `None` where the text
    gives no time (the file's name is `launches`' business).
    """

    source: str
    command: str = ""
    label: str = ""
    stamp: Stamp | None = None
    node: str = ""

    def at(self, line: Text) -> Where:
        """Where an event of this line stands."""
        return Where(
            line.ref, line.stamp or self.stamp, direct=line.stamp is not None, rank=NO_RANK, node=line.node or self.node
        )

    def dated(self, stamp: Stamp) -> Around:
        """The same surroundings at a time that the block itself names."""
        return replace(self, stamp=stamp)


@dataclass(slots=True)
class Block:
    """What a parser made of a block: `lines` consumed from its first on (at least 1), `understood` of them."""

    lines: int
    understood: int
    events: list[Event] = field(default_factory=list)
