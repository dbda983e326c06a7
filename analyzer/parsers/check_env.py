"""The report of `python3 -m sglang.check_env`: GPUs, drivers, and the packages that SGLang stands on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.events import Fact, GpuListed, PackageListed, ReleaseStated
from analyzer.expression import lazy
from analyzer.parsers.block import Block

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analyzer.events import Event
    from analyzer.parsers.block import Around, Text

KIND = "check-env"
HEADS = ("Python: 3.", "CUDA available: ", "PyTorch: ", "sglang: ", "ulimit soft: ", "Hypervisor vendor: ")

_HEAD = lazy(
    r"(?:Python: 3\.\d{1,2}\.\d{1,2} \(.{0,200}|CUDA available: (?:True|False)|(?:PyTorch|sglang): \d+\.\d+\S*"
    r"|ulimit soft: \d{1,20}|Hypervisor vendor: \w{1,40})$"
)
_LINE = lazy(r"([A-Za-z][\w ./,-]{1,80}): (.{0,400})$")
_GPUS = lazy(r"GPU (\d{1,3}(?:,\d{1,3})*)$")
_VERSION = lazy(r"\d+(?:\.\w+)+(?:[+-][\w.]+)?$")
_FACTS = (
    "CUDA",
    "GPU",
    "ROCM",
    "NVCC",
    "Hypervisor",
    "ulimit",
    "NVIDIA",
    "MIG",
    "CANN",
    "HIPCC",
    "NPU",
    "Ascend",
    "BiSheng",
)
_NO_PACKAGE = ("CUDA", "ROCM", "NVCC", "HIPCC", "Python", "Driver", "GPU")


def claims(head: str, _around: Around) -> bool:
    """The first line of the report, or a line that an excerpt may begin with."""
    return _HEAD.match(head.rstrip()[:400]) is not None


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One event per package, GPU and fact; the table of links inside is left to its own parser."""
    events: list[Event] = []
    used = 0
    for line in lines:
        found = _LINE.match(line.text.rstrip()[:500])
        told = list(_events(found[1], found[2], line, around)) if found else []
        if not told and not (found and found[1] == "Python"):
            break
        events += told
        used += 1
    return Block(max(used, 1), used, events)


def _events(key: str, value: str, line: Text, around: Around) -> Iterator[Event]:
    where, text = around.at(line), line.quoted
    gpus = _GPUS.match(key)
    if gpus:
        yield from (GpuListed(where=where, text=text, index=index, name=value) for index in gpus[1].split(","))
    elif _VERSION.match(value) and not key.startswith(_NO_PACKAGE) and " " not in key:
        yield PackageListed(where=where, text=text, name={"PyTorch": "torch"}.get(key, key), version=value)
        if key == "sglang":
            yield ReleaseStated(where=where, text=text, version=value)
    elif value == "Module Not Found" or key.startswith(_FACTS):
        yield Fact(where=where, text=text, name=f"check-env.{key}", value=value)
