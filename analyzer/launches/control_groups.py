"""Whose a kernel's record is, by the control group of the process: the group's path has a container's id, or a job's.

`/docker/<id>`, `docker-<id>.scope`, `cri-containerd-<id>.scope`, `libpod-<id>.scope`, `/kubepods/pod<uid>/<id>`; the
tools that list containers show the same id, whole or its first twelve characters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from analyzer import events as ev
from analyzer.expression import lazy
from analyzer.launches.owners import pod_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from analyzer.launches.model import Timed

_SHOWN = 12  # characters of an id that every tool shows
UID = 32  # digits of a pod's
_CONTAINER = lazy(r"(?:^|[/:-])([0-9a-f]{64})(?=\.scope|[/:]|$)")
_POD = lazy(r"(?:^|[/-])pod([0-9a-f]{8}(?:[-_]?[0-9a-f]{4}){3}[-_]?[0-9a-f]{12})(?=\.slice|/|$)")
_JOB = lazy(r"/job_(\d{1,12}(?:_\d{1,6})?)(?:/|$)")
_IN_NAME = lazy(r"(?:^|[^0-9a-z])([0-9a-f]{64})(?![0-9a-z])")


class Place(NamedTuple):
    """An owner, and the node at which a tool lists it."""

    node: str
    owner: str


def ids_of(kill: ev.OomKill) -> list[str]:
    """The ids of the containers that the process was in, the innermost first; then those of their pods."""
    path = kill.task_cgroup
    return [*reversed(_CONTAINER.findall(path)), *(_bare(uid) for uid in reversed(_POD.findall(path)))]


def job_of(kill: ev.OomKill) -> str:
    """The batch job that the process was of, as an owner; empty where its group names none."""
    found = _JOB.search(kill.task_cgroup)
    return f"job {found[1]}" if found else ""


def named_in(source: str) -> list[str]:
    """The ids that a log's name has, as runtimes call the logs of containers: `<id>-json.log`."""
    return [str(id_) for id_ in _IN_NAME.findall(source)]


class Listed:
    """The containers and pods that tools list, by their ids."""

    def __init__(self, items: Iterable[Timed[ev.Event]]) -> None:
        self._ids: dict[str, tuple[str, Place]] = {}
        for item in items:
            if isinstance(item.event, ev.Workload):
                for id_ in map(_bare, item.event.ids):
                    owner = pod_of(item.event.owner) if len(id_) == UID else item.event.owner
                    self._ids.setdefault(id_[:_SHOWN], (id_, Place(item.node, owner)))

    @property
    def containers(self) -> bool:
        """Whether any of them is a container of its own, which keeps its id when it is started again."""
        return any(place.owner.startswith("container ") for _, place in self._ids.values())

    def place(self, ids: Iterable[str]) -> Place | None:
        """Whose the first of these ids is that is listed."""
        for id_ in ids:
            listed, place = self._ids.get(id_[:_SHOWN], ("", None))
            if place is not None and id_.startswith(listed):
                return place
        return None


def _bare(id_: str) -> str:
    """A pod's id without its dashes, which a path may have as low lines."""
    return id_.replace("-", "").replace("_", "")
