"""`/proc/PID/status`: name, state and resident memory of one process; its `kB` are KiB."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from analyzer.events import ProcessListed
from analyzer.expression import lazy
from analyzer.parsers.block import Block
from analyzer.parsers.sizes import size, whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.parsers.block import Around, Text

KIND = "proc-status"
HEADS = ("Name:", "VmPeak:", "VmSize:", "VmRSS:", "Umask:")

_LINE = lazy(
    r"(Name|Umask|State|Tgid|Ngid|Pid|PPid|TracerPid|Uid|Gid|FDSize|Groups|Kthread|Threads|HugetlbPages|CoreDumping"
    r"|NoNewPrivs|ShdPnd|THP_enabled|untag_mask|(?:NS|Vm|Rss|Sig|Cap|Seccomp|Speculation|x86_|Cpus_|Mems_)\w{0,30}"
    r"|(?:non)?voluntary_ctxt_switches):[ \t]*(.{0,300})$"
)
_NAME = lazy(r"Name:\t\S.{0,60}$")
_VM = lazy(r"(?:VmPeak|VmSize|VmRSS):[ \t]+\d{1,15} kB$", re.ASCII)
_UMASK = lazy(r"Umask:\t\d{4}$", re.ASCII)


def claims(head: str, _around: Around) -> bool:
    """Its first line (the tab tells it from a pod's `Name:`), or the line that a `grep Vm` begins with."""
    line = head.rstrip()
    return len(line) < 100 and bool(_NAME.match(line) or _VM.match(line) or _UMASK.match(line))  # noqa: PLR2004


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One process from consecutive `key: value` lines."""
    cells: dict[str, tuple[str, Text]] = {}
    used = 0
    for line in lines:
        found = _LINE.match(line.text.rstrip()[:400])
        if found is None or found[1] in cells:
            break
        cells[found[1]] = (found[2], line)
        used += 1
    nothing = ("", lines[0])
    pid, parent = (whole(cells.get(key, nothing)[0]) for key in ("Pid", "PPid"))
    resident, shared = (cells.get(key, nothing) for key in ("VmRSS", "RssShmem"))
    if resident is nothing and pid is None:
        return Block(max(used, 1), 0)
    process = ProcessListed(
        where=around.at(resident[1]),
        text=resident[1].quoted,
        pid=pid or 0,
        parent=parent,
        state=cells.get("State", nothing)[0][:1],
        resident=size(resident[0].removesuffix(" kB"), resident[1].ref, bare="KiB"),
        shared=size(shared[0].removesuffix(" kB"), shared[1].ref, bare="KiB"),
        command=cells.get("Name", nothing)[0],
        snapshot=lines[0].ref.line,
    )
    return Block(used, used, [process])
