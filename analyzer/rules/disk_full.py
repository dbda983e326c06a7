"""A file system is full.

What it is. `No space left on device` (or a quota) while a process writes: compile caches below the home folder,
downloads, temporary files, dumps, logs, HiCache's file storage.

How it shows. `OSError: [Errno 28] No space left on device`, often in the frames of a compiler's cache; `df` at 100%
for the file system of the path that is named.

What it is mistaken for. A compile failure or a failed download: they only met it. /dev/shm that is too small gives
the same errno and is a finding of its own. No inodes left reads the same with room in `df -h`.

What confirms and refutes it. `df -h` and `df -i` of the path in the message, inside the container.

How it is fixed. Free space, or point the cache to another file system (TRITON_CACHE_DIR, FLASHINFER_WORKSPACE_BASE,
HF_HOME, TMPDIR).

Since and until which release. Any.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer import units
from analyzer.ledgers.file_systems import Room, holding, rooms
from analyzer.ledgers.spoken import AFTER_A_CRASH, decisive, from_lines, in_time, record, survived
from analyzer.rule import rule
from analyzer.verdict import Claim, Confirm, Remedy
from analyzer.vocabulary import Part, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.incident import Incident
    from analyzer.launches import Timed
    from analyzer.verdict import Found, Verdict

_TOPIC = "disk-full"
_CONFIRM = (Confirm("df -h; df -i", "which file system has no room, and whether it is inodes", where="container"),)
_REMEDY = (
    Remedy("mitigate", "free space on the file system (old images, caches, dumps, logs), then start again"),
    Remedy(
        "fix", "point what writes there to another one: TRITON_CACHE_DIR, FLASHINFER_WORKSPACE_BASE, HF_HOME, TMPDIR"
    ),
    Remedy("prevent", "watch the file systems of the caches and of the root, not only the models'"),
)

_FEWER = Remedy("mitigate", "delete many small files there (caches of compilers and hubs, logs), then start again")
_INODES = "inodes-free "


@rule(
    _TOPIC,
    explains=(
        *AFTER_A_CRASH,
        "kernel-compile-failed",
        "model-download-failed",
        "checkpoint-unreadable",
        "graph-capture-failed",
        "detokenizer-crashed",
    ),
)
def no_space(incident: Incident) -> Iterator[Verdict]:
    """The write that failed, with the file system that `df` shows for its path; shared memory is another's matter."""
    shared = {record(t.ref) for t in incident.failures("shm-too-small")}
    lines = in_time([t for t in decisive(incident, _TOPIC) if record(t.ref) not in shared])
    if lines:
        yield _found(incident, lines)
    elif not shared:
        yield from survived(incident, _TOPIC)


def _found(incident: Incident, lines: list[Timed[ev.Failure]]) -> Found:
    found = from_lines(lines, remedy=_REMEDY, confirm=_CONFIRM)
    path = lines[0].event.detail.strip("'\"")
    what = f"writing {path}" if path.startswith("/") else lines[0].event.text[:160]
    room = _room(incident, path)
    if room is None and (spent := _inodes(incident, path)):
        where, text = spent.event.name.removeprefix(_INODES), f"{spent.event.value} inodes are free"
        return replace(
            found,
            summary=f"no inodes left on {where}: {what}; {text}, whatever room `df -h` shows",
            claims=(*found.claims, Claim(Part.LIMIT, f"{text} on {where}", Status.ESTABLISHED, (spent.ref,))),
            lines=(*found.lines, spent.ref),
            remedy=(_FEWER, *_REMEDY[1:]),
        )
    if room is None:
        return replace(found, summary=f"no space left on a file system: {what}")
    text = f"{units.shown(room.free)} of {units.shown(room.total)} are left on {room.mount}"
    return replace(
        found,
        summary=f"no space left on {room.mount}: {what}; {text}",
        claims=(*found.claims, Claim(Part.LIMIT, text, Status.ESTABLISHED, (room.ref,))),
        numbers=(*found.numbers, room.free),
        lines=(*found.lines, room.ref),
    )


def _room(incident: Incident, path: str) -> Room | None:
    """The file system of the path where the listing still shows it full; without a path, the only full one."""
    if path.startswith("/"):
        room = holding(incident, path)
        return room if room is not None and room.full else None
    full = [room for room in rooms(incident) if room.full]
    return full[0] if len(full) == 1 else None


def _inodes(incident: Incident, path: str) -> Timed[ev.Fact] | None:
    """The file system of the path, or the only one, of which `df -i` shows that no inode is left."""
    spent: dict[str, Timed[ev.Fact]] = {}
    for item in incident.of(ev.Fact):
        if item.event.name.startswith(_INODES):
            spent[item.event.name.removeprefix(_INODES)] = item
    if path.startswith("/"):
        fitting = [m for m in spent if path.startswith(m.rstrip("/") + "/")]
        chosen = [max(fitting, key=len)] if fitting else []
    else:
        chosen = [mount for mount, item in spent.items() if _used_up(item)]
    return spent[chosen[0]] if len(chosen) == 1 and _used_up(spent[chosen[0]]) else None


def _used_up(item: Timed[ev.Fact]) -> bool:
    """Whether none is free: a share of 100% may be rounded up."""
    return item.event.amount is not None and item.event.amount.value == 0
