"""`crictl ps` and `crictl inspect`: which containers a node's runtime runs, how one ended, and what it was allowed."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from analyzer.events import CgroupMemory, CommandLine, ExitCode, Fact
from analyzer.expression import lazy
from analyzer.parsers.argv import command_line
from analyzer.parsers.block import Block
from analyzer.parsers.bystanders import Row, of_server, serves, workload
from analyzer.parsers.columns import Columns
from analyzer.parsers.images import release
from analyzer.parsers.json_outline import JsonOutline
from analyzer.parsers.objects import dated
from analyzer.parsers.sizes import count, size

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analyzer.events import Event
    from analyzer.parsers.block import Around, Text
    from analyzer.parsers.outline import Leaf

KIND = "crictl"
HEADS = ("CONTAINER ", '"status": {', '"info": {')

_TABLE = lazy(r"CONTAINER(?: ID)? +IMAGE +CREATED +STATE +NAME +ATTEMPT(?: |$)")
_SECTION = lazy(r'\s{0,8}"(?:status|info)": \{$')
_ID = lazy(r"[0-9a-f]{6,64} ")
_NEVER = ("0001-01-01", "1970-01-01")
_LABEL = "io.kubernetes."
_LIMITS = (
    ("info", "runtimeSpec", "linux", "resources", "memory", "limit"),
    ("status", "resources", "linux", "memoryLimitInBytes"),
)
_NO_LIMIT = 2**62

_Values = dict[tuple[str | int, ...], "Leaf"]


def claims(head: str, _around: Around) -> bool:
    """The table's header, which has a state and attempts; or the section with which an inspected container begins."""
    line = head.rstrip()[:600]
    return bool(_TABLE.match(line) or _SECTION.match(line))


def reads(lines: Sequence[Text], around: Around) -> Block:
    """The containers of the table, or the one that is inspected; a sandbox and the runtime itself are none."""
    if not _SECTION.match(lines[0].text.rstrip()[:600]):
        return _listed(lines, around)
    outline = JsonOutline(lines)
    values = {leaf.path[1:]: leaf for leaf in outline.leaves}
    state = values.get(("status", "state"))
    if state is None or not state.value.startswith("CONTAINER_"):
        return Block(1, 0)
    return Block(outline.used, outline.used, list(_inspected(values, state, around)))


def _listed(lines: Sequence[Text], around: Around) -> Block:
    columns = Columns(lines[0].text[:1000])
    rows: list[Row] = []
    for line in lines[1:]:
        if not _ID.match(line.text):
            break
        cells = columns.row(line.text[:2000])
        name, pod, where = cells.get("NAME", ""), cells.get("POD", ""), around.at(line)
        attempts = count(cells.get("ATTEMPT", ""), line.ref)
        fact = Fact(
            where=where, text=line.quoted, name=f"container {name}", value=cells.get("STATE", ""), amount=attempts
        )
        image = cells.get("IMAGE", "")
        ids = (line.text.partition(" ")[0],)
        rows.append(Row(_owner(pod, name), serves(name, image), [fact, *release(image, where)], ids))
    used = 1 + len(rows)
    return Block(used, used, [*of_server(rows)])


def _owner(pod: str, name: str) -> str:
    return f"pod {pod}/{name}" if pod else f"container {name}"


def _inspected(values: _Values, state: Leaf, around: Around) -> Iterator[Event]:
    def told(*path: str) -> str:
        return values[path].value if path in values else ""

    pod = told("status", "labels", f"{_LABEL}pod.name")
    name = told("status", "labels", f"{_LABEL}container.name") or told("status", "metadata", "name")
    owner, image = _owner(pod, name), values.get(("status", "image", "image"))
    words = [leaf.value for path, leaf in values.items() if path[:4] == ("info", "runtimeSpec", "process", "args")]
    where, text = around.at(state.line), state.line.quoted
    program = image.value if image else ""
    argv = command_line(shlex.join(words)) if words else None
    server, ids = serves(name, program, " ".join(words)), (told("status", "id"),)
    yield workload(owner, where, text, server=server, ids=ids, argv=argv or ())
    yield Fact(where=where, text=text, name=f"container {name}", value=state.value)
    if image:
        yield from release(program, around.at(image.line))
    code = values.get(("status", "exitCode"))
    if state.value == "CONTAINER_EXITED" and code:
        finished, reason = told("status", "finishedAt"), told("status", "reason")
        yield ExitCode(
            where=around.at(code.line if finished.startswith(_NEVER) else dated(code.line, finished)),
            text=code.line.quoted,
            code=count(code.value, code.line.ref),
            reason=reason,
            oom=True if reason == "OOMKilled" else None,  # some runtimes say no more than "Error"
            container=name,
            owner=owner,
            image=program,
        )
    yield from _allowed(values, owner.partition(" ")[2], around)
    if argv:
        yield CommandLine(where=where, text=shlex.join(argv)[:400], argv=argv)


def _allowed(values: _Values, group: str, around: Around) -> Iterator[Event]:
    """Its memory limit, in bytes, and how often it was started anew."""
    allowed = next((values[path] for path in _LIMITS if path in values), None)
    limit = size(allowed.value, allowed.line.ref) if allowed else None
    if allowed and limit is not None and 0 < limit.value < _NO_LIMIT:
        where, text = around.at(allowed.line), allowed.line.quoted
        yield CgroupMemory(where=where, text=text, limit=limit, said_by="crictl inspect", group=group)
    attempt = values.get(("status", "metadata", "attempt"))
    if attempt:
        where, text = around.at(attempt.line), attempt.line.quoted
        amount = count(attempt.value, attempt.line.ref)
        yield Fact(where=where, text=text, name="pod.restart-count", value=attempt.value, amount=amount)
