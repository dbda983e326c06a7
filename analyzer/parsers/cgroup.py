"""Memory and process limits of a cgroup, v1 or v2: as `grep .` prints them, under `==> file <==`, or after a `cat`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from analyzer.events import CgroupMemory, Fact
from analyzer.expression import lazy
from analyzer.parsers.block import Block
from analyzer.units import read

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analyzer.events import Event
    from analyzer.parsers.block import Around, Text
    from analyzer.units import Amount

KIND = "cgroup"
HEADS = ("memory.", "pids.", "low ", "oom_kill", "anon ", "max")

_FILE = r"(?:memory(?:\.[a-z_]{2,20}){1,4}|pids\.(?:max|current|peak))"
_NAMED = lazy(rf"(\S{{0,300}}/)?({_FILE}):\s*(?:([a-z_]{{2,40}}) )?(\d{{1,20}}|max)$", re.ASCII)
_TITLE = lazy(rf"==> (\S{{0,300}}/)?({_FILE}) <==$", re.ASCII)
_BARE = lazy(r"(?:([a-z_]{2,40}) )?(\d{1,20}|max)$", re.ASCII)
_CAT = lazy(rf"(?:\S{{0,300}}/)?({_FILE})(?:\s|$|[\"';|&])", re.ASCII)
_FIRST_KEYS = {"low": "memory.events", "anon": "memory.stat", "oom_kill_disable": "memory.oom_control"}
_UNLIMITED = 2**62  # v1 prints the largest number of pages for "no limit"
_FACTS = {
    "memory.peak": "cgroup.peak",
    "memory.high": "cgroup.high",
    "memory.stat anon": "cgroup.anon",
    "memory.stat file": "cgroup.file",
    "memory.stat shmem": "cgroup.shmem",
    "memory.stat unevictable": "cgroup.unevictable",
    "pids.max": "cgroup.pids-max",
    "pids.current": "cgroup.pids-current",
}


@dataclass(slots=True)
class _Group:
    """The values of one cgroup by `file` or `file key`, each with its line."""

    lines: dict[str, Text] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)


def claims(head: str, around: Around) -> bool:
    """A `file:value` line, a title of `head` or `tail`, or a value right after the `cat` of such a file."""
    line = head.strip()[:500]
    if _NAMED.match(line) or _TITLE.match(line):
        return True
    found = _BARE.match(line)
    return found is not None and (found[1] == "low" or bool(_files(around)))


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One event per cgroup, from consecutive lines; blanks between `==> … <==` parts belong to it."""
    groups: dict[str, _Group] = {}
    used = 0
    for number, key, value, line in _values(lines, around):
        folder, _, name = key.rpartition("/")
        group = groups.setdefault(folder, _Group())
        if name in group.values:  # the same file again is the next snapshot
            break
        group.values[name], group.lines[name] = value, line
        used = number
    events = [event for group in groups.values() for event in _events(group, around)]
    return Block(max(used, 1), used, events)


def _files(around: Around) -> list[str]:
    """The files that the echoed command reads, or the one that the source is named after."""
    named = around.source.rsplit("/", 1)[-1].removesuffix(".txt")
    return _CAT.findall(around.command[:2000]) or ([named] if _CAT.fullmatch(named) else [])


def _values(lines: Sequence[Text], around: Around) -> Iterator[tuple[int, str, str, Text]]:
    """Lines read so far, `folder/file` or `folder/file key`, value and line, for every value in order."""
    files = _files(around)
    current = ""
    for number, line in enumerate(lines, 1):
        text = line.text.strip()[:500]
        named, title, bare = _NAMED.match(text), _TITLE.match(text), _BARE.match(text)
        if title:
            current, files = f"{title[1] or ''}{title[2]}", []
        elif named:
            yield number, f"{named[1] or ''}{named[2]}{_key(named[3])}", named[4], line
        elif bare:
            if bare[1] in _FIRST_KEYS:
                current = current or _FIRST_KEYS[bare[1]]
            elif bare[1] is None and files:
                current = files.pop(0)
            if not current:
                return
            yield number, f"{current}{_key(bare[1])}", bare[2], line
        elif text or not current:
            return


def _key(key: str | None) -> str:
    return f" {key}" if key else ""


def _events(group: _Group, around: Around) -> Iterator[Event]:
    first = next(iter(group.lines.values()))
    v1 = any(name.endswith("_in_bytes") or "oom_control" in name for name in group.values)
    limit = "memory.limit_in_bytes" if v1 else "memory.max"
    line = group.lines.get(limit, first)
    memory = CgroupMemory(
        where=around.at(line),
        text=line.quoted,
        limit=_amount(group, limit),
        used=_amount(group, "memory.usage_in_bytes" if v1 else "memory.current"),
        swap_limit=_amount(group, "memory.swap.max"),
        oom_kills=_amount(group, "memory.oom_control oom_kill" if v1 else "memory.events oom_kill", "count"),
        at_limit=_amount(group, "memory.failcnt" if v1 else "memory.events max", "count"),
        said_by="cgroup v1" if v1 else "cgroup v2",
    )
    if any(figure is not None for figure in (memory.limit, memory.used, memory.oom_kills, memory.at_limit)):
        yield memory
    for key, name in _FACTS.items():
        if key in group.values:
            said = group.lines[key]
            amount = _amount(group, key, "count" if key.startswith("pids") else "B")
            yield Fact(where=around.at(said), text=said.quoted, name=name, value=group.values[key], amount=amount)
    if limit in group.values and memory.limit is None:
        yield Fact(where=around.at(line), text=line.quoted, name="cgroup.limit", value="unlimited")


def _amount(group: _Group, key: str, unit: str = "B") -> Amount[Any] | None:
    value = group.values.get(key, "max")
    if value == "max" or int(value) >= _UNLIMITED:
        return None
    return read(value, unit, group.lines[key].ref)
