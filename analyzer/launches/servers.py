"""Which launches are of one server, one after the other, and which are of servers that stand side by side.

What speaks under one name in one log (a pod, a container, a host; or a log without names) is one server, and each of
its launches takes the place of the one before. So does the pod that a deployment makes anew, once the one before it
has said its last word; pods of a set that keep their names, and whatever else has another name, serve side by side.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from analyzer.expression import lazy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.launches.model import Launch

# The ending that Kubernetes makes for a pod of a deployment or a job: its letters have no vowels, as no words shall be.
# Ray's actors have another number after each restart.
_MADE = lazy(r"(?:-[bcdf-hj-np-tv-xz24-9]{5,10})?-[bcdf-hj-np-tv-xz24-9]{5}$| pid=\d+$")
_ANYONE = -1


class Server(NamedTuple):
    """Who speaks in a log: its name, which is empty where the log has none, and which of several of that name."""

    source: str
    name: str
    number: int = 0


class Place(NamedTuple):
    """Of which servers a launch is, and whose next launch takes its place: a log without names is of anyone."""

    own: frozenset[Server]
    followed_by: frozenset[Server]


@dataclass(slots=True)
class _Pods:
    """The pods that took each other's place, up to the last word of the last of them."""

    names: set[str]
    until: float | None


def servers_of(made: Sequence[Launch]) -> list[Place]:
    """The servers of each of the launches, which are in the order in which they began."""
    known: dict[Server, list[_Pods]] = {}
    return [_place({_server(launch, speaker, known) for speaker in _speakers(launch)}) for launch in made]


def _place(own: set[Server]) -> Place:
    anyone = {Server(one.source, "", _ANYONE) for one in own}
    nameless = {Server(one.source, "") for one in own}
    return Place(frozenset(own | anyone), frozenset(own | nameless | (anyone if own & nameless else set())))


def _speakers(launch: Launch) -> list[Server]:
    spoken = dict.fromkeys(Server(t.ref.source, t.event.where.node) for t in launch.events)
    told = {speaker.source for speaker in spoken}
    return [*spoken, *(Server(source, "") for source in launch.sources if source not in told)]


def _server(launch: Launch, speaker: Server, known: dict[Server, list[_Pods]]) -> Server:
    template = _MADE.sub("", speaker.name)
    if template == speaker.name:
        return speaker
    times = [t.at.seconds for t in launch.events if t.at is not None]
    first, last = (min(times), max(times)) if times else (None, None)
    one = speaker._replace(name=template)
    followed = known.setdefault(one, [])
    for number, pods in enumerate(followed):
        over = first is not None and pods.until is not None and pods.until < first
        if over or speaker.name in pods.names:
            pods.names.add(speaker.name)
            pods.until = last
            return one._replace(number=number)
    followed.append(_Pods({speaker.name}, last))
    return one._replace(number=len(followed) - 1)
