"""What the page's script draws of a launch: bars, spans and curves as plain data, each with its finished text."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from analyzer.immutable import immutable
from analyzer.report.appendix import span_of
from analyzer.report.bars import NAMES, axis_of
from analyzer.report.chart import GAP
from analyzer.report.escape import visible
from analyzer.report.groups import alike, ids
from analyzer.report.page import Look
from analyzer.report.select import places
from analyzer.vocabulary import Phase

if TYPE_CHECKING:
    from analyzer.contract import Launch, Report, Series, Span
    from analyzer.report.groups import Group
    from analyzer.report.html.cut import Cut

MOST_ROWS = 48
MOST_SPANS = 12
MOST_CURVES = 8
MOST_POINTS = 800
GIB = 2**30
# Curves that share a chart, by what their name contains; any other has one of its own.
_CHARTS = {
    "host memory": "Host memory",
    "memory": "Memory",
    "usage": "Token usage",
    "throughput": "Throughput",
    "requests": "Requests",
}
_UNITS = {"B": "GiB", "token/s": "tok/s", "token": "tokens", "1": "", "ratio": "", "count": ""}
_NO_DATE = "1970-01-01"  # of a log that prints times of day only


@immutable
class Clock:
    """The times of a launch: seconds from its first line, and what its log's clock showed then."""

    began: datetime | None

    @classmethod
    def of(cls, launch: Launch) -> Clock:
        """By the stamp of the launch's first line, where it has one."""
        try:
            return cls(datetime.fromisoformat(launch.began or "").replace(tzinfo=None))
        except ValueError:
            return cls(None)

    @property
    def zero(self) -> int | None:
        """The first line's stamp as milliseconds since 1970 of the clock that printed it."""
        return round(self.began.replace(tzinfo=UTC).timestamp() * 1000) if self.began else None

    def at(self, seconds: float | None) -> str:
        """`245 s (10:06:42)`; empty for no time."""
        if seconds is None:
            return ""
        shown = f"{seconds:,.1f}".removesuffix(".0") + " s"
        try:
            return f"{shown} ({self.began + timedelta(seconds=seconds):%H:%M:%S})" if self.began else shown
        except OverflowError:
            return shown


@immutable
class Row:
    """A line of the timeline: one process, or several that behave alike where there are too many."""

    label: str
    nodes: list[str]
    group: Group


def began(launch: Launch) -> str:
    """The stamp that the seconds count from, without a date where the log prints none."""
    return (launch.began or "").removeprefix(_NO_DATE).strip()


def in_utc(launch: Launch) -> str:
    """That moment in UTC, where the log's zone is known; empty where it is not."""
    start = Clock.of(launch).began
    if start is None or launch.utc_offset is None:
        return ""
    return f"{start - timedelta(seconds=launch.utc_offset):%Y-%m-%d %H:%M:%S}"


def rows(launch: Launch, cut: Cut) -> list[Row]:
    """One for each process with phases; for groups of them where these are more than a page can show."""
    most = cut.bound(MOST_ROWS)
    each = [process for process in launch.processes if process.phases]
    grouping = alike(each, most)
    groups = grouping.groups if len(each) > most else [alike([process], 1).groups[0] for process in each]
    cut.without(grouping.left_out, "processes")
    return [
        Row(ids(m.id for m in group.members), list(dict.fromkeys(m.node for m in group.members)), group)
        for group in groups
    ]


def drawing(report: Report, launch: Launch, drawn: list[Row], cut: Cut) -> dict[str, Any]:
    """Everything that the script needs to draw a launch; all texts are on one line each, with nothing unseen."""
    clock = Clock.of(launch)
    spans = cut.first([s for s in launch.spans if s.start is not None or s.end is not None], MOST_SPANS, "spans").kept
    charts = _charts(launch, cut)
    first = min([0.0, *(point[0] for chart in charts for line in chart["lines"] for point in line["points"])])
    return {
        "zero": clock.zero,
        "dated": not (launch.began or "").startswith(_NO_DATE),
        "from": first,
        "to": axis_of(launch, Look()).end,
        "rows": [_row(report, row, clock, cut) for row in drawn],
        "spans": [_span(report, span, clock, cut) for span in spans],
        "charts": charts,
    }


def _row(report: Report, row: Row, clock: Clock, cut: Cut) -> dict[str, Any]:
    first = row.group.first
    bars = []
    for index, span in enumerate(first.phases):
        if span.start is None:
            continue
        begins, took = span_of(row.group, index)
        of_one = clock.at(span.start) if len(row.group.members) == 1 else begins
        ended = f"for {took}, {span.state}" if took else span.state
        last = f"last line of the process at {clock.at(first.last)}" if span.end is None and first.last else ""
        said = [f"{row.label}: {span.phase}", f"from {of_one}, {ended}", last, span.label, places(report, span.lines)]
        names = NAMES.get(span.phase, (span.phase, span.phase[:1].upper()))
        spoken = first.last if span.end is None else span.end
        bars.append(
            {
                "from": span.start,
                "to": span.end,
                "spoken": spoken,
                "state": span.state,
                "serves": span.phase == Phase.SERVING,
                "phase": list(NAMES).index(span.phase) if span.phase in NAMES else len(NAMES),
                "names": [visible(name) for name in names],
                "said": _said(said, cut),
            }
        )
    return {"label": visible(cut.text(row.label)), "bars": bars}


def _span(report: Report, span: Span, clock: Clock, cut: Cut) -> dict[str, Any]:
    until = f"to {clock.at(span.end)}" if span.end is not None else "no end seen"
    since = f"from {clock.at(span.start)}" if span.start is not None else "no beginning seen"
    said = [span.name, span.label, f"{since} {until}", places(report, span.lines)]
    return {
        "from": span.start,
        "to": span.end,
        "label": visible(cut.text(span.name)),
        "names": [visible(cut.text(name)) for name in (span.label, _length(span)) if name],
        "said": _said(said, cut),
    }


def _length(span: Span) -> str:
    return f"{span.end - span.start:,.0f} s" if span.start is not None and span.end is not None else ""


def _said(texts: list[str | None], cut: Cut) -> list[str]:
    return [visible(cut.text(text)) for text in texts if text]


def _charts(launch: Launch, cut: Cut) -> list[dict[str, Any]]:
    apart: dict[tuple[str, str], list[Series]] = {}
    for series in launch.series:
        title = next((title for words, title in _CHARTS.items() if words in series.name), series.name)
        apart.setdefault((title, series.unit), []).append(series)
    order = list(_CHARTS.values())
    known = sorted(apart.items(), key=lambda item: order.index(item[0][0]) if item[0][0] in order else len(order))
    return [
        {
            "title": visible(cut.text(title)),
            "unit": visible(_UNITS.get(unit, unit)),
            "lines": [
                {"name": visible(cut.text(_named(series, several))), "points": points}
                for series in cut.first(several, MOST_CURVES, "curves").kept
                if (points := points_of(series, cut.bound(MOST_POINTS)))
            ],
        }
        for (title, unit), several in cut.first(known, MOST_CURVES, "charts").kept
    ]


def _named(series: Series, beside: list[Series]) -> str:
    return series.name if len({other.of for other in beside}) == 1 else f"{series.name}, {series.of}"


def points_of(series: Series, most: int) -> list[tuple[float, float | None]]:
    """What a curve goes through: bytes as GiB, no value where it is interrupted because nothing was measured."""
    scale = GIB if series.unit == "B" else 1
    measured = [
        (time, round(value / scale, 4))
        for time, value in zip(series.time, series.value, strict=False)
        if math.isfinite(time) and math.isfinite(value)
    ]
    return _interrupted(thinned(measured, most))


def thinned(points: list[tuple[float, float]], most: int) -> list[tuple[float, float]]:
    """At most `most` points (but 2): where there are more, the least and the most of every stretch of them."""
    if len(points) <= most:
        return points
    width = math.ceil(len(points) / max(1, most // 2))
    stretches = (points[begin : begin + width] for begin in range(0, len(points), width))
    return [point for part in stretches for point in sorted({min(part, key=_value), max(part, key=_value)})]


def _interrupted(points: list[tuple[float, float]]) -> list[tuple[float, float | None]]:
    steps = sorted(b[0] - a[0] for a, b in pairwise(points) if b[0] > a[0])
    usual = steps[len(steps) // 2] if steps else 0.0
    made: list[tuple[float, float | None]] = []
    for before, after in pairwise([points[0], *points] if points else []):
        if after[0] - before[0] > GAP * usual > 0:
            made.append((before[0], None))
        made.append(after)
    return made


def _value(point: tuple[float, float]) -> float:
    return point[1]


def meaning_of(phase: str) -> str:
    """What happens in a phase; empty for a name that is no phase."""
    return Phase(phase).sentence if phase in list(Phase) else ""
