"""Wrappings in which an entry takes several lines, or all of them take one: journals, CSV, answers to queries."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from tests.wrapped import STAMP, Wrapped, iso, micros

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from tests.wrapped import Wrapping


def entries_of(shown: list[tuple[list[str], int]]) -> Wrapped:
    """Entries of several lines each, all of which hold the plain line of this number."""
    texts = [f"{text}\n" for lines, _ in shown for text in lines]
    return Wrapped("".join(texts).encode(), [number for lines, number in shown for _ in lines])


def journal_verbose(lines: list[str], times: list[datetime]) -> Wrapped:
    """`journalctl -o verbose`, newest first: the host stands behind the message."""
    shown = []
    for number, (line, time) in enumerate(zip(lines, times, strict=True), 1):
        head = f"{time:%a %Y-%m-%d %H:%M:%S.%f} UTC [s=9a1f;i={number:x};b=5431e128;m=2321b29f4;t=62c23c2786517;x=fbb7]"
        fields = [
            "_TRANSPORT=stdout", "PRIORITY=6", "SYSLOG_IDENTIFIER=sglang", f"MESSAGE={line}", "_PID=4100",
            "_COMM=python3", "_HOSTNAME=gpu-1", f"_SOURCE_REALTIME_TIMESTAMP={micros(time)}",
        ]  # fmt: skip
        shown.append(([head, *(f"    {field}" for field in fields)], number))
    return entries_of(shown[::-1])


def journal_pretty(lines: list[str], times: list[datetime]) -> Wrapped:
    """`journalctl -o json-pretty`: objects over many lines, one behind the other."""
    shown = []
    for number, (line, time) in enumerate(zip(lines, times, strict=True), 1):
        entry = {"PRIORITY": "6", "__REALTIME_TIMESTAMP": micros(time), "MESSAGE": line, "_HOSTNAME": "gpu-1"}
        fields = [f"\t{json.dumps(key)} : {json.dumps(value)}" for key, value in entry.items()]
        shown.append((["{", *(f"{field}," for field in fields[:-1]), fields[-1], "}"], number))
    return entries_of(shown)


def documents(lines: list[str], times: list[datetime]) -> Wrapped:
    """`gcloud logging read`, newest first: YAML, whose texts are broken at a blank behind 80 characters."""
    shown = []
    for number, (line, time) in enumerate(zip(lines, times, strict=True), 1):
        quoted = "'" + line.replace("'", "''") + "'"
        text = re.sub(r"(\S.{76,}?\S) (?=\S)", r"\1\n  ", quoted)
        fields = [
            "---", f"insertId: a{number}", f"receiveTimestamp: '{iso(time)}'", "resource:", "  labels:",
            "    pod_name: llm-0", "  type: k8s_container", *f"textPayload: {text}".split("\n"),
            f"timestamp: '{iso(time)}'",
        ]  # fmt: skip
        shown.append((fields, number))
    return entries_of(shown[::-1])


def journal_export(lines: list[str], times: list[datetime]) -> Wrapped:
    """`journalctl -o export`."""
    shown = []
    for number, (line, time) in enumerate(zip(lines, times, strict=True), 1):
        fields = [
            f"__CURSOR=s=9a1f;i={number:x};b=5431e128", f"__REALTIME_TIMESTAMP={micros(time)}",
            "__MONOTONIC_TIMESTAMP=74212842", "_TRANSPORT=stdout", f"MESSAGE={line}", "_HOSTNAME=gpu-1", "_PID=4100", "",
        ]  # fmt: skip
        shown.append((fields, number))
    return entries_of(shown)


def messages(lines: list[str], times: list[datetime]) -> list[tuple[list[str], datetime, int]]:
    """The lines as a collector joins them: a traceback with the line before it."""
    found: list[tuple[list[str], datetime, int]] = []
    for number, (line, time) in enumerate(zip(lines, times, strict=True), 1):
        if found and not STAMP.match(line) and line.startswith((" ", "Traceback (most recent", "RuntimeError")):
            found[-1][0].append(line)
        else:
            found.append(([line], time, number))
    return found


def csv_of(header: list[str], row: Callable[[str, datetime], list[str]], *, newest_first: bool = True) -> Wrapping:
    """A log store's CSV, every cell in quotes, one message with all its lines in one."""

    def done(lines: list[str], times: list[datetime]) -> Wrapped:
        texts, numbers = [_row(header)], [0]
        found = messages(lines, times)
        for parts, time, first in reversed(found) if newest_first else found:
            texts.append(_row(row("\n".join(parts), time)))
            numbers += range(first, first + len(parts))
        return Wrapped("".join(f"{text}\n" for text in texts).encode(), numbers)

    return done


def _row(cells: list[str]) -> str:
    return ",".join('"' + cell.replace('"', '""') + '"' for cell in cells)


def answered(document: Callable[[list[tuple[str, datetime]]], object], indent: int | None = None) -> Wrapping:
    """The answer to a query, newest first: its entries are read as lines of their own."""

    def done(lines: list[str], times: list[datetime]) -> Wrapped:
        found = list(zip(lines, times, strict=True))[::-1]
        return Wrapped(json.dumps(document(found), indent=indent).encode(), list(range(len(lines), 0, -1)))

    return done


def listed(entry: Callable[[str, datetime], object]) -> Wrapping:
    """A list of entries on one line, newest first, as a page lets one download it."""

    def done(lines: list[str], times: list[datetime]) -> Wrapped:
        found = [entry(line, time) for line, time in zip(lines, times, strict=True)][::-1]
        return Wrapped(json.dumps(found, separators=(",", ":")).encode(), list(range(len(lines), 0, -1)))

    return done


def insights(found: list[tuple[str, datetime]]) -> object:
    """CloudWatch Logs Insights, whose entries are lists of fields."""
    results = [
        [{"field": "@timestamp", "value": f"{time}"}, {"field": "@message", "value": line}] for line, time in found
    ]
    return {"results": results, "statistics": {"recordsMatched": 9.0}, "status": "Complete"}


def searched(found: list[tuple[str, datetime]]) -> object:
    hits = [json.loads(hit(line, time)) for line, time in found]
    return {"took": 7, "timed_out": False, "_shards": {"total": 1}, "hits": {"total": {"value": 9}, "hits": hits}}


def ranged(found: list[tuple[str, datetime]]) -> object:
    """Loki parts the lines of one pod by their level: each stream by itself is newest first."""
    streams: dict[str, list[list[str]]] = {"error": [], "info": []}
    for line, time in found:
        streams["error" if "rror" in line else "info"].append([f"{micros(time)}000", line])
    result = [
        {"stream": {"pod": "llm-0", "detected_level": level}, "values": values} for level, values in streams.items()
    ]
    return {"status": "success", "data": {"resultType": "streams", "result": result, "stats": {"ingester": {}}}}


def fluent_bit(lines: list[str], times: list[datetime]) -> Wrapped:
    """Texts are not escaped; each has a line end of its own."""
    shown = []
    for number, (line, time) in enumerate(zip(lines, times, strict=True), 1):
        seconds = f"{micros(time)[:-6]}.{micros(time)[-6:]}000"
        shown.append(([f'[0] kube.llm-0: [[{seconds}, {{}}], {{"log"=>"{line}', '", "stream"=>"stderr"}]'], number))
    return entries_of(shown)


def hit(line: str, time: datetime) -> str:
    source = {"@timestamp": iso(time), "message": line, "kubernetes": {"pod": {"name": "llm-0"}}}
    return json.dumps({"_index": "logs-2026.02", "_id": micros(time), "_source": source})
