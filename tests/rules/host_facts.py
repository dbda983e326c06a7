"""What a host and its ranks show of host memory, as events; times are those of one usual launch."""

from __future__ import annotations

from typing import Any

from analyzer.events import (
    Event,
    Fact,
    HostPoolAnnounced,
    HostPoolRefused,
    MemorySnapshot,
    OomKill,
    ProcessListed,
)
from analyzer.evidence import NO_RANK
from tests.build import size, tp, where

GIB, GB = 2**30, 10**9


def pools(gigabytes: str, ranks: int = 8, *, pool: str = "kv", line: int = 20, labelled: bool = True) -> list[Event]:
    """One announcement per rank."""
    return [
        HostPoolAnnounced(
            where=where(line + r, "10:06:42", tp(r) if labelled else NO_RANK),
            size=size(f"{gigabytes} GB", line + r),
            pool=pool,
        )
        for r in range(ranks)
    ]


def refusals(wanted: str, free: str, ranks: tuple[int, ...], line: int = 40) -> list[Event]:
    """Refusals of these ranks."""
    return [
        HostPoolRefused(
            where=where(line + r, "10:06:43", tp(r)),
            text="ValueError: Not enough host memory available.",
            wanted=size(f"{wanted} GB", line + r),
            free=size(f"{free} GB", line + r),
        )
        for r in ranks
    ]


def memory(total: str, available: str, time: str | None = None, label: str = "", **more: str) -> MemorySnapshot:
    """A snapshot in GiB, as `free -g` cuts them; `more` has its unit."""
    amounts: dict[str, Any] = {name: size(text, 3, "free.txt") for name, text in more.items()}
    return MemorySnapshot(
        where=where(3, time, source="free.txt"),
        total=size(f"{total} GiB", 3, "free.txt", truncated=True),
        available=size(f"{available} GiB", 3, "free.txt", truncated=True),
        label=label,
        **amounts,
    )


def process(
    pid: int, command: str, resident: str, *, time: str | None = None, line: int = 1, **fields: Any
) -> ProcessListed:
    """One row of a process listing; the listing's number is its line."""
    return ProcessListed(
        where=where(line, time, source="ps.txt"),
        pid=pid,
        command=command,
        resident=size(resident, line, "ps.txt"),
        snapshot=line if time else 1,
        **fields,
    )


def oom_kill(command: str = "sglang::schedul", pid: int = 1214, time: str = "10:08:26", **fields: Any) -> OomKill:
    """The kernel's record of a kill."""
    sizes = {"anon", "limit", "usage"}
    told: dict[str, Any] = {n: size(v, 3, "dmesg.txt") if n in sizes else v for n, v in fields.items()}
    return OomKill(where=where(3, time, source="dmesg.txt"), command=command, pid=pid, **told)


def numa(number: int, total: str, free: str) -> list[Event]:
    """One node of `numactl -H`."""
    named = (("total", total), ("free", free))
    return [
        Fact(
            where=where(4 + number, source="numactl.txt"),
            name=f"numa.node{number}.{name}",
            value=text,
            amount=size(text, 4 + number, "numactl.txt"),
        )
        for name, text in named
    ]
