"""File systems as `df` lists them: which one holds a path, and whether it is full."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer.immutable import immutable
from analyzer.units import assumed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.evidence import Ref
    from analyzer.incident import Incident
    from analyzer.units import Amount, Byte

SHM = "/dev/shm"
_LITTLE = assumed("2", "percent", "less than this of a file system left is full for a process that writes large files")


@immutable
class Room:
    """One file system: its size and what is free on it, named by its mount point."""

    mount: str
    total: Amount[Byte]
    free: Amount[Byte]
    ref: Ref

    @property
    def full(self) -> bool:
        """Whether next to nothing is left."""
        return self.free.value == 0 or self.free.surely_below(self.total * _LITTLE)


def rooms(incident: Incident) -> list[Room]:
    """The last listing of each file system, in the order of mount points."""
    return sorted({room.mount: room for room in _listed(incident)}.values(), key=lambda room: room.mount)


def _listed(incident: Incident) -> Iterator[Room]:
    for item in incident.of(ev.FilesystemListed):
        event = item.event
        if event.total is not None and event.free is not None and event.total.value > 0:
            yield Room(
                event.mount,
                event.total.called(f"size of {event.mount}"),
                event.free.called(f"free on {event.mount}"),
                item.ref,
            )


def holding(incident: Incident, path: str) -> Room | None:
    """The file system that a path lies on: the longest mount point that it begins with."""
    fitting = [room for room in rooms(incident) if path.startswith(room.mount.rstrip("/") + "/") or path == room.mount]
    return max(fitting, key=lambda room: len(room.mount), default=None)
