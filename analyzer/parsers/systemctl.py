"""`systemctl status` and `show` of a service: whether it runs, how its main process ended, its memory and limit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.events import CgroupMemory, ExitCode, Fact
from analyzer.expression import lazy
from analyzer.parsers.block import Block
from analyzer.parsers.bystanders import serves, workload
from analyzer.parsers.moments import moment
from analyzer.parsers.sizes import size
from analyzer.units import read

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analyzer.events import Event
    from analyzer.parsers.block import Around, Text

KIND = "systemctl"
HEADS = (
    ".service",
    "Result=",
    "ExecMain",
    "MemoryMax=",
    "MemoryCurrent=",
    "ActiveState=",
    "NRestarts=",
    "Restart=",
    "Type=",
)

_TITLE = lazy(r"[●○×*↻] ([\w@.:\\-]{1,200}\.service)(?: - .{0,200})?$")
_LINE = lazy(
    r" {2,}(Loaded|Drop-In|Active|Docs|Process|Main PID|Status|Tasks|Memory|CPU|CGroup|TriggeredBy|Duration|IO|IP"
    r"|Invocation|Mem peak): (.{0,1000})$"
)
_PROPERTY = lazy(r"([A-Z][A-Za-z]{1,40})=(.{0,2000})$")
_PROPERTIES = frozenset(HEADS[1:]) | {"ExecMainStatus=", "ExecMainCode=", "ExecMainPID=", "Id=", "SubState="}
_CODES = {"1": "exited", "2": "killed", "3": "dumped"}  # as waitid's CLD_… numbers
_TREE = lazy(r" {8,}\S")
_CODE = lazy(r"\(code=(\w{1,10}), (?:status|signal)=(?:(\d{1,3})(?:/\w{1,12})?|([A-Z]{2,8}))\)?")
_SINCE = lazy(r"since (?:[A-Z][a-z]{2} )?(.{8,40}?)(?: [A-TV-Z][A-Z]{2,4})?;")  # a zone's name is ambiguous, UTC is not
_LIMIT = lazy(r"([\d.]{1,12}[KMGT]?)(?: \((?:.{0,80} )?max: ([\d.]{1,12}[KMGT]?)\b)?")
_FEW = 3
_NO_LIMIT = 2**62
_SIGNALS = {"HUP": 1, "INT": 2, "QUIT": 3, "ILL": 4, "ABRT": 6, "BUS": 7, "FPE": 8, "KILL": 9, "SEGV": 11, "TERM": 15}


def claims(head: str, _around: Around) -> bool:
    """The title with its state sign, or one of the properties that `show` prints."""
    shown = _PROPERTY.match(head.rstrip()[:2100])
    return _TITLE.match(head.rstrip()[:500]) is not None or (shown is not None and f"{shown[1]}=" in _PROPERTIES)


def reads(lines: Sequence[Text], around: Around) -> Block:
    """The lines under the title; the journal excerpt behind a blank line is left to the log."""
    title = _TITLE.match(lines[0].text.rstrip()[:500])
    if title is None:
        return _shown(lines, around)
    unit = title[1]
    oom = None
    events: list[Event] = []
    used, tree = 1, ""
    for line in lines[1:]:
        found = _LINE.match(line.text[:1100])
        if found is None and not _TREE.match(line.text):
            break
        used += 1
        tree += "" if found else line.text.strip()[:1000] + "\n"
        key, value = (found[1], found[2]) if found else ("", "")
        if key == "Active":
            oom = True if "oom-kill" in value else None
            events.append(_active(unit, value, line, around))
        elif key == "Main PID":
            events += _end(unit, value, line, around, oom=oom)
        elif key == "Memory":
            events += _memory(unit, value, line, around)
    place = around.at(lines[0])
    shown = workload(f"unit {unit}", place, lines[0].quoted, server=serves(unit, command=tree[:8000]))
    return Block(used, used, [shown, *events])


def _active(unit: str, value: str, line: Text, around: Around) -> Fact:
    since = _SINCE.search(value)
    stamp = moment(since[1]) if since else None
    where = around.at(line._replace(stamp=stamp) if stamp else line)
    return Fact(where=where, text=line.quoted, name=f"service {unit}", value=value.partition(" since")[0])


def _end(unit: str, value: str, line: Text, around: Around, *, oom: bool | None) -> Iterator[Event]:
    """The main process's exit code; a signal is counted as a shell does, 128 higher."""
    found = _CODE.search(value)
    if found is None:
        return
    signal = _SIGNALS.get(found[3] or "", 0) or (int(found[2] or 0) if found[1] in {"killed", "dumped"} else 0)
    number = str(128 + signal) if signal else found[2]
    if number:
        code = read(number, "count", line.ref)
        reason = found[0].strip("()")
        yield ExitCode(where=around.at(line), text=line.quoted, code=code, reason=reason, oom=oom, container=unit)


def _memory(unit: str, value: str, line: Text, around: Around) -> Iterator[Event]:
    found = _LIMIT.match(value)
    used = size(found[1], line.ref) if found else None
    limit = size(found[2], line.ref) if found and found[2] else None
    if used is not None:
        yield CgroupMemory(
            where=around.at(line), text=line.quoted, used=used, limit=limit, said_by="systemctl status", group=unit
        )


def _shown(lines: Sequence[Text], around: Around) -> Block:
    """The properties that `systemctl show` prints; fewer than three of them are some other program's settings."""
    told: dict[str, tuple[str, Text]] = {}
    for line in lines:
        found = _PROPERTY.match(line.text.rstrip()[:2100])
        if found is None:
            break
        told.setdefault(found[1], (found[2], line))
    events: list[Event] = []
    if len({f"{key}=" for key in told} & _PROPERTIES) < _FEW:
        return Block(1, 0)
    unit = told["Id"][0] if "Id" in told else "service"
    if "Result" in told:
        value, line = told["Result"]
        events.append(Fact(where=around.at(line), text=line.quoted, name=f"service {unit}", value=value))
    oom = True if told.get("Result", ("",))[0] == "oom-kill" else None
    status, line = told.get("ExecMainStatus", ("", lines[0]))
    how = _CODES.get(told.get("ExecMainCode", ("",))[0], "")
    if how and status.isdigit():
        events += _end(unit, f"(code={how}, status={status})", line, around, oom=oom)
    limit, line = told.get("MemoryMax", ("", lines[0]))
    amount = size(limit, line.ref)
    if amount is not None and amount.value < _NO_LIMIT:
        group = told["Id"][0] if "Id" in told else ""
        where, text = around.at(line), line.quoted
        events.append(CgroupMemory(where=where, text=text, limit=amount, said_by="systemctl show", group=group))
    if "Id" in told:
        server = serves(unit, command=told["ExecStart"][0] if "ExecStart" in told else "")
        events.append(workload(f"unit {unit}", around.at(told["Id"][1]), told["Id"][1].quoted, server=server))
    return Block(len(told), len(told), events)
