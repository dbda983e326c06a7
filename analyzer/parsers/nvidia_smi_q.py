"""`nvidia-smi -q`: per GPU what it is, how hot, how fast, why slower, which errors, which processes.

Its MiB are binary. A GPU is named by its minor number where printed, else by its bus id.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from analyzer.events import Fact, GpuListed, GpuProcess
from analyzer.expression import lazy
from analyzer.parsers.block import Block
from analyzer.parsers.moments import moment
from analyzer.parsers.sizes import count, size, whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analyzer.events import Event
    from analyzer.parsers.block import Around, Text
    from analyzer.units import Amount

KIND = "nvidia-smi-q"
HEADS = ("NVSMI LOG", "GPU 0")

_TITLE = lazy(r"=+NVSMI LOG=+$")
_GPU = lazy(r"GPU ([0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.\d)$")
_REASONS = ("Clocks Event Reasons", "Clocks Throttle Reasons")
_CHOSEN = frozenset({"Idle", "Applications Clocks Setting", "SW Power Scaling"})  # slow on purpose
_WIDEST = 200


@dataclass(slots=True)
class _Gpu:
    """What is told under one GPU: values by their path of headings, processes by their own keys."""

    bus: str
    line: Text
    values: dict[tuple[str, ...], tuple[str, Text]] = field(default_factory=dict)
    processes: list[dict[str, tuple[str, Text]]] = field(default_factory=list)

    def amount(self, unit: str, *path: str) -> Amount[Any] | None:
        """The figure that stands under the last of these headings."""
        for known, (value, line) in self.values.items():
            if known[-len(path) :] == path:
                digits = value.split(" ")[0]
                return size(digits, line.ref, bare=unit) if unit == "MiB" else count(digits, line.ref, unit)
        return None


def claims(head: str, _around: Around) -> bool:
    """The log's title, or the first line of one GPU."""
    line = head.rstrip()[:_WIDEST]
    return bool(_TITLE.match(line) or _GPU.match(line))


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One event per GPU, per process on it, and per pending repair."""
    gpus: list[_Gpu] = []
    headings: list[tuple[int, str]] = []
    used = 0
    for number, line in enumerate(lines, 1):
        text = line.text.rstrip()[:_WIDEST]
        gpu = _GPU.match(text)
        if gpu:
            gpus.append(_Gpu(gpu[1], line))
            headings = []
        elif gpus and text.startswith("    "):
            _note(gpus[-1], headings, line)
        elif not gpus and ": " in text:
            key, _, value = text.partition(":")
            stamp = moment(value) if key.strip() == "Timestamp" else None
            around = around.dated(stamp) if stamp else around
        elif text and not _TITLE.match(text):
            break
        used = number if text else used
    events = [event for gpu in gpus for event in _events(gpu, around, lines[0].ref.line)]
    return Block(max(used, 1), used, events)


def _note(gpu: _Gpu, headings: list[tuple[int, str]], line: Text) -> None:
    """Keeps a line under the headings that its indentation gives."""
    text = line.text.rstrip()[:_WIDEST]
    key, colon, value = (part.strip() for part in text.partition(":"))
    depth = len(text) - len(text.lstrip())
    while headings and headings[-1][0] >= depth:
        headings.pop()
    path = (*(name for _, name in headings), key)
    headings.append((depth, key))
    if key == "Process ID":
        gpu.processes.append({})
    if path[0] == "Processes" and gpu.processes:
        gpu.processes[-1][key] = (value, line)
    elif colon:
        gpu.values.setdefault(path, (value, line))


def _events(gpu: _Gpu, around: Around, snapshot: int) -> Iterator[Event]:
    where = around.at(gpu.line)
    index = gpu.values.get(("Minor Number",), (gpu.bus, gpu.line))[0]
    active = [path[-1] for path, (value, _) in gpu.values.items() if path[0] in _REASONS and value == "Active"]
    yield GpuListed(
        where=where,
        text=gpu.line.quoted,
        index=index,
        name=gpu.values.get(("Product Name",), ("", gpu.line))[0],
        total=gpu.amount("MiB", "FB Memory Usage", "Total"),
        used=gpu.amount("MiB", "FB Memory Usage", "Used"),
        utilisation=gpu.amount("percent", "Utilization", "Gpu") or gpu.amount("percent", "Utilization", "GPU"),
        temperature=gpu.amount("count", "Temperature", "GPU Current Temp"),
        clock=gpu.amount("count", "Clocks", "SM"),
        clock_limit=gpu.amount("count", "Max Clocks", "SM"),
        throttle=", ".join(name for name in active if name not in _CHOSEN),
        ecc=_uncorrected(gpu),
        snapshot=snapshot,
    )
    for told in gpu.processes:
        pid, name, used = (told.get(key, ("", gpu.line)) for key in ("Process ID", "Name", "Used GPU Memory"))
        yield GpuProcess(
            where=around.at(pid[1]),
            text=pid[1].quoted,
            gpu=index,
            pid=whole(pid[0]) or 0,
            command=name[0],
            used=size(used[0].removesuffix(" MiB"), used[1].ref, bare="MiB"),
            snapshot=snapshot,
        )
    for path, (value, line) in gpu.values.items():
        if path[-1] == "Pending" and value.startswith("Yes"):
            yield Fact(where=around.at(line), text=line.quoted, name=f"gpu.{path[-2]}", value=f"{index}: pending")


def _uncorrected(gpu: _Gpu) -> Amount[Any] | None:
    """The largest volatile count of errors that ECC could not correct."""
    counts = [
        count(value, line.ref)
        for path, (value, line) in gpu.values.items()
        if path[:2] == ("ECC Errors", "Volatile") and ("Uncorrectable" in path[-1] or "Double Bit" in path[-2:])
    ]
    return max((found for found in counts if found), key=lambda amount: amount.value, default=None)
