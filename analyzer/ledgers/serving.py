"""The serving ledger: running and queued requests, token usage and throughput, folded from the batch lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from analyzer import units
from analyzer.evidence import Ref

if TYPE_CHECKING:
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
    while running requests stand at their highest and the pool has room.
    """

    rows: int
    full: int
    queued: int
    capped: int
    first: Ref
    last: Ref


CEILING = 0.9  # admission keeps a reserve for running requests, so a bound pool shows 0.9 to 0.99
_ROOM = 0.85
_USAGES = ("usage_ratio", "swa_usage_ratio", "mamba_usage_ratio")
_WAITING = ("queue_count", "prealloc_count", "retracted_count")


def figure(incident: Incident, table: str, column: str, unit: str, name: str) -> Figure | None:
    """Least, median and most of a column over a launch; `None` where no line prints it."""
    frame = incident.launch.tables.get(table)
    if frame is None or column not in frame.columns:
        return None
    rows = frame.select("source", "line", column).drop_nulls(column)
    rows = rows.filter(rows[column].is_finite())
    if rows.height == 0:
        return None
    series = rows[column]

    def made(how: str, value: float) -> Amount[Any]:
        origin = units.fold(how, table, rows.height, _ref(rows, 0), _ref(rows, -1))  # type: ignore[arg-type]
        return units.measured(value, unit, origin).called(f"{name}, {how}")

    return Figure(
        name,
        unit,
        rows.height,
        made("least", _number(series.min())),
        made("median", _number(series.median())),
        made("most", _number(series.max())),
        made("mean", _number(series.mean())),
    )


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
    import polars as pl  # noqa: PLC0415 - only where there are rows

    frame = incident.launch.tables.get("DecodeBatch")
    if frame is None or not {*_USAGES, *_WAITING, "running_count"} <= set(frame.columns):
        return None
    waiting = pl.sum_horizontal(pl.col(name).fill_null(0) for name in _WAITING)
    rows = frame.with_columns(waiting.alias("waiting"), pl.max_horizontal(_USAGES).alias("fullest"))
    rows = rows.drop_nulls(["running_count", "fullest"])
    if rows.height == 0:
        return None
    queued = rows.filter(pl.col("waiting") > 0)
    most = rows["running_count"].max()
    return Full(
        rows=rows.height,
        full=queued.filter(pl.col("fullest") >= CEILING).height,
        queued=queued.height,
        capped=queued.filter((pl.col("running_count") >= most) & (pl.col("fullest") < _ROOM)).height,
        first=_ref(rows, 0),
        last=_ref(rows, -1),
    )


def tokens_per_request(incident: Incident) -> Amount[Any] | None:
    """Mean of tokens in use over running requests, over the decode lines that print both."""
    import polars as pl  # noqa: PLC0415 - only where there are rows

    frame = incident.launch.tables.get("DecodeBatch")
    if frame is None or "tokens_token" not in frame.columns:
        return None
    rows = frame.filter((pl.col("running_count") > 0) & (pl.col("tokens_token") > 0))
    if rows.height == 0:
        return None
    value = _number((rows["tokens_token"] / rows["running_count"]).mean())
    origin = units.fold("mean", "DecodeBatch", rows.height, _ref(rows, 0), _ref(rows, -1))
    return units.measured(value, "token", origin).called("tokens per running request, on average as logged")


def cached_share(incident: Incident) -> Amount[Any] | None:
    """Cached tokens over all prompt tokens of the prefill lines: what prefix caching saved, as logged."""
    frame = incident.launch.tables.get("PrefillBatch")
    if frame is None or not {"cached_token", "new_token"} <= set(frame.columns):
        return None
    rows = frame.drop_nulls(["cached_token", "new_token"])
    cached, new = _number(rows["cached_token"].sum()), _number(rows["new_token"].sum())
    if rows.height == 0 or cached + new <= 0:
        return None
    origin = units.fold("mean", "PrefillBatch", rows.height, _ref(rows, 0), _ref(rows, -1))
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
