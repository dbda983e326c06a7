"""What stands around a snapshot: the command echoed before it, the banner above it, the times that these print."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from analyzer.expression import lazy
from analyzer.layers import stamps
from analyzer.parsers import cgroup
from analyzer.parsers.block import Around
from analyzer.parsers.moments import moment

if TYPE_CHECKING:
    from analyzer.evidence import Stamp
    from analyzer.parsers.block import Text

# A root prompt is a comment sign as well: only these words after it make a command.
_COMMANDS = frozenset({
    "amd-smi", "arch", "cat", "cd", "crictl", "curl", "date", "df", "dmesg", "dmidecode", "docker", "du", "env",
    "export", "free", "getconf", "gpustat", "grep", "head", "hostname", "hostnamectl", "htop", "ibdev2netdev",
    "iostat", "ip", "ipcs", "journalctl", "kubectl", "ls", "lsblk", "lscpu", "lsmem", "lsof", "lspci", "mount",
    "netstat", "nproc", "npu-smi", "numactl", "numastat", "nvcc", "nvidia-smi", "pip", "pip3", "podman", "ps", "python",
    "python3", "rocm-smi", "sacct", "sar", "scontrol", "sglang", "smem", "squeue", "ss", "sudo", "systemctl",
    "systemd-cgtop", "tail", "timedatectl", "top", "ulimit", "uname", "uptime", "vmstat", "watch", "whoami",
})  # fmt: skip
_PROMPT = lazy(
    r"(?:\([\w.-]{1,40}\) ?)?(?:[\w.-]{1,40}@[\w.-]{1,80}:[^$#]{0,200}[$#]"
    r"|[\w.-]{1,40}@[\w.-]{1,80} [~/]\S{0,200} ?[$#%]"
    r"|\[[\w.-]{1,40}@[\w.-]{1,80} [^\]]{0,200}\][$#]"
    r"|(?:ba|z)?sh-[\d.]+[$#]|\$) ?(.*)$"
)
_ROOT = lazy(r"# ?(\S+)(.*)$")
_TRACED = lazy(r"\++ (\S.*)$")
_WATCHED = lazy(r"Every \d{1,5}[.,]\d{1,3}s: (\S.{0,400}?) {2,}[\w.-]{1,255}: (.{8,60})$")
_REMOTE = lazy(
    r"\b(?:ansible|ssh|pdsh|clush|pssh)\s[^'\"]{0,200}(['\"])([^'\"]{1,400})\1"
)  # what runs on the other host
_RULED = lazy(r"[=#*-]{2,}[ \t]+(\S.{0,160}?)[ \t]*[=#*-]*$")
_FILE = lazy(r"==> (/(?:proc|sys)/\S{1,300}) <==$")  # as head and tail name the files of /proc and /sys
_BARE = lazy(
    r"(?:sudo )?(?:\S{0,40}/)?(?:arch|cat|getconf|hostname|nproc|uname|ulimit|whoami)"
    r"(?: -[a-zA-Z]{1,4}| /\S{1,300}| [A-Z_]{4,40}){0,6}$"
)
_COMMENT = lazy(r"#+ (\S.{0,160})$")
_STARTED = lazy(r"(?:START|BEGIN|END|STOP)(?:ED)?:? (\d\d:\d\d:\d\d.{0,80})$")
_TIME = lazy(r"(?:^|[\s@(])(\d{1,2}:\d\d)(:\d\d(?:\.\d+)?)?(?:$|[\s),])")
_ISO = re.compile(stamps.ISO)
_DATE = lazy(r"(?:\S{0,40}/)?date(?:\s|$)")
_CGROUP_FILE = lazy(rf"(?:\S{{0,300}}/)?{cgroup.FILE}(?:\.txt)?$", re.ASCII)
_PROC_FILE = lazy(r"/proc/[\w/.-]{1,300}$", re.ASCII)
_OPENINGS = frozenset("$#+=*-(")
_WORDS = ("Every ", "START", "BEGIN", "END", "STOP", "sh-", "bash-", "zsh-")
_PROMPT_WITHIN = 80
_LONGEST = 1000  # characters of a command


class Seen(NamedTuple):
    """An echoed command, or a banner's label with the time that it prints."""

    command: str = ""
    label: str = ""
    stamp: Stamp | None = None


class Surroundings:
    """Follows one source's lines; `around` is what a block at the current line stands in."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._command = implied(source.rpartition("!")[2])
        self._label = ""
        self._stamp: Stamp | None = None
        self._echo_line = 0
        self._under_label = 0

    @property
    def command(self) -> str:
        """The command that was echoed last, if nothing ended its output."""
        return self._command

    def echoed_just_now(self, line: Text) -> bool:
        """Whether the line above is a command's echo."""
        return self.echoed_above(line.ref.line)

    def echoed_above(self, number: int) -> bool:
        """Whether the line above that of this number is a command's echo."""
        return bool(self._command) and number == self._echo_line + 1

    def dated(self, stamp: Stamp | None) -> None:
        """A time that a command printed dates what follows.

        A banner goes on to hold if the time stands right below it; further below, it begins another look.
        """
        if stamp is None:
            return
        self._stamp = stamp
        if self._under_label > 1:
            self._label = ""

    def see(self, line: Text) -> Seen | None:
        """What a command's echo or a banner says; `None` for any other line."""
        text = line.text
        self._under_label += 1
        if not may_be_echo(text):
            return None
        command = echoed(text)
        if command is not None:
            self._under_label -= _DATE.match(command) is not None
            self._command, self._echo_line = command, line.ref.line
            watched = _WATCHED.match(text)
            stamp = moment(watched[2]) if watched else None
            self.dated(stamp)
            return Seen(command=command, stamp=stamp)
        label = banner(text)
        if label is None:
            return None
        self._label, self._command, self._under_label = label, implied(label), 0
        self._echo_line = line.ref.line
        stamp = time_in(label)
        self._stamp = stamp or self._stamp
        return Seen(label=label, stamp=stamp)

    def logged(self) -> None:
        """A log line stands between: what was echoed before it is over."""
        self._command = self._label = ""
        self._stamp = None

    def around(self, line: Text, before: Stamp | None = None) -> Around:
        """What a block that begins at this line stands in; `before` is the time of the log line above it."""
        return Around(self._source, self._command, self._label, self._stamp or line.stamp or before, line.node)


def implied(name: str) -> str:
    """The command that a file's name or a banner stands for: `memory.max` holds what `cat memory.max` prints.

    A banner may also be the command itself, where its answer is but a word: `=== nproc ===`.
    """
    if _CGROUP_FILE.match(name[-400:]) or _PROC_FILE.match(name):
        return f"cat {name.removesuffix('.txt')}"
    return name if _BARE.match(name) else ""


def may_be_echo(text: str) -> bool:
    """A cheap test before `echoed` and `banner`."""
    return text[:1] in _OPENINGS or "@" in text[:_PROMPT_WITHIN] or text.startswith(_WORDS)


def echoed(text: str) -> str | None:
    """The command that a prompt, `set -x` or `watch` shows; `None` for any other line."""
    found = _PROMPT.match(text) or _TRACED.match(text) or _WATCHED.match(text)
    if found:
        remote = _REMOTE.search(found[1][:_LONGEST])
        return (remote[2] if remote else found[1]).strip()
    root = _ROOT.match(text)
    if root and root[1].rpartition("/")[2] in _COMMANDS:
        return f"{root[1]}{root[2]}".strip()
    return None


def banner(text: str) -> str | None:
    """What a script's rule or a comment over a snapshot says; `None` for any other line."""
    found = _FILE.match(text) or _RULED.match(text) or _COMMENT.match(text) or _STARTED.match(text)
    return found[1].strip(" =#*-") if found else None


def time_in(label: str) -> Stamp | None:
    """The time that a label prints: ISO, as `date` prints it, or a clock alone (`09:12 server stuck`)."""
    iso = _ISO.search(label)
    if iso:
        return stamps.iso(iso[0])
    spelled = stamps.ctime(label)
    if spelled:
        return spelled
    found = _TIME.search(label)
    return stamps.clock(found[1] + (found[2] or ":00")) if found else None
