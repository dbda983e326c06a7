"""Figures over time as charts under the time axis of the bars; the one file that uses plotext."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

from rich.text import Text

from analyzer.report.page import LABEL, Look, clean, paragraph
from analyzer.report.units import figure

if TYPE_CHECKING:
    from analyzer.contract import Series
    from analyzer.report.bars import Axis

ROWS = 6
GAP = 10.0


def chart(series: Series, axis: Axis, look: Look) -> list[Text]:
    """One series as a chart of `ROWS` lines; its column for a time is the one of the bars above it.

    Values from before or after what the axis shows are left out: what lies far outside would be drawn point by point.
    """
    points = _thinned(series, axis)
    if not points:
        return []
    values = [value for _, value in points]
    body = _drawn(points, (min(0.0, *values), max(0.0, *values) or 1.0), series.unit, axis, look)
    return [*paragraph([(f"{series.name} of {series.of}", "bold")], look), *(Text(line) for line in body)]


def _thinned(series: Series, axis: Axis) -> list[tuple[float, float]]:
    """The least and the most of every half cell: what a chart of this width can show of any number of points."""
    kept: dict[int, tuple[tuple[float, float], tuple[float, float]]] = {}
    for point in zip(series.time, series.value, strict=False):
        if not (0 <= point[0] <= axis.end and math.isfinite(point[1])):
            continue
        slot = int(point[0] / axis.end * axis.cells * 2)
        low, high = kept.get(slot, (point, point))
        kept[slot] = (min(low, point, key=_value), max(high, point, key=_value))
    return sorted({point for pair in kept.values() for point in pair})


def _value(point: tuple[float, float]) -> float:
    return point[1]


def _drawn(
    points: list[tuple[float, float]], ends: tuple[float, float], unit: str, axis: Axis, look: Look
) -> list[str]:
    import plotext  # noqa: PLC0415 - costs 110 ms, and most commands draw no chart

    plotext.terminal.limit(False, False)  # noqa: FBT003 - its own API
    figure_ = plotext.figure
    figure_.clear()
    figure_.theme("colorless")
    figure_.plot_size(axis.cells + LABEL, ROWS + 1)
    figure_.axes(False)  # noqa: FBT003
    signal = figure_.signal(*map(list, zip(*points, strict=True)), marker="*" if look.ascii else "braille").lines()
    for index in _after_gaps([time for time, _ in points]):
        signal.line(index, False)  # noqa: FBT003
    figure_.draw(signal)
    figure_.ruler("x").lim(0, axis.end).ticks([], [])
    ticks = [ends[0], ends[0] / 2 + ends[1] / 2, ends[1]]
    labels = [clean(figure(value, unit), look).rjust(LABEL - 1)[1 - LABEL :] + " " for value in ticks]
    figure_.ruler("y").lim(*ends).ticks(ticks, labels)
    return [line.rstrip() for line in str(figure_.build().string(colorless=True)).rstrip("\n").split("\n")]


def _after_gaps(times: list[float]) -> list[int]:
    steps = sorted(b - a for a, b in pairwise(times) if b > a)
    usual = steps[len(steps) // 2] if steps else 0.0
    return [n for n, (a, b) in enumerate(pairwise(times), 1) if b - a > GAP * usual]
