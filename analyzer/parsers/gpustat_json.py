"""`gpustat --json`, laid out, by `jq` or on one line: each GPU with its processes. Its figures of memory are MiB."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from analyzer.events import GpuListed, GpuProcess
from analyzer.expression import lazy
from analyzer.parsers.block import Block
from analyzer.parsers.json_outline import JsonOutline
from analyzer.parsers.moments import moment
from analyzer.parsers.sizes import count, size, whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analyzer.events import Event
    from analyzer.parsers.block import Around, Text
    from analyzer.parsers.outline import Leaf

KIND = "gpustat-json"
HEADS = ('"hostname": "', '"driver_version"', '"query_time"', '"enforced.power.limit"')

_HEAD = lazy(
    r'\s*\{?\s*"(?:hostname": ?"[\w.-]{1,255}",(?:$|\s*"(?:driver_version|query_time)")'
    r'|driver_version": ?"[\d.]{3,20}",(?:$|\s*"query_time")'
    r'|query_time": ?"\d{4}-[\dT:.-]{4,40}",(?:$|\s*"gpus"))'
)
_OPENED = "{"
_Path = tuple[str | int, ...]


class _Gpu(NamedTuple):
    """The scalars of one GPU, and those of each of its processes, by key."""

    own: dict[str, Leaf]
    processes: dict[int, dict[str, Leaf]]


def claims(head: str, around: Around) -> bool:
    """Its first keys, or the brace right below the echoed command."""
    line = head.strip()[:400]
    return _HEAD.match(line) is not None or (line == _OPENED and "gpustat" in around.command)


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One event per GPU and per process with a number."""
    outline = JsonOutline(lines)
    gpus: dict[int, _Gpu] = {}
    for leaf in outline.leaves:
        path = leaf.path[1:]
        if path == ("query_time",) and (stamp := moment(leaf.value)):
            around = around.dated(stamp)
        _place(gpus, path, leaf)
    events = [event for gpu in gpus.values() for event in _events(gpu, lines[0], around)]
    used = outline.used if events else 0
    return Block(max(used, 1), used, events)


def _place(gpus: dict[int, _Gpu], path: _Path, leaf: Leaf) -> None:
    """Keeps `gpus / number / key` and `gpus / number / processes / number / key`."""
    match path:
        case ("gpus", int(number), str(key)):
            gpus.setdefault(number, _Gpu({}, {})).own[key] = leaf
        case ("gpus", int(number), "processes", int(process), str(key)):
            gpus.setdefault(number, _Gpu({}, {})).processes.setdefault(process, {})[key] = leaf


def _events(gpu: _Gpu, first: Text, around: Around) -> Iterator[Event]:
    index, used = gpu.own.get("index"), gpu.own.get("memory.used")
    if index is None or used is None:
        return
    values = {key: leaf.value for key, leaf in gpu.own.items()}
    snapshot, ref = first.ref.line, used.line.ref
    yield GpuListed(
        where=around.at(used.line),
        text=used.line.quoted,
        index=index.value,
        name=values.get("name", ""),
        total=size(values.get("memory.total", ""), ref, bare="MiB"),
        used=size(used.value, ref, bare="MiB"),
        utilisation=count(values.get("utilization.gpu", ""), ref, "percent"),
        temperature=count(values.get("temperature.gpu", ""), ref),
        snapshot=snapshot,
    )
    for process in gpu.processes.values():
        pid = whole(process["pid"].value) if "pid" in process else None
        if pid is None:
            continue
        line, held = process["pid"].line, process.get("gpu_memory_usage")
        yield GpuProcess(
            where=around.at(line),
            text=line.quoted,
            gpu=index.value,
            pid=pid,
            command=process["command"].value[:200] if "command" in process else "",
            used=size(held.value, held.line.ref, bare="MiB") if held else None,
            snapshot=snapshot,
        )
