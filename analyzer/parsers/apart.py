"""Sources read by several processes at the same time, each source by one of them."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from analyzer import parsers
from analyzer.catalog import Catalog
from analyzer.parsers.parsed import Parsed
from analyzer.parsers.rows import Rows
from analyzer.scan.crew import Crew
from analyzer.tables.spill import Spill
from analyzer.vocabulary import INTERRUPTED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from analyzer.bundle import Source

TOGETHER = 16 * 1024 * 1024  # bytes of all, below which starting processes costs more than it gives
EACH = 512 * 1024  # bytes of one, below which handing it over does
_SEVERAL = 2
_NO_LIMIT = 2**62


class Reader:
    """What a worker does: it reads a source, and hands back all of its rows."""

    def __init__(self) -> None:
        self._catalog = Catalog.load()

    def __call__(self, source: Source) -> Parsed:
        """The source, read."""
        return parsers.parse(source, self._catalog, spill=Spill(_NO_LIMIT))


def read(
    sources: Sequence[Source],
    catalog: Catalog,
    on_bytes: Callable[[int], object] | None,
    spill: Spill,
    workers: int,
) -> list[Parsed]:
    """All sources in their order, as `parsers.parse` reads each of them; those of middle size by so many workers.

    Larger ones are read by threads of this process. `on_bytes` hears of a source when a worker has read it, and ends
    the reading by `False`.
    """
    apart = [source for source in sources if EACH <= source.size < parsers.FAST_FROM]
    if min(workers, len(apart)) < _SEVERAL or sum(source.size for source in apart) < TOGETHER:
        apart = []
    found = dict(zip(map(id, apart), _apart(apart, on_bytes, spill, workers), strict=False))
    return [found.get(id(source)) or parsers.parse(source, catalog, on_bytes, spill) for source in sources]


def _apart(
    sources: Sequence[Source], on_bytes: Callable[[int], object] | None, spill: Spill, workers: int
) -> Iterator[Parsed]:
    if not sources:
        return
    done = 0
    # Raised where a worker was killed: the caller reads what is left.
    with Crew(workers, Reader) as crew, suppress(EOFError):
        for parsed in crew.apply(sources, lambda: on_bytes is None or on_bytes(0) is not False):
            parsed.tables = Rows(spill).held(parsed.tables)
            done += 1
            if on_bytes:
                on_bytes(parsed.bytes)
            yield parsed
        for source in sources[done:]:
            yield Parsed(source.name, errors=[f"{source.name}: {INTERRUPTED}"], truncated=True)
