"""One source, read: its events, its tables, and the account of what was understood."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from analyzer.events import Event
    from analyzer.evidence import Stamp
    from analyzer.tables.table import Rows


@dataclass(slots=True)
class Parsed:
    """The result of reading one source.

    `kind` names the formats found, most lines first (`sglang-log`, `free`, `ps+free`, `text`); `recognised` counts
    physical lines that a pattern, a table or a block parser understood; `layers` names the wrappers peeled off.
    `tables` holds the rows of `analyzer.tables` by table name. `unknown_keys` counts `key: value` keys of batch lines
    that no table has a column for. `left_out` counts the lines that an excerpt says it does not hold. `told` is what is
    quoted of a source that has no lines of its own. `hosts` are those whose outputs the source holds, where a wrapper
    names them (ansible, pdsh, banners). `origins` are those and all others that wrappers name (pods, containers).
    `newest_first` is an export whose lines were written in the opposite order; its events are in the order of writing.
    """

    name: str
    kind: str = "empty"
    sha256: str = ""
    bytes: int = 0
    lines: int = 0
    recognised: int = 0
    undecodable: int = 0
    truncated: bool = False
    first: Stamp | None = None
    last: Stamp | None = None
    errors: list[str] = field(default_factory=list)
    layers: list[str] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    tables: dict[str, Rows] = field(default_factory=dict)
    unknown_keys: dict[str, int] = field(default_factory=dict)
    left_out: int = 0
    told: str = ""
    hosts: list[str] = field(default_factory=list)
    origins: list[str] = field(default_factory=list)
    newest_first: bool = False
