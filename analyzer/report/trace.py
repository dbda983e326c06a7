"""The launches in Chrome's trace event format: they open in Perfetto, a process per node, a thread per rank."""

from __future__ import annotations

import json
import math
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from analyzer.layers import peel
from analyzer.records import header_stamp
from analyzer.report.escape import uncoloured, visible
from analyzer.report.select import place, root_of
from analyzer.report.summary import partial

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from analyzer.contract import Launch, PhaseSpan, Report, Series

    Event = dict[str, Any]

MOST_EVENTS: Final = 100_000
_MICRO: Final = 1_000_000
_OUTSIDE: Final = 1  # the thread of what was seen from outside; ranks follow
_GIB: Final = 2**30
_EPOCH: Final = datetime(1970, 1, 1)


def render(report: Report) -> str:
    """All launches on one time axis; zero is the first line of the earliest."""
    begins = {launch.id: _seconds(launch.began) for launch in report.launches}
    known = [begin for begin in begins.values() if begin is not None]
    events: list[Event] = []
    first = 1
    for launch in report.launches:
        begin = begins[launch.id]
        offset = begin - min(known) if begin is not None else 0.0
        pids = {node: first + number for number, node in enumerate(_nodes(launch))}
        first += len(pids)
        events += _launch(report, launch, pids, offset)
    shown = events[:MOST_EVENTS]
    document = {
        "traceEvents": shown,
        "displayTimeUnit": "ms",
        "otherData": {
            "tool": f"{report.tool.name} {report.tool.version}",
            "outcome": report.verdict.outcome,
            "summary": visible(f"{partial(report)}{report.verdict.summary}"),
            "zero": min((launch.began for launch in report.launches if launch.began), default=None),
            "left out": len(events) - len(shown),
        },
    }
    return json.dumps(document, ensure_ascii=True, allow_nan=False, separators=(",", ":")) + "\n"


def _nodes(launch: Launch) -> list[str]:
    return list(dict.fromkeys(process.node for process in launch.processes)) or ["n0"]


def _launch(report: Report, launch: Launch, pids: dict[str, int], offset: float) -> Iterator[Event]:
    end = _end(launch)
    for number, (node, pid) in enumerate(pids.items()):
        yield from _named("process", pid, 0, f"{launch.server.name} {node} ({launch.id})", number)
    outside = next(iter(pids.values()))
    threads = {process.id: tid for tid, process in enumerate(launch.processes, _OUTSIDE + 1)}
    for process in launch.processes:
        where = {"pid": pids[process.node], "tid": threads[process.id]}
        yield from _named("thread", where["pid"], where["tid"], process.id, threads[process.id])
        yield from _phases(process.phases, where, offset, end)
    if launch.spans:
        yield from _named("thread", outside, _OUTSIDE, "seen from outside", _OUTSIDE)
    for span in launch.spans:
        begin = span.start if span.start is not None else 0.0
        said = {"what": visible(span.label or "")}
        until = span.end if span.end is not None else end
        yield _slice(span.name, begin, until, offset, said) | {"pid": outside, "tid": _OUTSIDE}
    yield from _decisive(report, launch, outside, offset)
    for series in launch.series:
        yield from _counter(series, launch, outside, offset)


def _named(what: str, pid: int, tid: int, name: str, order: int) -> Iterator[Event]:
    where = {"ph": "M", "pid": pid, "tid": tid}
    yield {"name": f"{what}_name", "args": {"name": visible(name)}} | where
    yield {"name": f"{what}_sort_index", "args": {"sort_index": order}} | where


def _phases(phases: Iterable[PhaseSpan], where: Event, offset: float, end: float) -> Iterator[Event]:
    """One slice after the other: an open one lasts to the end of what is known, and says that it is open."""
    free = 0.0
    for span in phases:
        if span.start is None:
            continue
        begin = max(span.start, free)
        free = max(begin, span.end if span.end is not None else end)
        said = {"state": span.state} | ({"label": visible(span.label)} if span.label else {})
        name = span.phase if span.state == "done" else f"{span.phase} ({span.state})"
        yield _slice(name, begin, free, offset, said) | where


def _slice(name: str, begin: float, end: float, offset: float, said: Event) -> Event:
    return {"ph": "X", "cat": "phase", "name": visible(name), "ts": _ticks(begin + offset), "args": said,
            "dur": max(0, _ticks(end) - _ticks(begin))}  # fmt: skip


def _decisive(report: Report, launch: Launch, pid: int, offset: float) -> Iterator[Event]:
    """The lines that the root rests on, at the times that they print."""
    root, zero = root_of(report), _seconds(launch.began)
    if root is None or root.launch != launch.id or zero is None:
        return
    for line_id in root.lines:
        cited = report.lines.get(line_id)
        stamp = header_stamp(peel(cited.text).text) if cited else None
        if cited is not None and stamp is not None and stamp.dated:
            at = (stamp.moment.replace(tzinfo=None) - _EPOCH).total_seconds() - zero
            said = {"line": visible(uncoloured(cited.text)), "finding": root.id}
            yield {"ph": "i", "s": "p", "cat": "line", "name": visible(place(report, line_id) or ""), "args": said,
                   "ts": _ticks(at + offset), "pid": pid, "tid": _OUTSIDE}  # fmt: skip


def _counter(series: Series, launch: Launch, pid: int, offset: float) -> Iterator[Event]:
    in_gib = series.unit == "B"
    unit = "GiB" if in_gib else "" if series.unit in {"1", "ratio", "count"} else series.unit
    whose = "" if series.of == launch.id else f" of {series.of}"  # the process of the trace is the launch
    name = visible(f"{series.name}{whose}{f' ({unit})' if unit else ''}")
    for time, value in zip(series.time, series.value, strict=False):
        if math.isfinite(time) and math.isfinite(value):
            shown = value / _GIB if in_gib else value
            yield {"ph": "C", "cat": "series", "name": name, "pid": pid, "tid": 0, "ts": _ticks(time + offset),
                   "args": {"value": round(shown, 6)}}  # fmt: skip


def _end(launch: Launch) -> float:
    times = [t for p in launch.processes for t in (p.last, *(x for s in p.phases for x in (s.start, s.end)))]
    times += [t for span in launch.spans for t in (span.start, span.end)]
    times += [series.time[-1] for series in launch.series if series.time]
    return max((t for t in times if t is not None), default=0.0)


def _ticks(seconds: float) -> int:
    return round(seconds * _MICRO)


def _seconds(began: str | None) -> float | None:
    try:
        return (datetime.fromisoformat(began) - _EPOCH).total_seconds() if began else None
    except (ValueError, TypeError):
        return None
