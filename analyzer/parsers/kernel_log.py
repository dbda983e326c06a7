"""The kernel's log: `dmesg` plain, `-T` or ISO, `journalctl -k`, or single kernel lines in another log.

Boot seconds give no time of day; then an event has the time of what stands around the log, and is not `direct`.
`dmesg` prints the later lines of a message of several lines without a prefix, as far to the right as the first one.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from analyzer.events import Fact, GpuFault
from analyzer.expression import lazy
from analyzer.layers import stamps
from analyzer.parsers.block import Block
from analyzer.parsers.moments import moment
from analyzer.parsers.oom import OomRecord, begins, decides

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.events import Event
    from analyzer.evidence import Stamp, Where
    from analyzer.parsers.block import Around, Text

KIND = "kernel-log"
_BEGINNINGS = ("[Mon ", "[Tue ", "[Wed ", "[Thu ", "[Fri ", "[Sat ", "[Sun ", "[ ", "kernel: ")  # "[ 12.345678]"
_RECORDS = ("oom-kill", "oom_reaper", "ut of memory: Kill", "Killed process", "kB, limit ", "cgroup stats")
_TROUBLES = ("Xid (", "NVRM", "amdgpu", "segfault at", "traps: ", "blocked for more than", "lockup", "Hardware Error")
_STUCK = ("hard LOCKUP", "detected stall", "-detected stall", "EDAC MC", "Memory failure: 0x", "Kernel panic")
_DEVICES = ("I/O error", "EXT4-fs", "XFS (", "nfs: server", "allocation failure", "AER: ", "Linux version")
HEADS = _BEGINNINGS + _RECORDS + _TROUBLES + _STUCK + _DEVICES

_BOOT = lazy(
    r"\[ {0,8}(?:\d{1,9}\.\d{6}(?: <[ \d.]{3,16}>)?|\+\d{1,9}\.\d{6}|<[ \d.]{3,16}>)\](?:\[ {0,6}[TC]\d{1,10}\])? ?"
    r"|\[[A-Z][a-z]{2}[ \d]\d \d\d:\d\d\] "  # `dmesg -H` where a minute begins: no seconds, no year
)
_DELTA = lazy(r" <[ \d.]{3,16}>$")  # of `dmesg -d`
_BRACKET = lazy(r"\[([^\]]{8,50})\] ?")
_LEVEL = lazy(r"(?:<\d{1,3}>|(?:kern|user|daemon|syslog) *: ?\w{3,7} *: )")
_TAGGED = lazy(r"(?:(\S.{1,60}?) (\S{1,80}) )?kernel: ?")
_ISO = lazy(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\S{0,20}) ")
_NVRM = "NVRM: Xid ("
_NVRM_WITHIN = 200

_AMDGPU = r"amdgpu ([\w:.]{1,20}): (?:amdgpu: )?()"
# long: what the driver calls a fault, each with the GPU, a number where it has one, and what it says
_FAULTS = (
    ("Xid", re.compile(r"NVRM: Xid \((?:PCI:)?([^)]{1,40})\): (\d{1,4}),? ?(.*)")),
    ("SXid", re.compile(r"nvidia-nvswitch\d*: SXid \((?:PCI:)?([^)]{1,40})\): (\d{1,6}),? ?(.*)")),
    (
        "fallen off the bus",
        re.compile(r"NVRM: (?:The NVIDIA )?GPU (?:at (?:PCI:)?)?([\w:.]{1,20}):? ()(.{0,40}fallen off the bus.*)"),
    ),
    ("fallen off the bus", re.compile(r"NVRM: ()()(fallen off the bus.*)")),  # the line before it names the GPU
    ("RAS", re.compile(_AMDGPU + r"(.{0,80}(?:uncorrectable hardware error|poison).*)")),
    ("page fault", re.compile(_AMDGPU + r"(.{0,40}page fault.*)")),
    ("GPU reset", re.compile(_AMDGPU + r"(.{0,40}(?:GPU reset|ring \S{1,40} timeout).*)")),
)
# long: other troubles, by the name of the fact
_FACTS = (
    (
        "kernel.segfault",
        re.compile(r".{1,64}\[\d{1,10}\]: segfault at |traps: .{1,64}\[\d{1,10}\](?: general protection|:? trap)"),
    ),
    ("kernel.hung-task", re.compile(r"INFO: task .{1,64} blocked for more than \d+ seconds")),
    (
        "kernel.lockup",
        re.compile(
            r"(?:(?:NMI )?watchdog: )?(?:BUG: soft lockup|Watchdog detected hard LOCKUP)"
            r"|(?:rcu: )?INFO: rcu_\w{1,40} (?:self-)?detected (?:expedited )?stalls?"
        ),
    ),
    (
        "kernel.machine-check",
        re.compile(
            r"(?:mce: )?(?:\{\d{1,6}\})?\[Hardware Error\]|EDAC .{1,40} [CU]E |Memory failure: 0x"
            r"|(?:MCE|mce): (?:Killing |Uncorrected hardware memory error)"
        ),
    ),
    ("kernel.pcie-error", re.compile(r".{0,60}(?:AER: .{0,40}error|PCIe Bus Error)")),
    (
        "kernel.io-error",
        re.compile(r".{0,60}(?:I/O error|Buffer I/O|critical medium error)|nvme\S{0,20} .{0,40}I/O .{0,40}timeout"),
    ),
    (
        "kernel.filesystem-error",
        re.compile(
            r"EXT4-fs error|BTRFS.{0,40}(?:error|corrupt)|XFS \(\S{1,40}\): .{0,60}(?:Corruption|Shutting down)"
        ),
    ),
    ("kernel.nfs", re.compile(r"nfs: server .{1,100} (?:not responding|timed out|OK)")),
    ("kernel.allocation-failure", re.compile(r".{1,64}: (?:page allocation failure|vmalloc error: )")),
    ("kernel.no-killable-process", re.compile(r"(?:Out of memory|Kernel panic).{0,60}no killable processes")),
    ("kernel.panic", re.compile(r"Kernel panic - not syncing|BUG: unable to handle|kernel BUG at |Oops: ")),
    ("kernel.thermal", re.compile(r".{0,40}temperature above threshold")),
    ("kernel.nvidia", re.compile(r"NVRM: |nvidia-modeset: (?:ERROR|WARNING|Error)")),
)
# What nobody but the kernel says, so that it needs no prefix.
_ALONE = frozenset({"kernel.segfault", "kernel.hung-task", "kernel.lockup", "kernel.allocation-failure"})
_DECISIVE = tuple(pattern for name, pattern in (*_FAULTS, *_FACTS) if name in _ALONE or not name.startswith("kernel."))

# The driver's own word for what a clean-up of channels (Xid 45) follows.
_EARLIER = re.compile(r"caused by previous Xid (\d{1,4})\b")
# What follows the report of a task that hangs, of a processor that is stuck, of an allocation that failed.
_STACK = lazy(
    r'\s*(?:Tainted: |Not tainted |"echo 0 > /proc/sys/kernel/hung_task|task:.{1,64} state:\w|Call [Tt]race:|</?TASK>'
    r"|\?? ?[\w.]{1,80}\+0x[0-9a-f]{1,8}/0x|\[<[0-9a-f]{8,16}>\] |[0-9a-f]{16}(?: [0-9a-f]{16}){1,3} *$"
    r"|.{1,64}? [RSDTZXI](?:  running task {1,12})?(?: {1,12}[0-9a-f]{1,16}){3,5} 0x[0-9a-f]{8}$"
    r"|Workqueue: |Modules linked in:|(?:pc|lr|sp) : |NMI backtrace for cpu|Sending NMI |(?:Task|Stack) dump "
    r"|Future hung task reports are suppressed|INFO: task .{1,64} (?:is |<\w{1,10}> )?blocked on an? "
    r"|(?:rcu: )?\s*(?:\S{3,12}: \(\d{1,12} |\((?:t=|detected by )\d)|rcu: rcu_\w{1,40} kthread |rcu:\s+Unless "
    r"|warn_alloc: \d{1,9} callbacks suppressed)"
)
_INDENT = " " * 8


class _Said(NamedTuple):
    """A kernel line unwrapped: its message, the time its prefix shows, and which prefix that was."""

    content: str
    stamp: Stamp | None
    prefix: str


def claims(head: str, around: Around) -> bool:
    """A line with the kernel's own prefix, or a message that only the kernel prints."""
    said = _unwrap(head)
    return said.prefix in {"boot", "tag"} or (said.prefix == "time" and _is_kernels(around)) or _decides(said.content)


def reads(lines: Sequence[Text], around: Around) -> Block:
    """Faults, facts and out-of-memory records of consecutive kernel lines."""
    prefix = _unwrap(lines[0].text).prefix
    record = OomRecord()
    events: list[Event] = []
    used = understood = 0
    below = False  # the line right above was understood
    for line in lines:
        said = _unwrap(line.text)
        where = replace(around.at(line._replace(stamp=said.stamp or line.stamp)), speaker="kernel")
        if begins(said.content):
            events += record.events()
            record = OomRecord()
        found = _events(said.content, where)
        stack = bool(said.prefix or below) and _STACK.match(said.content) is not None
        known = bool(found) or _belongs(record, said, where, goes_on=used > 0) or stack
        if not known and (said.prefix != prefix or not prefix):
            break
        below = known
        events += found
        used += 1
        understood += known
    events += record.events()
    return Block(max(used, 1), understood, sorted(events, key=lambda event: event.where.ref.line))


def _unwrap(text: str) -> _Said:
    level = _LEVEL.match(text)
    plain = text[level.end() :] if level else text
    boot, tagged = _BOOT.match(plain), _TAGGED.match(plain)
    if boot:
        return _Said(plain[boot.end() :], None, "boot")
    if tagged:
        inner = _BOOT.match(plain, tagged.end())
        return _Said(
            plain[inner.end() if inner else tagged.end() :],
            moment(tagged[1] or "") or stamps.epoch(tagged[1] or ""),
            "tag",
        )
    timed = _BRACKET.match(plain) or _ISO.match(plain)
    stamp = moment(_DELTA.sub("", timed[1])) if timed else None
    if timed and stamp:
        return _Said(plain[timed.end() :], stamp, "time")
    within = plain.find(_NVRM, 0, _NVRM_WITHIN)
    return _Said(plain[within:] if within > 0 else plain, None, "")


def _is_kernels(around: Around) -> bool:
    return any(
        word in text
        for text in (around.command, around.label, around.source)
        for word in ("dmesg", "journalctl -k", "kern.log")
    )


def _decides(content: str) -> bool:
    return decides(content) or any(pattern.match(content) for pattern in _DECISIVE)


def _belongs(record: OomRecord, said: _Said, where: Where, *, goes_on: bool) -> bool:
    """Whether the record takes the line; a bare line that many texts could hold only after the record began.

    `goes_on`: kernel lines stand above, of whose last message a line that is set far to the right may be the rest.
    """
    if said.prefix or record.begun or _decides(said.content):
        return record.takes(said.content, where)
    return goes_on and said.content.startswith(_INDENT) and record.goes_on(said.content.strip(), where)


def _events(content: str, where: Where) -> list[Event]:
    text = content.strip()[:400]
    for code, pattern in _FAULTS:
        found = pattern.match(content)
        if found:
            earlier = _EARLIER.search(found[3])
            named = f"{code} {earlier[1] if earlier else found[2]}".strip()
            return [GpuFault(where=where, text=text, code=named, gpu=found[1], detail=found[3].strip()[:300])]
    for name, pattern in _FACTS:
        if pattern.match(content):
            return [Fact(where=where, text=text, name=name, value=text[:200])]
    return []
