"""Whether generation became much slower within one run, at a load that stayed as it was."""

from __future__ import annotations

from collections import Counter
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

from analyzer import units
from analyzer.evidence import Instant, Ref
from analyzer.immutable import immutable

if TYPE_CHECKING:
    import polars as pl

    from analyzer.incident import Incident
    from analyzer.units import Amount

_FEWEST = 5  # decode lines on each side
_BINS = 200  # a longer run is looked at in so many steps
_HALF = 0.5
_OF = ("source", "dp", "tp")
_FIGURES = ("running_count", "tokens_token", "throughput_token_per_s")
_LIKE = 1.5  # load before and after may differ by this factor


class _Step(NamedTuple):
    """The middle of a few decode lines."""

    line: Ref
    time: float | None
    running: float
    tokens: float
    rate: float


@immutable
class Drop:
    """Throughput before and after the moment at which it fell, both medians, and how many times less it became."""

    before: Amount[Any]
    after: Amount[Any]
    times: Amount[Any]
    at: Instant | None
    lines: tuple[Ref, Ref]

    @property
    def text(self) -> str:
        """The fall in words."""
        return f"generation fell from {units.shown(self.before)} to {units.shown(self.after)} at the same load"


def sustained_drop(incident: Incident) -> Drop | None:
    """The fall that lasts to the end; `None` where none halves the rate, or where the load changed as well.

    A tail of fewer requests, or of longer contexts, is slower by nature: requests and tokens must stay alike.
    """
    return incident.launch.once("drop", lambda: _sustained_drop(incident))


def _sustained_drop(incident: Incident) -> Drop | None:
    best: Drop | None = None
    for steps in _streams(incident):
        found = _split(steps)
        if found is not None and (best is None or found.times.value > best.times.value):
            best = found
    return best


def _streams(incident: Incident) -> list[list[_Step]]:
    """The decode lines of each rank by itself, a few at a time; lines without running requests say nothing."""
    rows = incident.launch.tables.get("DecodeBatch")
    if rows is None:
        return []
    import polars as pl  # noqa: PLC0415 - only where there are rows

    from analyzer.tables.fold import grouped  # noqa: PLC0415 - needs polars
    from analyzer.tables.table import batches  # noqa: PLC0415 - the same

    counts: Counter[tuple[object, ...]] = Counter()
    for part in batches(rows, (*_OF, *_FIGURES)):
        counts.update(dict(grouped(_telling(part), _OF, pl.len())))
    streams = {key: _Stream(max(1, count // _BINS)) for key, count in counts.items() if count >= 2 * _FEWEST}
    for part in batches(rows, (*_OF, "line", "start", "time_s", *_FIGURES)) if streams else ():
        lines = part if part["line"].is_sorted() else part.sort("line")
        for key, told in _telling(lines).partition_by(_OF, as_dict=True).items():
            if key in streams:
                streams[key].add(told)
    return [stream.finished() for stream in streams.values()]


class _Stream:
    """The lines of one rank, `size` of them folded to a step."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._steps: list[_Step] = []
        self._rest: pl.DataFrame | None = None

    def add(self, lines: pl.DataFrame) -> None:
        """Further lines, in order."""
        rows = lines if self._rest is None else self._rest.vstack(lines)
        whole = rows.height - rows.height % self._size
        if whole:
            self._steps += _steps(rows.head(whole), self._size)
        self._rest = rows.slice(whole)

    def finished(self) -> list[_Step]:
        """The steps; the last may be of fewer lines."""
        rest = self._rest
        return [*self._steps, *(_steps(rest, rest.height) if rest is not None and rest.height else [])]


def _telling(rows: pl.DataFrame) -> pl.DataFrame:
    known = rows.drop_nulls(_FIGURES)
    return known.filter((known["running_count"] > 0) & (known["throughput_token_per_s"] > 0))


def _steps(lines: pl.DataFrame, size: int) -> list[_Step]:
    """Whole steps of so many lines."""
    import polars as pl  # noqa: PLC0415 - only where there are rows

    from analyzer.tables.fold import place  # noqa: PLC0415 - needs polars

    middles = lines.select(pl.col(_FIGURES).reshape((-1, size)).arr.median()).rows()
    times, begins = lines["time_s"], range(0, lines.height, size)
    return [_Step(place(lines, begin), times[begin], *figures) for begin, figures in zip(begins, middles, strict=True)]


def _split(steps: list[_Step]) -> Drop | None:
    """The fall where both sides are most even, of all at which the rate halves."""
    best: tuple[float, int] | None = None
    for at in range(_FEWEST, len(steps) - _FEWEST + 1):
        before, after = [s.rate for s in steps[:at]], [s.rate for s in steps[at:]]
        if median(after) > _HALF * median(before) or not _alike(steps[:at], steps[at:]):
            continue
        uneven = _spread(before) + _spread(after)
        if best is None or uneven < best[0]:
            best = (uneven, at)
    return _drop(steps, best[1]) if best is not None else None


def _spread(values: list[float]) -> float:
    middle = median(values)
    return sum(abs(value - middle) for value in values)


def _alike(before: list[_Step], after: list[_Step]) -> bool:
    running = median(s.running for s in after) / median(s.running for s in before)
    tokens = median(s.tokens for s in after) / max(1.0, median(s.tokens for s in before))
    return 1 / _LIKE <= running <= _LIKE and tokens <= _LIKE


def _drop(steps: list[_Step], at: int) -> Drop:
    before, after = (_rate(part) for part in (steps[:at], steps[at:]))
    fast, slow = before.called("throughput before, median"), after.called("throughput after, median")
    moment = steps[at].time
    return Drop(
        before=fast,
        after=slow,
        times=(fast / slow).called("times less"),
        at=Instant(moment) if moment is not None else None,
        lines=(steps[at - 1].line, steps[at].line),
    )


def _rate(steps: list[_Step]) -> Amount[Any]:
    origin = units.fold("median", "DecodeBatch", len(steps), steps[0].line, steps[-1].line)
    return units.measured(median(s.rate for s in steps), "token/s", origin)
