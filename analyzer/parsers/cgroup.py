"""Memory and process limits of a cgroup, v1 or v2: as `grep .` prints them, under `==> file <==`, or after a `cat`.

A file of such a name, copied from `/sys/fs/cgroup`, counts as the answer to its `cat` (`around.implied`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

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

FILE: Final = (
    r"(?:memory\.(?:(?:kmem\.(?:tcp\.)?|memsw\.)?(?:limit_in_bytes|(?:max_)?usage_in_bytes|failcnt)"
    r"|soft_limit_in_bytes|max|current|high|low|min|peak|events(?:\.local)?|stat|pressure|oom_control|oom\.group"
    r"|z?swap\.(?:max|current|high|peak|events))|pids\.(?:max|current|peak))"
)
_FOLDER = r"\S{0,300}/"
_NAMED = lazy(rf"({_FOLDER})?({FILE})(?: ?[:=]\s*|\s+)(?:([a-z_]{{2,40}}) )?(\d{{1,20}}|max)$", re.ASCII)
_TITLE = lazy(rf"(?:==> ({_FOLDER})?({FILE}) <==|({_FOLDER})?({FILE}):?)$", re.ASCII)
_BARE = lazy(r"(?:([a-z_]{2,40}) )?(\d{1,20}|max)$", re.ASCII)
_CAT = lazy(rf"({_FOLDER})?({FILE})(?:\s|$|[\"';|&])", re.ASCII)
_OTHER = lazy(rf"{_FOLDER}cgroup/(?:\S{{0,300}}/)?[a-z]{{2,8}}\.[\w.]{{2,40}}:", re.ASCII)
_GROUP = lazy(r"(?:.*/)?cgroup/(?:memory/|unified/)?(.*?)/?$")
_FIRST_KEYS = {"low": "memory.events", "anon": "memory.stat", "oom_kill_disable": "memory.oom_control"}
_UNLIMITED = 2**62  # v1 prints the largest number of pages for "no limit"
_V1 = ("_in_bytes", "failcnt", "oom_kill_disable", "hierarchical_memory_limit")
_LIMITS_V1 = ("memory.limit_in_bytes", "memory.stat hierarchical_memory_limit")
_FACTS = {
    "memory.peak": "cgroup.peak",
    "memory.max_usage_in_bytes": "cgroup.peak",
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
    """A line that names its file, or a value right after the `cat` of such a file."""
    line = head.strip()[:500]
    if _NAMED.match(line) or _TITLE.match(line) or (_OTHER.match(line) and ".pressure:" not in line):
        return True
    found = _BARE.match(line)
    return found is not None and (found[1] in _FIRST_KEYS or bool(_files(around)))


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One event per cgroup, from consecutive lines; blanks between `==> … <==` parts belong to it."""
    groups: dict[str, _Group] = {}
    used = 0
    for number, key, value, line in _values(lines, around):
        folder, _, name = key.rpartition("/")
        group = groups.setdefault(folder, _Group())
        if name in group.values:  # the same file again is the next snapshot
            break
        if name:
            group.values[name], group.lines[name] = value, line
        used = number
    events = [event for folder, group in groups.items() if group.values for event in _events(folder, group, around)]
    return Block(max(used, 1), used, events)


def _files(around: Around) -> list[str]:
    """The files that the echoed command reads, or that the source or the banner is named after."""
    return [f"{folder}{name}" for folder, name in _CAT.findall(around.command[:2000])]


def _values(lines: Sequence[Text], around: Around) -> Iterator[tuple[int, str, str, Text]]:
    """Lines read so far, `folder/file` or `folder/file key`, value and line, for every value in order.

    The name is empty where the line is that of a file of which nothing is kept.
    """
    files = _files(around)
    current = ""
    for number, line in enumerate(lines, 1):
        text = line.text.strip()[:500]
        named, title, bare = _NAMED.match(text), _TITLE.match(text), _BARE.match(text)
        if title:
            current, files = f"{title[1] or title[3] or ''}{title[2] or title[4]}", []
        elif named:
            yield number, f"{named[1] or ''}{named[2]}{_key(named[3])}", named[4], line
        elif bare:
            current = _file_of(bare[1], current, files)
            if not current:
                return
            yield number, f"{current}{_key(bare[1])}", bare[2], line
        elif _OTHER.match(text) and ".pressure:" not in text:
            yield number, "", "", line
        elif text or not current:
            return


def _file_of(key: str | None, current: str, files: list[str]) -> str:
    """The file that a line without a name is of: the next one that was asked for, or the one that begins so."""
    begins = _FIRST_KEYS.get(key or "", "")
    if begins and not current.endswith(begins):
        asked = [file for file in files if file.endswith(begins)]
        del files[: files.index(asked[0]) + 1 if asked else 0]
        return asked[0] if asked else begins
    return files.pop(0) if files and (key is None or not current) else current


def _key(key: str | None) -> str:
    return f" {key}" if key else ""


def _events(folder: str, group: _Group, around: Around) -> Iterator[Event]:
    first = next(iter(group.lines.values()))
    v1 = any(name.endswith(_V1) for name in group.values)
    limit = next((name for name in _LIMITS_V1 if name in group.values), _LIMITS_V1[0]) if v1 else "memory.max"
    below = _GROUP.match(f"{folder}/")
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
        group=below[1] if below else "",
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
