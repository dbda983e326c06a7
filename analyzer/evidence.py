"""Where a fact stands in the input: source, lines, bytes, and the time and speaker printed there."""

from __future__ import annotations

from datetime import datetime, timezone  # noqa: TC003 - pydantic reads these at run time
from functools import lru_cache
from typing import NamedTuple

from analyzer.immutable import immutable


class Ref(NamedTuple):
    """A span of physical lines in one source.

    `line` and `last_line` count from 1 as `sed -n` does; `start` and `end` are byte offsets in the decompressed
    source; `column` is the character at which the matched text begins inside the first line.
    """

    source: str
    line: int
    last_line: int
    start: int = 0
    end: int = 0
    column: int = 0

    def __str__(self) -> str:
        span = f"{self.line}" if self.line == self.last_line else f"{self.line}-{self.last_line}"
        return f"{self.source}:{span}"


@immutable
class Stamp:
    """A time as it was printed: no clock has been compared yet (that makes an `Instant`).

    `moment` is naive; where no date was printed (`dated` is false) its date is 1900-01-01.
    `zone` is set only where the text itself names an offset.
    """

    text: str
    moment: datetime
    dated: bool = True
    zone: timezone | None = None


class Instant(NamedTuple):
    """A time on the launch's own clock.

    `seconds` since 1970-01-01 of that clock's local time; `slack` is how far it may be off, in seconds.
    """

    seconds: float
    slack: float = 1.0


class Rank(NamedTuple):
    """The numbers in SGLang's record header; `None` where the header does not print one."""

    dp: int | None = None
    pp: int | None = None
    attn_cp: int | None = None
    moe_dp: int | None = None
    tp: int | None = None
    ep: int | None = None

    def label(self) -> str:
        """The ids as the report cites them, `DP1/TP3`; empty where the header named no rank."""
        return _label(self)


@lru_cache(maxsize=1024)
def _label(rank: Rank) -> str:
    names = ("DP", "PP", "CP", "MOEDP", "TP")  # EP repeats what TP says
    return "/".join(f"{n}{v}" for n, v in zip(names, rank[:5], strict=True) if v is not None)


NO_RANK = Rank()


@immutable
class Where:
    """Place, time and speaker of one event.

    `stamp` is the line's own (`direct`) or the one of the record header before it. `speaker` is the process kind
    where header or pattern tells it. `node` is what a wrapper around the line called its origin (a container, a
    compose service, an actor's address). `pattern` is the id of the pattern that matched, empty for parsers in code.
    """

    ref: Ref
    stamp: Stamp | None = None
    direct: bool = True
    rank: Rank = NO_RANK
    speaker: str = ""
    node: str = ""
    pattern: str = ""
    since: str = ""
    until: str = ""
