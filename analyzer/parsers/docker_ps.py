"""The table of `docker ps` (and `podman ps`): which containers run, and how the others ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.events import ExitCode, Fact
from analyzer.expression import lazy
from analyzer.parsers.argv import command_line
from analyzer.parsers.block import Block
from analyzer.parsers.bystanders import Row, of_server, serves
from analyzer.parsers.columns import Columns
from analyzer.parsers.images import release
from analyzer.parsers.sizes import count

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analyzer.events import Event
    from analyzer.parsers.block import Around, Text

KIND = "docker-ps"
HEADS = ("CONTAINER ID",)

_ENDED = lazy(r"(?:Exited|Restarting|Dead) \((\d{1,3})\)")
_ID = lazy(r"[0-9a-f]{6,64} ")


def claims(head: str, _around: Around) -> bool:
    """The header, of which image and status must be part."""
    return head.startswith("CONTAINER ID ") and " IMAGE " in head[:400] and " STATUS " in head[:400]


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One fact per container; an exit code where the server's has ended; the release where an image's tag names one."""
    columns = Columns(lines[0].text[:1000])
    rows: list[Row] = []
    for line in lines[1:]:
        if not _ID.match(line.text):
            break
        cells = columns.row(line.text[:2000])
        name = _name(cells)
        command = cells.get("COMMAND", "")
        server = serves(name, cells.get("IMAGE", ""), command)
        argv = None if "…" in command else command_line(command.strip('"'))  # whole only with --no-trunc
        told = [*_events(cells, line, around)]
        rows.append(Row(f"container {name}", server, told, (cells.get("CONTAINER ID", ""),), argv or ()))
    used = 1 + len(rows)
    return Block(used, used, [*of_server(rows)])


def _name(cells: dict[str, str]) -> str:
    return cells.get("NAMES", cells.get("CONTAINER ID", ""))


def _events(cells: dict[str, str], line: Text, around: Around) -> Iterator[Event]:
    status, name = cells.get("STATUS", ""), _name(cells)
    where = around.at(line)
    yield Fact(where=where, text=line.quoted, name=f"container {name}", value=status)
    ended = _ENDED.match(status)
    if ended:
        yield ExitCode(where=where, text=line.quoted, code=count(ended[1], line.ref), reason=status, container=name)
    yield from release(cells.get("IMAGE", ""), where)
