"""Whether generation became much slower within one run, at a load that stayed as it was."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

from analyzer import units
from analyzer.evidence import Instant, Ref

if TYPE_CHECKING:
    import polars as pl

    from analyzer.incident import Incident
    from analyzer.units import Amount

_FEWEST = 5  # decode lines on each side
_BINS = 200  # a longer run is looked at in so many steps
_HALF = 0.5
_LIKE = 1.5  # load before and after may differ by this factor


class _Step(NamedTuple):
    """The middle of a few decode lines."""

    line: Ref
    time: float | None
    running: float
    tokens: float
    rate: float


@dataclass(frozen=True, slots=True)
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
    best: Drop | None = None
    for rows in _streams(incident):
        found = _split(_steps(rows))
        if found is not None and (best is None or found.times.value > best.times.value):
            best = found
    return best


def _streams(incident: Incident) -> list[pl.DataFrame]:
    """Decode lines of each rank by itself, in order; lines without running requests say nothing."""
    import polars as pl  # noqa: PLC0415 - only where there are rows

    frame = incident.launch.tables.get("DecodeBatch")
    needed = ["source", "line", "time_s", "dp", "tp", "running_count", "tokens_token", "throughput_token_per_s"]
    if frame is None or not set(needed) <= set(frame.columns):
        return []
    rows = frame.select(needed).drop_nulls(["running_count", "tokens_token", "throughput_token_per_s"])
    rows = rows.filter((pl.col("running_count") > 0) & (pl.col("throughput_token_per_s") > 0))
    return [part.sort("line") for part in rows.partition_by("source", "dp", "tp") if part.height >= 2 * _FEWEST]


def _steps(rows: pl.DataFrame) -> list[_Step]:
    size = max(1, rows.height // _BINS)
    parts = [rows.slice(begin, size) for begin in range(0, rows.height, size)]
    return [_step(part) for part in parts]


def _step(part: pl.DataFrame) -> _Step:
    line = part["line"][0]
    time = part["time_s"][0]
    names = ("running_count", "tokens_token", "throughput_token_per_s")
    middles = [median(part[name].to_list()) for name in names]
    return _Step(Ref(part["source"][0], line, line), time, *middles)


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
