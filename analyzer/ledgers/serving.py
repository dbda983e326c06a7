"""The serving ledger: running and queued requests, token usage and throughput, folded from the batch lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from analyzer import units
from analyzer.evidence import Ref

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import polars as pl

    from analyzer.incident import Incident
    from analyzer.units import Amount


@dataclass(frozen=True, slots=True)
class Figure:
    """One column of one table, folded: all three are amounts measured over `rows` lines."""

    name: str
    unit: str
    rows: int
    least: Amount[Any]
    median: Amount[Any]
    most: Amount[Any]
    mean: Amount[Any]


@dataclass(frozen=True, slots=True)
class Full:
    """How much of the serving time was spent at the ceiling of the KV pool with requests waiting.

    `rows` decode lines in all; `full` of them with usage at or above the ceiling and a queue; `capped` with a queue
    while running requests stand at or just below their highest and the pool has room.
    """

    rows: int
    full: int
    queued: int
    capped: int
    first: Ref
    last: Ref


CEILING = 0.9  # admission keeps a reserve for running requests, so a bound pool shows 0.9 to 0.99
_ROOM = 0.85
_NEAR = 0.9  # of the most that run: a request that ends leaves its place empty until the next batch is formed
_RANK = ("node", "dp", "pp", "tp")
_USAGES = ("usage_ratio", "swa_usage_ratio", "mamba_usage_ratio")
_WAITING = ("queue_count", "prealloc_count", "retracted_count")


def figure(incident: Incident, table: str, column: str, unit: str, name: str) -> Figure | None:
    """Least, median and most of a column over a launch; `None` where no line prints it."""
    return incident.launch.once((table, column, unit, name), lambda: _figure(incident, table, column, unit, name))


def _figure(incident: Incident, table: str, column: str, unit: str, name: str) -> Figure | None:
    if table not in incident.launch.tables:
        return None
    from analyzer.tables.fold import Middle  # noqa: PLC0415 - needs polars

    def told() -> Iterator[pl.DataFrame]:
        for part in _parts(incident, table, (column,)):
            known = part.drop_nulls(column)
            yield known.filter(known[column].is_finite())

    parts: list[_Ends] = []
    values = Middle()
    for part in told():
        if part.height:
            parts.append(_Ends.of(part, column))
            values.add(part[column])
    middle = values.value(lambda: (part[column] for part in told()))
    if middle is None:
        return None
    count, least, most = sum(p.rows for p in parts), min(p.least for p in parts), max(p.most for p in parts)

    def made(how: str, value: float) -> Amount[Any]:
        origin = units.fold(how, table, count, parts[0].first, parts[-1].last)  # type: ignore[arg-type]
        return units.measured(value, unit, origin).called(f"{name}, {how}")

    return Figure(
        name,
        unit,
        count,
        made("least", least),
        made("median", middle),
        made("most", most),
        made("mean", sum(p.total for p in parts) / count),
    )


class _Ends(NamedTuple):
    """What one part of a column adds to the figures of all."""

    rows: int
    least: float
    most: float
    total: float
    first: Ref
    last: Ref

    @classmethod
    def of(cls, part: pl.DataFrame, column: str) -> _Ends:
        values = part[column]
        ends = _number(values.min()), _number(values.max()), _number(values.sum())
        return cls(part.height, *ends, _ref(part, 0), _ref(part, -1))


def _number(value: object) -> float:
    return float(value) if isinstance(value, (int, float)) else 0.0


def _ref(rows: pl.DataFrame, index: int) -> Ref:
    source, line = rows["source"][index], rows["line"][index]
    return Ref(source, line, line)


def fullness(incident: Incident) -> Full | None:
    """How often the pool, or the cap on running requests, held requests back.

    A decode server's requests wait for room before they are queued (`#prealloc-req`), retracted ones too. Of several
    pools (full attention, sliding window, state cache) the fullest counts.
    """
    return incident.launch.once("fullness", lambda: _fullness(incident))


def _fullness(incident: Incident) -> Full | None:
    if "DecodeBatch" not in incident.launch.tables:
        return None
    import polars as pl  # noqa: PLC0415 - only where there are rows

    waiting = pl.sum_horizontal(pl.col(name).fill_null(0) for name in _WAITING)

    def told() -> Iterator[pl.DataFrame]:
        for part in _parts(incident, "DecodeBatch", (*_USAGES, *_WAITING, "running_count")):
            rows = part.with_columns(waiting.alias("waiting"), pl.max_horizontal(_USAGES).alias("fullest"))
            yield rows.drop_nulls(["running_count", "fullest"])

    ends = [_Ends.of(part, "running_count") for part in told() if part.height]
    if not ends:
        return None
    most, full, queued, capped = max(end.most for end in ends), 0, 0, 0
    for part in told():
        held = part.filter(pl.col("waiting") > 0)
        queued += held.height
        full += held.filter(pl.col("fullest") >= CEILING).height
        capped += held.filter((pl.col("running_count") >= _NEAR * most) & (pl.col("fullest") < _ROOM)).height
    return Full(sum(end.rows for end in ends), full, queued, capped, first=ends[0].first, last=ends[-1].last)


def _parts(incident: Incident, table: str, columns: Iterable[str]) -> Iterator[pl.DataFrame]:
    """The rows of a table with their source and line, a part at a time; none where a column is missing."""
    rows = incident.launch.tables.get(table)
    if rows is None:
        return
    from analyzer.tables.table import batches, columns_of  # noqa: PLC0415 - needs polars, only where there are rows

    wanted = ["source", "line", *columns]
    if set(wanted) <= columns_of(rows):
        yield from batches(rows, wanted)


def in_batches(incident: Incident) -> frozenset[tuple[object, ...]]:
    """The ranks that print batch lines with a rank in their header: node, DP, PP and TP of each."""
    return incident.launch.once("in batches", lambda: _in_batches(incident))


def _in_batches(incident: Incident) -> frozenset[tuple[object, ...]]:
    ranks: set[tuple[object, ...]] = set()
    for table in ("DecodeBatch", "PrefillBatch"):
        for part in _parts(incident, table, _RANK):
            ranks.update(part.select(_RANK).unique().rows())
    return frozenset(rank for rank in ranks if rank[1:] != (None, None, None))


def tokens_per_request(incident: Incident) -> Amount[Any] | None:
    """Mean of tokens in use over running requests, over the decode lines that print both."""
    return incident.launch.once("tokens per request", lambda: _tokens_per_request(incident))


def _tokens_per_request(incident: Incident) -> Amount[Any] | None:
    found: list[_Ends] = []
    for part in _parts(incident, "DecodeBatch", ("tokens_token", "running_count")):
        rows = part.filter((part["running_count"] > 0) & (part["tokens_token"] > 0))
        each = (rows["tokens_token"] / rows["running_count"]).alias("each")
        found += [_Ends.of(rows.with_columns(each), "each")] if rows.height else []
    if not found:
        return None
    count = sum(part.rows for part in found)
    origin = units.fold("mean", "DecodeBatch", count, found[0].first, found[-1].last)
    value = sum(part.total for part in found) / count
    return units.measured(value, "token", origin).called("tokens per running request, on average as logged")


def cached_share(incident: Incident) -> Amount[Any] | None:
    """Cached tokens over all prompt tokens of the prefill lines: what prefix caching saved, as logged."""
    return incident.launch.once("cached share", lambda: _cached_share(incident))


def _cached_share(incident: Incident) -> Amount[Any] | None:
    found: list[tuple[_Ends, float]] = []
    for part in _parts(incident, "PrefillBatch", ("cached_token", "new_token")):
        rows = part.drop_nulls(["cached_token", "new_token"])
        found += [(_Ends.of(rows, "cached_token"), _number(rows["new_token"].sum()))] if rows.height else []
    cached, new = sum(ends.total for ends, _ in found), sum(tokens for _, tokens in found)
    if cached + new <= 0:
        return None
    rows_read = sum(ends.rows for ends, _ in found)
    origin = units.fold("mean", "PrefillBatch", rows_read, found[0][0].first, found[-1][0].last)
    return units.measured(cached / (cached + new), "ratio", origin).called("share of prompt tokens found in the cache")


SERVING_FIGURES = (
    ("DecodeBatch", "running_count", "count", "running requests"),
    ("DecodeBatch", "queue_count", "count", "queued requests"),
    ("DecodeBatch", "tokens_token", "token", "tokens in use"),
    ("DecodeBatch", "usage_ratio", "ratio", "token usage"),
    ("DecodeBatch", "throughput_token_per_s", "token/s", "generation throughput"),
    ("DecodeBatch", "accept_len_count", "count", "accepted length"),
    ("PrefillBatch", "throughput_token_per_s", "token/s", "prefill throughput"),
)


def all_figures(incident: Incident) -> list[Figure]:
    """Every figure of the serving that the log prints."""
    found = [figure(incident, *columns) for columns in SERVING_FIGURES]
    return [f for f in found if f is not None]
