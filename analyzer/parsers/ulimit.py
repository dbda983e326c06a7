"""Limits of a shell (`ulimit -a`) or of a process (`/proc/PID/limits`), under the same names; the kernel's (`sysctl`).

Of the kernel's settings those are kept that bear on memory, processes and files, as `sysctl.vm.max_map_count`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.events import Fact
from analyzer.expression import lazy
from analyzer.parsers.block import Block
from analyzer.parsers.sizes import count, size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.parsers.block import Around, Text

KIND = "ulimit"
_FIRST = (
    "abi.vsyscall",
    "fs.aio-max",
    "fs.file-max",
    "fs.nr_open",
    "kernel.shm",
    "kernel.pid_max",
    "kernel.threads-max",
)
_LATER = (
    "kernel.numa_bal",
    "kernel.yama",
    "vm.m",
    "vm.overcommit",
    "vm.nr_huge",
    "vm.swappiness",
    "vm.zone",
    "vm.admin",
)
HEADS = (", -", "(-", "Soft Limit", "Max ", *_FIRST, *_LATER, "/proc/sys/")

_SHELL = lazy(r"((?:POSIX )?[a-z][a-z -]{3,40}?) {2,}\((?:([a-z0-9 -]{1,20}), )?-[a-zA-Z]\) (\d{1,20}|unlimited)$")
_TITLE = lazy(r"Limit +Soft Limit +Hard Limit +Units *$")
_PROC = lazy(r"Max ([a-z -]{3,30}?) {2,}(\d{1,20}|unlimited) +(?:\d{1,20}|unlimited)(?: +([a-z]+))? *$")
_SYSCTL = lazy(r"((?:abi|crypto|debug|dev|fs|kernel|net|sunrpc|user|vm)\.[\w./*-]{2,100})(?: = ?| ?= |=)(.{0,400})$")
_FILE = lazy(r"(?:grep:)?/proc/sys/([a-z]{2,8}/[\w/.-]{2,100})(?:: ?| = ?)(-?\d.{0,400})$")
_ASKED = lazy(r"/proc/sys/((?:vm|kernel|fs)/\w{2,60})(?:\s|$|[\"';|&])")
_FLAG = lazy(r"(?:^|[\s;&|'\"(])ulimit -[HS]{0,2}([nluvs])(?:$|[\s;&|'\")])")
_FLAGS = {
    "n": ("open-files", ""),
    "l": ("max-locked-memory", "kbytes"),
    "u": ("user-processes", ""),
    "v": ("virtual-memory", "kbytes"),
    "s": ("stack-size", "kbytes"),
}
_ANSWER = lazy(r"(?:\d{1,20}|unlimited)$")
_BARE = lazy(r"-?\d{1,20}$")
_SETTINGS = {
    "vm.max_map_count": "count",
    "vm.overcommit_memory": "count",
    "vm.overcommit_ratio": "percent",
    "vm.nr_hugepages": "count",
    "vm.swappiness": "count",
    "vm.min_free_kbytes": "KiB",
    "vm.zone_reclaim_mode": "count",
    "kernel.shmmax": "B",
    "kernel.shmall": "count",
    "kernel.shmmni": "count",
    "kernel.pid_max": "count",
    "kernel.threads-max": "count",
    "kernel.numa_balancing": "count",
    "kernel.yama.ptrace_scope": "count",
    "fs.file-max": "count",
    "fs.nr_open": "count",
}
_NO_LIMIT = 2**60  # the kernel's defaults near the largest number that there is
_UNITS = {"kbytes": "KiB", "bytes": "B", "blocks": "KiB"}
_SAME = {"processes": "user-processes", "core-file-size": "core-file-size", "address-space": "virtual-memory"}


def claims(head: str, around: Around) -> bool:
    """A line of `ulimit -a`, the title or a line of the kernel's table, a setting, or the answer to a `cat` of one."""
    line = head.strip()[:600]
    known = any(pattern.match(line) is not None for pattern in (_SHELL, _TITLE, _PROC, _SYSCTL, _FILE))
    if known or (_BARE.match(line) and _ASKED.search(around.command[:2000])):
        return True
    return bool(_ANSWER.match(line) and _FLAG.search(around.command[:2000]))


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One fact per limit (`ulimit.open-files`); `unlimited` has no amount."""
    events: list[Fact] = []
    asked = _ASKED.findall(around.command[:2000])
    flags = [] if asked else _FLAG.findall(around.command[:2000])
    used = 0
    for line in lines:
        text = line.text.strip()[:600]
        shell, proc, setting = _SHELL.match(text), _PROC.match(text), _SYSCTL.match(text) or _FILE.match(text)
        if shell:
            events.append(_fact(shell[1], shell[3], shell[2] or "", line, around))
        elif proc:
            events.append(_fact(proc[1], proc[2], proc[3] or "", line, around))
        elif setting:
            events += _setting(setting[1], setting[2], line, around)
        elif flags and _ANSWER.match(text):
            name, unit = _FLAGS[flags.pop(0)]
            events.append(_fact(name, text, unit, line, around))
        elif asked and _BARE.match(text):
            events += _setting(asked.pop(0), text, line, around)
        elif not _TITLE.match(text):
            break
        used += 1
    return Block(max(used, 1), used, [*events])


def _setting(name: str, value: str, line: Text, around: Around) -> list[Fact]:
    """The fact of a setting that is kept, by its dotted name; nothing for others."""
    dotted, plain = name.replace("/", "."), value.strip()
    unit = _SETTINGS.get(dotted)
    if unit is None or not plain:
        return []
    amount = count(plain, line.ref, unit)
    amount = amount if amount is not None and amount.value < _NO_LIMIT else None
    name = f"sysctl.{dotted}"
    return [Fact(where=around.at(line), text=line.quoted, name=name, value=plain[:80], amount=amount)]


def _fact(name: str, value: str, unit: str, line: Text, around: Around) -> Fact:
    plain = name.strip().lower().removeprefix("max ").replace(" ", "-")
    bare = _UNITS.get(unit)
    amount = size(value, line.ref, bare=bare) if bare else count(value, line.ref)
    return Fact(
        where=around.at(line), text=line.quoted, name=f"ulimit.{_SAME.get(plain, plain)}", value=value, amount=amount
    )
