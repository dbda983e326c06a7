"""`docker events` and `podman events`, as text and as JSON: which container died with which code or got a signal.

A signal is a request to stop the server only where it went to the server's container, or to the one that is shown.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from analyzer.events import ExitCode, Fact, StopRequested
from analyzer.expression import lazy
from analyzer.layers import stamps
from analyzer.parsers.block import Block
from analyzer.parsers.bystanders import Row, of_server, serves
from analyzer.parsers.images import release
from analyzer.parsers.moments import moment
from analyzer.parsers.sizes import count

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analyzer.events import Event
    from analyzer.evidence import Stamp
    from analyzer.parsers.block import Around, Text

KIND = "docker-events"
_ACTS = "create start die died oom kill stop restart pause destroy remove rename attach init cleanup health_status"
HEADS = (*(f"container {act}" for act in _ACTS.split()), "container exec_", '"Type":"', "network dis", "network conn")

_KINDS = "builder|config|container|daemon|image|machine|network|node|plugin|pod|secret|service|system|volume"
_ROW = lazy(
    r"(?:(\d{4}-\d\d-\d\d[T ][\d:.,]{8,20} ?(?:Z|[+-]\d\d:?\d\d)?)(?: [A-Z]{2,5}| [+-]\d\d)? )?"
    rf"({_KINDS}) "
    r"([a-z_]{2,20}(?:: .{0,1000}?)?) (\S{8,160}) \((.{0,6000})\)$"
)
_ATTRIBUTE = lazy(r"(?:^|, )([\w./-]{1,100})=([^,)]{0,400})")
_LONGEST, _HEAD = 16 * 1024, 400
_STOPPING = frozenset({"2", "9", "15"})
_DEATHS = frozenset({"die", "died"})
_KEPT = frozenset({"die", "died", "kill", "pause", "restart", "start", "stop", "health_status"})


class _Told(NamedTuple):
    """One event: what it is of, what was done, to whom, and the attributes by their names in lower case."""

    kind: str
    act: str
    id: str
    attributes: dict[str, str]
    stamp: Stamp | None

    @property
    def owner(self) -> str:
        """The container by its name, else by its id; empty for what is no container."""
        named = self.attributes.get("name") or self.id[:12]
        return f"container {named}" if self.kind == "container" and named else ""

    @property
    def server(self) -> bool | None:
        """Whether the container is SGLang's, by its image and its name."""
        return serves(self.owner.partition(" ")[2], self.attributes.get("image", ""))


def claims(head: str, _around: Around) -> bool:
    """A whole row, or a whole object."""
    return _told(head) is not None


def reads(lines: Sequence[Text], around: Around) -> Block:
    """How containers ended and what was done to them; of images, networks and volumes nothing is kept."""
    told: list[tuple[_Told, Text]] = []
    for line in lines:
        found = _told(line.text)
        if found is None:
            break
        told.append((found, line))
    owners = {each.owner: each.server for each, _ in told if each.owner}
    servers = {owner for owner, server in owners.items() if server}
    if not servers and len(owners) == 1:  # one container is shown, beside the log of a server
        servers = {owner for owner, server in owners.items() if server is None}
    rows = [
        Row(each.owner, each.server, list(_events(each, line, around, servers)), ids=(each.id,)) for each, line in told
    ]
    return Block(max(len(told), 1), len(told), [*_releases(told, around), *of_server(rows, mentioned=True)])


def _told(text: str) -> _Told | None:
    plain = text.strip()
    if plain.startswith("{"):
        return _of_json(plain)
    row = _ROW.match(plain[:_LONGEST])
    if row is None:
        return None
    when, kind, act, named, attributes = row.groups()
    held = {name.lower(): value for name, value in _ATTRIBUTE.findall(attributes)}
    return _Told(kind, act.partition(":")[0], named, held, moment(when) if when else None)


def _of_json(text: str) -> _Told | None:
    """Docker's object, whose actor has the attributes, or podman's, which has them itself."""
    if '"Type":"' not in text[:_HEAD] or len(text) > _LONGEST:
        return None
    try:
        held = json.loads(text)
    except (ValueError, RecursionError):
        return None
    actor = held.get("Actor")
    kind, act = held.get("Type"), held.get("Action") or held.get("Status")
    if not isinstance(kind, str) or not isinstance(act, str) or kind not in _KINDS.split("|"):
        return None
    if not isinstance(actor, dict):
        actor = {"ID": held.get("ID", ""), "Attributes": held}
    inner = actor.get("Attributes")
    attributes = {str(name).lower(): str(value) for name, value in inner.items()} if isinstance(inner, dict) else {}
    when = str(held.get("time") or held.get("Time") or "")
    return _Told(kind, act.partition(":")[0], str(actor.get("ID", "")), attributes, stamps.epoch(when) or moment(when))


def _events(told: _Told, line: Text, around: Around, servers: set[str]) -> Iterator[Event]:
    """An end, a request to stop the server, or what was done to a container."""
    where = around.at(line._replace(stamp=told.stamp) if told.stamp else line)
    code, signal = told.attributes.get("exitcode") or told.attributes.get("containerexitcode", ""), ""
    oom = told.act == "oom"
    if not told.owner:
        return
    if oom or (told.act in _DEATHS and code):
        yield ExitCode(
            where=where,
            text=line.quoted,
            code=count(code, line.ref),
            reason="oom" if oom else "",
            oom=True if oom else None,
            container=told.id,
            owner=told.owner,
            image=told.attributes.get("image", ""),
        )
        return
    if told.act == "kill":
        signal = told.attributes.get("signal", "")
    if signal in _STOPPING and told.owner in servers:
        yield StopRequested(where=where, text=line.quoted, signal=signal)
    elif told.act in _KEPT:
        value = f"{told.act} {signal}".strip()
        yield Fact(where=where, text=line.quoted, name=f"docker.event {told.owner.partition(' ')[2]}", value=value)


def _releases(told: Sequence[tuple[_Told, Text]], around: Around) -> Iterator[Event]:
    """The release by each image, once."""
    images: dict[str, Text] = {}
    for each, line in told:
        if each.owner and each.server:
            images.setdefault(each.attributes.get("image", ""), line)
    for image, line in images.items():
        yield from release(image, around.at(line))
