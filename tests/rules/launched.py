"""What a scheduler prints of its GPU while it starts and runs out, as events; times are those of one usual launch."""

from __future__ import annotations

from typing import Any

from analyzer.events import (
    CapacityPrinted,
    DistributedInitEnded,
    ExceptionRaised,
    GpuListed,
    GpuOutOfMemory,
    GraphCaptureBegun,
    KvPoolAllocated,
    MemoryPoolEnded,
    WeightLoadBegun,
    WeightsLoaded,
)
from analyzer.evidence import NO_RANK, Rank
from tests.build import size, where

READ = {"wanted", "total", "free", "in_use", "allocated", "reserved"}


def joined(used: str, line: int = 3, rank: Rank = NO_RANK) -> DistributedInitEnded:
    return DistributedInitEnded(where=where(line, "10:03:10", rank), used=size(used, line))


def begun(free: str, line: int = 4, rank: Rank = NO_RANK) -> WeightLoadBegun:
    return WeightLoadBegun(where=where(line, "10:03:20", rank), free=size(free, line))


def loaded(free: str, used: str, line: int = 5, rank: Rank = NO_RANK, time: str = "10:04:00") -> WeightsLoaded:
    return WeightsLoaded(
        where=where(line, time, rank), free=size(free, line), used=size(used, line), architecture="Qwen3"
    )


def pooled(tokens: int, gib: str, line: int = 6, rank: Rank = NO_RANK) -> KvPoolAllocated:
    amounts = {"tokens": size(f"{tokens} token", line), "kv_size": size(f"{gib} GiB", line)}
    return KvPoolAllocated(where=where(line, "10:04:05", rank), **amounts)


def pools_end(free: str, line: int = 7, rank: Rank = NO_RANK) -> MemoryPoolEnded:
    return MemoryPoolEnded(where=where(line, "10:04:06", rank), free=size(free, line))


def capturing(free: str, line: int = 8, rank: Rank = NO_RANK) -> GraphCaptureBegun:
    return GraphCaptureBegun(where=where(line, "10:04:10", rank), free=size(free, line))


def capacity(tokens: int, free: str | None = None, line: int = 9, **fields: Any) -> CapacityPrinted:
    room = size(free, line) if free is not None else None
    amounts = {name: size(f"{value} token", line) for name, value in fields.items()}
    return CapacityPrinted(where=where(line, "10:04:30"), tokens=size(f"{tokens} token", line), free=room, **amounts)


def oom(time: str, line: int = 20, rank: Rank = NO_RANK, gpu: str = "0", **sizes: str) -> GpuOutOfMemory:
    """An out-of-memory error; `sizes` are the figures that it prints."""
    amounts = {name: size(text, line) for name, text in sizes.items() if name in READ}
    text = "torch.OutOfMemoryError: CUDA out of memory."
    return GpuOutOfMemory(where=where(line, time, rank), text=text, gpu=gpu, **amounts)


def crash(time: str, *frames: str, line: int = 20, rank: Rank = NO_RANK) -> ExceptionRaised:
    """The traceback of the same record."""
    return ExceptionRaised(
        where=where(line, time, rank),
        text="torch.OutOfMemoryError",
        type="torch.OutOfMemoryError",
        process="scheduler",
        frames=frames,
    )


def card(index: str, total: str, used: str, line: int = 2, time: str | None = None, **fields: Any) -> GpuListed:
    """One row of nvidia-smi."""
    place = where(line, time, source="nvidia-smi.txt")
    amounts = {"total": size(total, line, "nvidia-smi.txt"), "used": size(used, line, "nvidia-smi.txt")}
    return GpuListed(where=place, index=index, **amounts, **fields)
