"""One launch of one server: its events in order, each on the launch's clock and at its node."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

from analyzer.events import Event
from analyzer.immutable import immutable

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from analyzer.evidence import Instant, Rank, Ref
    from analyzer.knowledge import Release
    from analyzer.launches.arguments import Arguments
    from analyzer.tables.summary import Summary
    from analyzer.tables.table import Rows

T = TypeVar("T")
E_co = TypeVar("E_co", bound=Event, covariant=True)


@immutable
class Timed(Generic[E_co]):
    """An event with its time on the launch's clock (`None` where nothing dates it) and its node (`n0`).

    `newest_first`: its source lists its lines in the opposite order.
    """

    event: E_co
    at: Instant | None
    node: str
    newest_first: bool = False

    @property
    def ref(self) -> Ref:
        """The line that says it."""
        return self.event.where.ref

    @property
    def written(self) -> int:
        """Rises with the lines of one source in the order in which they were written."""
        return -self.ref.line if self.newest_first else self.ref.line

    @property
    def rank(self) -> Rank:
        """The rank in its header."""
        return self.event.where.rank

    @property
    def process(self) -> str:
        """The id of the process that said it: `n0/DP1/TP3`, `n0/main` for a header without a rank."""
        return f"{self.node}/{self.rank.label() or 'main'}"


@dataclass(slots=True)
class Launch:
    """Everything that belongs to one launch.

    `events` are the server's own, in time order; `outside` what snapshots, probes, kernels and people say. `nodes`
    maps a node id to the sources that speak for it. `role` is standalone, prefill, decode or router.
    `newest_first` are the sources whose lines were written in the opposite order. `shown`: a log, a listing or a
    command line shows a server; else only ends are told, of what may be anybody's. `hosts_told` are the hosts whose
    outputs are in the input.
    """

    id: str
    role: str
    name: str
    sources: tuple[str, ...]
    nodes: dict[str, tuple[str, ...]]
    events: list[Timed[Event]]
    outside: list[Timed[Event]]
    arguments: Arguments
    release: Release
    tables: dict[str, Rows] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    host_names: dict[str, str] = field(default_factory=dict)
    last_of_server: bool = True
    shown: bool = True
    hosts_told: frozenset[str] = frozenset()
    newest_first: frozenset[str] = frozenset()
    _folded: dict[Hashable, object] = field(default_factory=dict, init=False, repr=False, compare=False)

    def written(self, source: str, line: int) -> int:
        """Rises with the lines of one source in the order in which they were written."""
        return -line if source in self.newest_first else line

    def once(self, key: Hashable, fold: Callable[[], T]) -> T:
        """What `fold` makes of the rows, which do not change and may be many: made once for each key."""
        if key not in self._folded:
            self._folded[key] = fold()
        return self._folded[key]  # type: ignore[return-value]  # a key stands for one fold

    def summary(self, table: str) -> Summary | None:
        """What the rows of a table come to; `None` where there are none."""
        return self.once(("summary", table), lambda: self._summary(table))

    def _summary(self, table: str) -> Summary | None:
        if table not in self.tables:
            return None
        from analyzer.tables.summary import CURVES, FIGURES, summary  # noqa: PLC0415 - needs polars, only for rows

        return summary(self.tables[table], FIGURES.get(table, ()), CURVES.get(table, ()))
