"""The launch on one time axis: a bar per group of processes, what was seen from outside, figures below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from analyzer.report.appendix import processes
from analyzer.report.bars import axis_of, bars
from analyzer.report.chart import chart
from analyzer.report.page import Look, heading, paragraph, printed
from analyzer.report.summary import partial, said_of, word

if TYPE_CHECKING:
    from analyzer.contract import Launch, Report, Series

MOST_BARS = 24
MOST_CHARTS = 6
# What is looked at first when there is room for a few charts only.
_FIRST = ("host memory", "throughput", "usage")


def render(report: Report, look: Look) -> str:
    """Every launch of the report, one below the other."""
    page = paragraph([partial(report)], look) if partial(report) else []
    for launch in report.launches:
        page += _launch(launch, look)
    return printed(page or [Text("No launch was recognised: there is no timeline.")], look)


def _launch(launch: Launch, look: Look) -> list[Text]:
    began = f", from {launch.began}" if launch.began else ""
    page = heading(f"{launch.id} {launch.server.name}{began}", look)
    page += paragraph([(word(launch.verdict), "bold"), f"  {said_of(launch.verdict)}"], look)
    page += [Text(), *bars(launch, look, MOST_BARS)]
    axis = axis_of(launch, look)
    drawable = [series for series in launch.series if len(series.time) > 1]
    for series in _chosen(drawable):
        page += [Text(), *chart(series, axis, look)]
    more = len(drawable) - MOST_CHARTS
    page += paragraph([f"and {more} more series"], look) if more > 0 else []
    return page + processes(launch, look)


def _chosen(series: list[Series]) -> list[Series]:
    ranked = sorted(series, key=lambda s: next((n for n, word_ in enumerate(_FIRST) if word_ in s.name), len(_FIRST)))
    return ranked[:MOST_CHARTS]
