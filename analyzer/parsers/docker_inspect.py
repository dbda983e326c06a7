"""`docker inspect`: how a container ended, and what it was allowed. Read line by line, so that cut JSON tells too."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from analyzer.events import CgroupMemory, CommandLine, ExitCode, Fact
from analyzer.expression import lazy
from analyzer.parsers.argv import command_line
from analyzer.parsers.block import Block
from analyzer.parsers.bystanders import serves, workload
from analyzer.parsers.images import release
from analyzer.parsers.moments import moment
from analyzer.parsers.sizes import count, size

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analyzer.events import Event
    from analyzer.parsers.block import Around, Text

KIND = "docker-inspect"
HEADS = ('"OOMKilled"', '"State": {', '"Id": "')

_CLAIM = lazy(r'\s*(?:"Id": "(?:sha256:)?[0-9a-f]{4,64}",$|"State": \{$|\[?\{.{0,2000}"OOMKilled": ?(?:true|false)\b)')
_STATE_BEGINS = lazy(r'\s*(?:"State": \{$|\[?\{.{0,2000}"OOMKilled")')
_OWN = lazy(r'\s*"OOMKilled": (?:true|false),?$')
_JSON = lazy(r'\s*(?:["{}\[\]]|-?\d|true|false|null|$)')
_STATE = "Id|Status|Running|OOMKilled|ExitCode|Error|FinishedAt|RestartCount"
_PAIR = lazy(
    rf'"({_STATE}|Memory|MemorySwap|ShmSize|IpcMode|Name|Image|Path)": ?(?:"([^"]{{0,400}})"|(-?\d{{1,20}}|true|false))'
)
_LIST = lazy(r'\s*"(Args|Cmd|Entrypoint)": ?\[$')
_ITEM = lazy(r'\s*"((?:[^"\\]|\\.){0,2000})",?$')
_NEVER = "0001-01-01"
_NUMBERS = (
    ("ShmSize", "docker.shm-size", "B"),
    ("RestartCount", "docker.restart-count", "count"),
)


@dataclass(slots=True)
class _Container:
    """The first value of every key, and the words of its command."""

    values: dict[str, tuple[str, Text]] = field(default_factory=dict)
    words: dict[str, list[str]] = field(default_factory=dict)
    number: int = 0  # among several that are shown without names

    def value(self, key: str) -> str:
        """The value as printed, empty where it is missing."""
        return self.values[key][0] if key in self.values else ""

    @property
    def owner(self) -> str:
        """The container by its name, else by its id; empty where one alone is shown without either."""
        name = self.value("Name").lstrip("/") or self.value("Id")[:12] or (f"#{self.number}" if self.number else "")
        return f"container {name}" if name else ""


def claims(head: str, _around: Around) -> bool:
    """A container's id or state, or a whole state on one line."""
    return bool(_CLAIM.match(head[:4000]) or _OWN.match(head[:200]))


def reads(lines: Sequence[Text], around: Around) -> Block:
    """The end and the limits of every container in the output."""
    containers = [_Container()]
    collecting = ""
    used = 0
    for line in lines:
        text = line.text[:8000]
        if not _JSON.match(text):
            break
        used += 1
        opened, item = _LIST.match(text), _ITEM.match(text)
        collecting = opened[1] if opened else collecting if item else ""
        if collecting and item:
            containers[-1].words.setdefault(collecting, []).append(item[1])
            continue
        if _STATE_BEGINS.match(text) and "OOMKilled" in containers[-1].values:
            containers.append(_Container())
        for key, quoted, plain in _PAIR.findall(text):
            if key == "Id" and "OOMKilled" in containers[-1].values:
                containers.append(_Container())
            named = key != "Name" or quoted.startswith("/")  # a policy or a network has a name as well
            if named and not (key == "Image" and quoted.startswith("sha256:")):  # its tag stands further down
                containers[-1].values.setdefault(key, (quoted or plain, line))
        if text.startswith("]"):
            break
    nameless = [container for container in containers if not container.owner]
    for number, container in enumerate(nameless if len(nameless) > 1 else [], 1):
        container.number = number
    events = [event for container in containers for event in _events(container, around)]
    return Block(max(used, 1), used, events)


def _events(container: _Container, around: Around) -> Iterator[Event]:
    yield from _end(container, around)
    limit, line = container.values.get("Memory", ("", None))
    if line is not None:
        memory, swap = size(limit, line.ref), size(container.value("MemorySwap"), line.ref)
        if memory is not None and memory.value > 0:
            yield CgroupMemory(
                where=around.at(line),
                text=line.quoted,
                limit=memory,
                swap_limit=swap,
                said_by="docker inspect",
                group=container.value("Name").lstrip("/"),
            )
        else:
            yield Fact(where=around.at(line), text=line.quoted, name="docker.memory-limit", value="unlimited")
    for key, name, unit in _NUMBERS:
        if key in container.values:
            value, said = container.values[key]
            amount = size(value, said.ref) if unit == "B" else count(value, said.ref, unit)
            yield Fact(where=around.at(said), text=said.quoted, name=name, value=value, amount=amount)
    if "IpcMode" in container.values:
        value, said = container.values["IpcMode"]
        yield Fact(where=around.at(said), text=said.quoted, name="docker.ipc", value=value)
    if "Image" in container.values:
        value, said = container.values["Image"]
        yield from release(value, around.at(said))
    first = next(iter(container.values.values()), None)
    words = [container.value("Path"), *container.words.get("Args", container.words.get("Cmd", []))]
    argv = command_line(shlex.join(word for word in words if word)) if first else None
    if first and container.owner:
        command = " ".join([*words, *container.words.get("Entrypoint", [])])
        server = serves(container.owner.partition(" ")[2], container.value("Image"), command)
        ids = (container.value("Id"),)
        yield workload(container.owner, around.at(first[1]), first[1].quoted, server=server, ids=ids, argv=argv or ())
    if first and argv:
        yield CommandLine(where=around.at(first[1]), text=shlex.join(argv)[:400], argv=argv)


def _end(container: _Container, around: Around) -> Iterator[Event]:
    """The exit code with its time; of a container that runs, only that something in it was killed."""
    code, line = container.values.get("ExitCode", ("", None))
    oom = {"true": True, "false": False}.get(container.value("OOMKilled"))
    if line is None or container.value("Running") == "true":
        said = container.values.get("OOMKilled")
        if oom and said:
            yield Fact(where=around.at(said[1]), text=said[1].quoted, name="docker.oom-killed", value="true")
        return
    finished = container.value("FinishedAt")
    stamp = None if finished.startswith(_NEVER) else moment(finished)
    yield ExitCode(
        where=around.at(line._replace(stamp=stamp) if stamp else line),
        text=line.quoted,
        code=count(code, line.ref),
        reason=container.value("Error") or container.value("Status"),
        oom=oom,
        container=container.value("Name").lstrip("/"),
        owner=container.owner,
        image=container.value("Image"),
    )
