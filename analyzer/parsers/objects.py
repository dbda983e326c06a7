"""What Kubernetes' objects say, from their scalars: pods and what starts them, nodes and events.

The same facts come out, whether an object is shown as YAML, as JSON, or described: of containers beside the server's
neither the limits nor the ends.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from analyzer.events import (
    CgroupMemory,
    CommandLine,
    ExitCode,
    Fact,
    FilesystemListed,
    HostNote,
    OrchestratorAct,
    ProbeSettings,
)
from analyzer.expression import lazy
from analyzer.parsers import pod_events
from analyzer.parsers.argv import command_line
from analyzer.parsers.bystanders import ENDS, serves, workload
from analyzer.parsers.images import release
from analyzer.parsers.moments import moment
from analyzer.parsers.sizes import count, size

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from analyzer.events import Event
    from analyzer.parsers.block import Around, Text
    from analyzer.parsers.outline import Leaf
    from analyzer.units import Amount

_ASKED = frozenset({"containers", "initContainers"})
_STATUSES = frozenset({"containerStatuses", "initContainerStatuses"})
_PROBES = {"livenessProbe": "liveness", "readinessProbe": "readiness", "startupProbe": "startup"}
_GOES_ON = lazy(r" *\\ *\n|\n *(?=-)")  # a shell's backslash, or a text that puts each option on a line of its own
_SECRET = lazy(r"TOKEN|KEY|SECRET|PASSW|CREDENTIAL", re.IGNORECASE)
_TIMES = ("lastTimestamp", "eventTime", "firstTimestamp")

Path = tuple[str | int, ...]
Values = dict[Path, "Leaf"]


@dataclass(slots=True)
class _Object:
    """One pod, node, event or template: its own scalars, and those of each container by its list and place."""

    values: Values = field(default_factory=dict)
    containers: dict[Path, Values] = field(default_factory=dict)

    def value(self, *path: str | int) -> str:
        """A scalar of its own, empty where it is missing."""
        return self.values[path].value if path in self.values else ""


def events(leaves: Iterable[Leaf], around: Around, said_by: str) -> Iterator[Event]:
    """The facts of every object, in their order."""
    for thing in _objects(leaves):
        kind = thing.value("kind")
        if kind == "Event" or thing.value("involvedObject", "kind"):
            yield from _event(thing, around)
        elif kind == "Node":
            yield from _node(thing, around)
        else:
            yield from _pod(thing, around, said_by)


def _objects(leaves: Iterable[Leaf]) -> list[_Object]:
    """The objects of all documents and lists."""
    found: dict[Path, _Object] = {}
    for leaf in leaves:
        path = leaf.path
        own = 3 if len(path) > 3 and path[1] == "items" and isinstance(path[2], int) else 1  # noqa: PLR2004
        thing = found.setdefault(path[:own], _Object())
        at = next((i for i, part in enumerate(path) if part in _ASKED or part in _STATUSES), None)
        if at is not None and len(path) > at + 2:
            thing.containers.setdefault(path[own : at + 2], {})[path[at + 2 :]] = leaf
        else:
            thing.values.setdefault(path[own:], leaf)
    return list(found.values())


def _event(thing: _Object, around: Around) -> Iterator[Event]:
    """One event of the cluster, at the last time that it was seen."""
    said = thing.values.get(("reason",)) or thing.values.get(("message",))
    if said is None:
        return
    line = next((dated(said.line, thing.value(key)) for key in _TIMES if thing.value(key)), said.line)
    text = f"{thing.value('reason')} {thing.value('message')}"[:400]
    on = thing.value("involvedObject", "name")
    seen = pod_events.times(thing.value("count"), thing.value("message"))
    event = pod_events.event(thing.value("reason"), thing.value("message"), around.at(line), text, on, count=seen)
    if isinstance(event, ENDS) and thing.value("involvedObject", "kind") == "Pod":
        event = replace(event, owner=pod_events.owner(on, event, thing.value("involvedObject", "fieldPath")))
    yield event


def _node(thing: _Object, around: Around) -> Iterator[Event]:
    """How much memory a node has, and what it is short of."""
    capacity = thing.values.get(("status", "capacity", "memory"))
    memory = size(capacity.value, capacity.line.ref) if capacity else None
    if capacity and memory is not None:
        where, text = around.at(capacity.line), capacity.line.quoted
        yield HostNote(where=where, text=text, memory=memory, host=thing.value("metadata", "name"))
    for path, leaf in thing.values.items():
        if path[:2] == ("status", "conditions") and path[-1] == "type" and leaf.value.endswith("Pressure"):
            status, message = (thing.value(*path[:-1], key) for key in ("status", "message"))
            if status == "True":
                where, name = around.at(leaf.line), f"node.{leaf.value}"
                yield Fact(where=where, text=leaf.line.quoted, name=name, value=f"{leaf.value} True {message}"[:200])


def _pod(thing: _Object, around: Around, said_by: str) -> Iterator[Event]:
    """What every container is asked for and how it ended; a pod that was evicted."""
    pod = thing.value("metadata", "name")
    containers = _joined(thing.containers)
    servers = {path for path, values in containers.items() if _is_server(values)}
    limited = [path for path, values in containers.items() if limit(values)]
    for path, values in containers.items():
        owner = _owner(pod, values)
        own = path in servers or (not servers and len(limited) == 1)
        first = next(iter(values.values()))
        if owner:
            told = shown_to_serve(_name(values), values)
            argv, ids = _command(values)[0] or (), [*_ids(values), thing.value("metadata", "uid")]
            yield workload(owner, around.at(first.line), first.line.quoted, server=told, ids=ids, argv=argv)
        yield from asked(values, around, said_by, owner.partition(" ")[2], limits=own, beside=bool(servers))
        yield from _ended(values, around, owner, ends=not servers or path in servers)
    yield from _evicted(thing, around, f"pod {pod}" if pod else "")
    for path, leaf in thing.values.items():
        if path[-2:] == ("emptyDir", "sizeLimit"):
            yield from shared_memory(leaf, around, decimal=True)
        elif path[-2:] == ("spec", "nodeName"):
            yield Fact(where=around.at(leaf.line), text=leaf.line.quoted, name="pod.node", value=leaf.value)


def _joined(found: dict[Path, Values]) -> dict[Path, Values]:
    """The containers with their statuses, which name them."""
    asked_for = {path: dict(values) for path, values in found.items() if path[-2] in _ASKED}
    names = {_name(values): path for path, values in asked_for.items()}
    for path, values in found.items():
        if path[-2] in _STATUSES:
            own = asked_for.setdefault(names.get(_name(values), path), {})
            own.update({key: leaf for key, leaf in values.items() if key not in own})
    return asked_for


def _owner(pod: str, values: Values) -> str:
    name = "/".join(part for part in (pod, _name(values)) if part)
    return f"pod {name}" if name else ""


def _name(values: Values) -> str:
    return values[("name",)].value if ("name",) in values else ""


def _ids(values: Values) -> list[str]:
    """What the runtime calls it, and called the one before it, which was started anew."""
    return [leaf.value for path, leaf in values.items() if path[-1] == "containerID"]


def _image(values: Values) -> str:
    return values[("image",)].value if ("image",) in values else ""


def shown_to_serve(name: str, values: Values) -> bool | None:
    """Whether a container's image, its command or its name is SGLang's; `None` where none tells."""
    return serves(name, _image(values), " ".join(_words(values)))


def _is_server(values: Values) -> bool:
    """Whether of a pod's containers it is the one: it asks for GPUs, or it is shown to serve."""
    gpus = any(path[:2] == ("resources", "limits") and str(path[-1]).endswith("/gpu") for path in values)
    return gpus or shown_to_serve(_name(values), values) is True


def _words(values: Values) -> list[str]:
    parts = [leaf for key in ("entrypoint", "command", "args") for path, leaf in values.items() if path[0] == key]
    return [leaf.value for leaf in parts]


def _evicted(thing: _Object, around: Around, owner: str) -> Iterator[Event]:
    reason = thing.values.get(("status", "reason"))
    if reason and reason.value == "Evicted":
        where, text = around.at(reason.line), reason.line.quoted
        message = thing.value("status", "message") or reason.value
        yield OrchestratorAct(where=where, text=text, act="evicted", reason=message, owner=owner)


def asked(  # noqa: PLR0913 - what a container is asked for, and whose it is
    values: Values, around: Around, said_by: str, group: str, *, limits: bool, beside: bool
) -> Iterator[Event]:
    """What a container is asked for: command, image, memory, shared memory, probes, variables.

    `limits`: it is the server's; `beside`: another one is, whose limit alone counts.
    """
    argv, said = _command(values)
    image, allowed = values.get(("image",)), limit(values)
    if image:
        yield from release(image.value, around.at(image.line))
    if argv and said:
        yield CommandLine(where=around.at(said), text=shlex.join(argv)[:400], argv=argv)
    if allowed:
        amount = size(
            allowed.value, allowed.line.ref, decimal="limits" in allowed.path and "deploy" not in allowed.path
        )
        where, text = around.at(allowed.line), allowed.line.quoted
        if limits:
            yield CgroupMemory(where=where, text=text, limit=amount, said_by=said_by, group=group)
        elif not beside:
            name = f"pod.memory-limit {_name(values)}"
            yield Fact(where=where, text=text, name=name, value=allowed.value, amount=amount)
    if shared := values.get(("shm_size",)):
        yield from shared_memory(shared, around, decimal=False)
    for key, probe in _PROBES.items():
        yield from _probe(values, key, probe, around)
    for path, leaf in values.items():
        if path[0] in {"env", "environment"}:
            yield from _variable(values, path, leaf, around)


def limit(values: Values) -> Leaf | None:
    """The memory that a container may use."""
    paths = (("resources", "limits", "memory"), ("deploy", "resources", "limits", "memory"), ("mem_limit",))
    return next((values[path] for path in paths if path in values), None)


def _command(values: Values) -> tuple[tuple[str, ...] | None, Text | None]:
    """The server's command line, from `command` and `args` (or compose's `entrypoint` and `command`)."""
    words = _words(values)
    if not words:
        return None, None
    said = next(leaf.line for path, leaf in values.items() if path[0] in {"entrypoint", "command", "args"})
    spelled = any(" -" in word or "\n" in word for word in words)
    script = _GOES_ON.sub(" ", " ".join(words) if spelled else shlex.join(words))
    found = (command_line(line) for line in script.split("\n") if not line.lstrip().startswith("#"))
    return next((argv for argv in found if argv), None), said


def _probe(values: Values, key: str, probe: str, around: Around) -> Iterator[ProbeSettings]:
    told = {path[1]: leaf for path, leaf in values.items() if path[0] == key and len(path) > 1}
    if not told:
        return
    line = next(iter(told.values())).line

    def figure(name: str, unit: str = "count") -> Amount[Any] | None:
        return count(told[name].value, told[name].line.ref, unit) if name in told else None

    figures: dict[str, Any] = {
        "delay": figure("initialDelaySeconds", "s"),
        "period": figure("periodSeconds", "s"),
        "failures": figure("failureThreshold"),
        "timeout": figure("timeoutSeconds", "s"),
    }
    yield ProbeSettings(where=around.at(line), text=line.quoted, probe=probe, **figures)


def _variable(values: Values, path: Path, leaf: Leaf, around: Around) -> Iterator[Fact]:
    """`- name: X` with its `value: y` beside it, `X: y`, or `- X=y`."""
    if path[-1] == "value":
        name, value = values.get((*path[:-1], "name")), leaf.value
        key = name.value if name else ""
    elif isinstance(path[-1], int):
        key, _, value = leaf.value.partition("=")
    else:
        key, value = (str(path[-1]), leaf.value) if path[0] == "environment" else ("", "")
    if key.isidentifier() and not _SECRET.search(key):
        yield Fact(where=around.at(leaf.line), text=leaf.line.quoted, name=f"env.{key}", value=value[:300])


def shared_memory(leaf: Leaf, around: Around, *, decimal: bool) -> Iterator[FilesystemListed]:
    """The size of /dev/shm as it is asked for."""
    total = size(leaf.value, leaf.line.ref, decimal=decimal)
    if total is not None:
        where, text = around.at(leaf.line), leaf.line.quoted
        yield FilesystemListed(where=where, text=text, mount="/dev/shm", device="shm", total=total)


def dated(line: Text, time: str) -> Text:
    """The line at a time that the object names."""
    stamp = moment(time)
    return line._replace(stamp=stamp) if stamp else line


def _ended(values: Values, around: Around, owner: str, *, ends: bool) -> Iterator[Event]:
    for state in ("state", "lastState") if ends else ():
        code, waiting = values.get((state, "terminated", "exitCode")), values.get((state, "waiting", "reason"))
        if waiting:
            yield Fact(where=around.at(waiting.line), text=waiting.line.quoted, name="pod.waiting", value=waiting.value)
        if code is None:
            continue
        reason, finished = (values.get((state, "terminated", key)) for key in ("reason", "finishedAt"))
        yield ExitCode(
            where=around.at(dated(code.line, finished.value) if finished else code.line),
            text=code.line.quoted,
            code=count(code.value, code.line.ref),
            reason=reason.value if reason else "",
            oom=True if reason and reason.value == "OOMKilled" else None,
            container=_name(values),
            owner=owner,
        )
    restarts = values.get(("restartCount",))
    if restarts:
        amount = count(restarts.value, restarts.line.ref)
        where, text = around.at(restarts.line), restarts.line.quoted
        yield Fact(where=where, text=text, name="pod.restart-count", value=restarts.value, amount=amount)
