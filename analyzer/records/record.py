"""One thing that one process said."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from analyzer.evidence import NO_RANK

if TYPE_CHECKING:
    from analyzer.evidence import Rank, Ref, Stamp


@dataclass(slots=True)
class Record:
    """One thing that one process said.

    `text` is the message without header and wrappers; `more` its further physical lines (a traceback, a message with
    line breaks). `stamp` is the header's own (`direct`) or that of the record before. `header` is `sglang`,
    `uvicorn`, another writer's name, or empty for a line without one. `severe`: a line without one to which the
    program that wrote it gave the level of an error.
    """

    ref: Ref
    text: str
    more: list[str] = field(default_factory=list)
    stamp: Stamp | None = None
    direct: bool = False
    rank: Rank = NO_RANK
    header: str = ""
    node: str = ""
    severe: bool = False
