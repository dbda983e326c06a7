"""Whose an end is, by kind and name (`pod llm-0/main`, `unit sglang.service`), and which of them are the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.expression import lazy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_RANKED = lazy(r"-\d{1,4}$")
_COUNTED = lazy(r"-\d{1,4}$|-[a-z0-9]{5,10}-[a-z0-9]{5}$|-\d{1,4}-\d{1,4}$")  # of a set, a deployment, a leader's group


def name_of(owner: str) -> str:
    """The name without its kind."""
    return owner.partition(" ")[2]


def family_of(owner: str) -> str:
    """What can stand for each other: a pod's container is a container."""
    kind = owner.partition(" ")[0]
    return "container" if kind == "pod" else kind


def set_of(owner: str) -> str:
    """The set that a pod is a replica of, with the container in it; of other kinds nothing tells that they are one."""
    pod, slash, container = owner.partition("/")
    return f"{_COUNTED.sub('', pod) if pod.startswith('pod ') else pod}{slash}{container}"


def itself(owner: str) -> str:
    """The owner: a server on one node is one pod, and the other replicas of its set serve beside it."""
    return owner


def grouping(owners: Iterable[str]) -> Callable[[str], str]:
    """How the pods of a server on several nodes stand for each other: those of one leader's group, else of one set.

    A leader's workers are called after it: `llm-0` leads `llm-0-1`.
    """
    pods = {pod_of(owner) for owner in owners if owner.startswith("pod ")}
    leaders = {_RANKED.sub("", pod) for pod in pods if _RANKED.search(pod)} & pods
    return (lambda owner: _group_of(owner, leaders)) if leaders else set_of


def _group_of(owner: str, leaders: set[str]) -> str:
    pod, slash, container = owner.partition("/")
    leader = _RANKED.sub("", pod)
    return f"{leader if leader in leaders else pod}{slash}{container}"


def pod_of(owner: str) -> str:
    """The pod of one of its containers; any other owner as it is."""
    return owner.partition("/")[0]


class Sets:
    """The sets of some owners, kept by their names, by what they lie in and by their last parts.

    One is the same as another of its family that it lies in or that lies in it, or whose last part is its whole name:
    a replica of its set, its pod, or its container without the pod's name.
    """

    def __init__(self, owners: Iterable[str] = (), grouped: Callable[[str], str] = set_of) -> None:
        self.sets = {grouped(owner) for owner in owners}  # each once, as there may be thousands of replicas
        self.families: dict[str, list[str]] = {}
        self._names: set[tuple[str, str]] = set()
        self._above: set[tuple[str, str]] = set()
        self._last: set[tuple[str, str]] = set()
        for one in self.sets:
            family, name = family_of(one), name_of(one)
            self.families.setdefault(family, []).append(one)
            self._names.add((family, name))
            self._above.update((family, above) for above in _above(name))
            self._last.add((family, name.rpartition("/")[2]))

    def has(self, one: str) -> bool:
        """Whether a set is one of them, or may stand for one by its last part."""
        family, name = family_of(one), name_of(one)
        key = family, name
        return key in self._above or key in self._last or any((family, above) in self._names for above in _above(name))

    def has_part(self, one: str) -> bool:
        """Whether one of them may stand for a set by the last part of it."""
        return (family_of(one), name_of(one).rpartition("/")[2]) in self._names


def _above(name: str) -> Iterator[str]:
    """What a name lies in, itself among them: `llm`, `llm/main`."""
    at = name.find("/")
    while at >= 0:
        yield name[:at]
        at = name.find("/", at + 1)
    yield name
