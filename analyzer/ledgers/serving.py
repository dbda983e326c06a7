"""The serving ledger: running and queued requests, token usage and throughput, folded from the batch lines."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, Any

from analyzer import units
from analyzer.immutable import immutable
from analyzer.ledgers.pools import BY_COLUMN

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import polars as pl

    from analyzer.evidence import Ref
    from analyzer.incident import Incident
    from analyzer.units import Amount
    from analyzer.units.amount import FoldHow


@immutable
class Figure:
    """One column of one table, folded: all three are amounts measured over `rows` lines."""

    name: str
    unit: str
    rows: int
    least: Amount[Any]
    median: Amount[Any]
    most: Amount[Any]
    mean: Amount[Any]


@immutable
class Full:
    """How much of the serving time was spent at the ceiling of the KV pool with requests waiting.

    `rows` decode lines in all; `full` of them with usage at or above the ceiling and a queue; `capped` with a queue
    while running requests stand at or just below their highest and the pool has room; `still` with a queue while they
    stand exactly at it and the pool is more than half empty. `pool` is the column of the pool that was full most often.
    """

    rows: int
    full: int
    queued: int
    capped: int
    still: int
    first: Ref
    last: Ref
    pool: str = "usage_ratio"


CEILING = 0.9  # admission keeps a reserve for running requests, so a bound pool shows 0.9 to 0.99
_ROOM = 0.85
_HALF = 0.5
_NEAR = 0.9  # of the most that run: a request that ends leaves its place empty until the next batch is formed
_PLACE = ("source", "line", "start")
_USAGES = tuple(BY_COLUMN)
_WAITING = ("queue_count", "prealloc_count", "retracted_count")


def figure(incident: Incident, table: str, column: str, unit: str, name: str) -> Figure | None:
    """Least, median, most and mean of a column over a launch; `None` where no line prints it."""
    found = incident.launch.summary(table)
    told = found.columns[column] if found else None
    if told is None:
        return None

    def made(how: FoldHow, value: float) -> Amount[Any]:
        origin = units.fold(how, table, told.rows, told.first, told.last)
        return units.measured(value, unit, origin).called(f"{name}, {how}")

    return Figure(
        name,
        unit,
        told.rows,
        made("least", told.least),
        made("median", told.middle),
        made("most", told.most),
        made("mean", told.total / told.rows),
    )


def fullness(incident: Incident) -> Full | None:
    """How often the pool, or the cap on running requests, held requests back.

    A decode server's requests wait for room before they are queued (`#prealloc-req`), retracted ones too. Of several
    pools (full attention, sliding window, state cache) the fullest counts.
    """
    return incident.launch.once("fullness", lambda: _fullness(incident))


def _fullness(incident: Incident) -> Full | None:
    found = incident.launch.summary("DecodeBatch")
    running = found.columns["running_count"] if found else None
    if running is None:
        return None
    import polars as pl  # noqa: PLC0415 - only where there are rows

    from analyzer.tables.fold import place  # noqa: PLC0415 - needs polars

    queued, fullest, runs = pl.col("waiting") > 0, pl.col("fullest"), pl.col("running_count")
    asked = {
        "queued": queued,
        "full": queued & (fullest >= CEILING),
        "capped": queued & (runs >= _NEAR * running.most) & (fullest < _ROOM),
        "still": queued & (runs == running.most) & (fullest < _HALF),
        **{f"full {name}": queued & (fullest >= CEILING) & (pl.col(name) == fullest) for name in _USAGES},
    }
    counts: list[tuple[int, ...]] = []
    ends: list[Ref] = []
    for part in _parts(incident, "DecodeBatch", (*_USAGES, *_WAITING, "running_count")):
        waiting = pl.sum_horizontal(pl.col(_told(part, _WAITING)).fill_null(0)).alias("waiting")
        usage = pl.max_horizontal(_told(part, _USAGES)).alias("fullest")
        told = part.select(*_PLACE, *_USAGES, "running_count", waiting, usage).drop_nulls(["running_count", "fullest"])
        counts.append((told.height, *told.select(mask.sum().alias(name) for name, mask in asked.items()).row(0)))
        ends += [place(told, 0), place(told, -1)] if told.height else []
    if not ends:
        return None
    rows, waited, full, capped, still, *each = map(sum, zip(*counts, strict=True))
    pool = max(zip(_USAGES, each, strict=True), key=itemgetter(1))[0]
    return Full(rows, full, waited, capped, still, ends[0], ends[-1], pool)


def _told(part: pl.DataFrame, columns: Sequence[str]) -> Sequence[str]:
    """Those of the columns that say something, or one that does not."""
    return [name for name in columns if part[name].null_count() < part.height] or columns[:1]


def _parts(incident: Incident, table: str, columns: Sequence[str]) -> Iterator[pl.DataFrame]:
    """The rows of a table with their places, a part at a time."""
    rows = incident.launch.tables.get(table)
    if rows is None:
        return
    from analyzer.tables.table import batches  # noqa: PLC0415 - needs polars, only where there are rows

    yield from batches(rows, [*_PLACE, *columns])


def over_all_ranks(incident: Incident, each: int) -> int:
    """`--max-running-requests` for so many on each rank: with DP attention the flag is divided by the DP ranks."""
    divided = incident.arguments.flag("enable_dp_attention")
    return each * (incident.arguments.count("dp_size", 1) or 1) if divided else each


def in_batches(incident: Incident) -> frozenset[tuple[object, ...]]:
    """The ranks that print batch lines with a rank in their header: node, DP, PP and TP of each."""
    found = [incident.launch.summary(table) for table in ("DecodeBatch", "PrefillBatch")]
    ranks = {rank for summary in found if summary for rank in summary.ranks}
    return frozenset(rank for rank in ranks if rank[1:] != (None, None, None))


def tokens_per_request(incident: Incident) -> Amount[Any] | None:
    """Mean of tokens in use over running requests, over the decode lines that print both."""
    return incident.launch.once("tokens per request", lambda: _tokens_per_request(incident))


def _tokens_per_request(incident: Incident) -> Amount[Any] | None:
    if "DecodeBatch" not in incident.launch.tables:
        return None
    from analyzer.tables.fold import Fold  # noqa: PLC0415 - needs polars, only where there are rows

    each = Fold()
    for part in _parts(incident, "DecodeBatch", ("tokens_token", "running_count")):
        rows = part.filter((part["running_count"] > 0) & (part["tokens_token"] > 0))
        each.add(rows.with_columns((rows["tokens_token"] / rows["running_count"]).alias("each")), "each")
    if each.ends is None:
        return None
    origin = units.fold("mean", "DecodeBatch", each.rows, *each.ends)
    value = each.total / each.rows
    return units.measured(value, "token", origin).called("tokens per running request, on average as logged")


def cached_share(incident: Incident) -> Amount[Any] | None:
    """Cached tokens over all prompt tokens of the prefill lines: what prefix caching saved, as logged."""
    return incident.launch.once("cached share", lambda: _cached_share(incident))


def _cached_share(incident: Incident) -> Amount[Any] | None:
    if "PrefillBatch" not in incident.launch.tables:
        return None
    from analyzer.tables.fold import Fold  # noqa: PLC0415 - needs polars, only where there are rows

    cached, new = Fold(), Fold()
    for part in _parts(incident, "PrefillBatch", ("cached_token", "new_token")):
        rows = part.drop_nulls(["cached_token", "new_token"])
        cached.add(rows, "cached_token")
        new.add(rows, "new_token")
    if cached.ends is None or cached.total + new.total <= 0:
        return None
    origin = units.fold("mean", "PrefillBatch", cached.rows, *cached.ends)
    share = cached.total / (cached.total + new.total)
    return units.measured(share, "ratio", origin).called("share of prompt tokens found in the cache")


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
