"""The kernel's out-of-memory record, gathered line by line until its kills can be told.

A record belongs to the host, to a cgroup (v1 or v2) or to a NUMA memory policy. Kernels up to 5.0 announce a kill and
then print it; later ones print it once. Sizes come from the kill, or from the reaper's line where the kill has none.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from analyzer.events import MemorySnapshot, OomKill, OomVictim
from analyzer.expression import lazy
from analyzer.parsers.sizes import size
from analyzer.units import read, total

if TYPE_CHECKING:
    from analyzer.events import Event
    from analyzer.evidence import Ref, Where
    from analyzer.units import Amount

_NAME = r"\(([^()]{1,64}|\([^()]{1,62}\))\)"
_INVOKED = lazy(r"(.{1,64}) invoked oom-killer: ")
_CONSTRAINT = lazy(r"oom-kill:constraint=(\w{1,40})(.*)")
_NODES = lazy(r"nodemask=(\d[\d,-]{0,80})")
_KILL = lazy(rf"(.{{0,80}}: )?Kill(ed)? process (\d{{1,10}}),? (?:UID \d{{1,10}},? )?{_NAME}(.*)")
_REAPED = lazy(rf"oom_reaper: reaped process (\d{{1,10}}) {_NAME}(.*)")
_LIMIT_OF = lazy(r"Task in (\S{1,400}) killed as a result of limit of (\S{1,400})")
_STATS_OF = lazy(r"Memory cgroup stats for (\S{1,400}?):?(?:\s|$)")
_USAGE = lazy(r"memory: usage (\d{1,17})kB, limit (\d{1,17})kB")
_SIZE = lazy(r"(total-vm|anon-rss|file-rss|shmem-rss):(\d{1,17})kB")
_TABLE = lazy(r"\[ {0,8}pid {0,8}\] +(uid .*)")
_TASK = lazy(r"\[ {0,12}(\d{1,10})\] +(.*)")
_PAGES = lazy(r"(\d{1,12}) pages (RAM|reserved)$|\b(free|shmem):(\d{1,12})\b")
_SWAP = lazy(r"(Total|Free) swap {1,2}= (\d{1,15})kB")
_BUDDY = lazy(r"Node \d{1,4} \w{1,10}: \d{1,12}\*(\d{1,3})kB ")
_HUGE = lazy(r"Node \d{1,4} hugepages_total=(\d{1,12}) hugepages_free=(\d{1,12}) .{0,40}hugepages_size=(\d{1,9})kB")
_CONTEXT = lazy(
    r" *(?:CPU: \d|Call [Tt]race:|</?TASK>|\??[ ]?[\w.]{1,80}\+0x|[A-Z0-9]{2,6}: [0-9a-f]{4}|Code: |Hardware name: "
    r"|Mem-Info:|Node \d|lowmem_reserve|(?:DMA|DMA32|Normal|HighMem|Movable|Device)(?: free:|: \d+\*)"
    r"|\d+ (?:total )?page|Swap cache stats: |Tasks state|memory\+swap: |kmem: |swap: |swap_cgroup|[a-z_]{3,30} \d+$"
    r"|Unreclaimable slab info:|Name +Used +Total$|\S{1,40} +\d+KB +\d+KB$)"
    r"|.{1,64} cpuset=\S{1,400} mems_allowed=\d"
)
_COUNTS = lazy(
    r" *(?:active_anon|active_file|unevictable|slab_\w{1,20}|mapped|sec_pagetables|kernel_misc_reclaimable|free):\d"
)
_UNLIMITED_KIB = 2**52
_LARGEST_TASKS = 100


@dataclass(slots=True)
class _Kill:
    """A kill as far as it is told; `announced` while only the decision to kill was printed."""

    pid: int
    command: str
    where: Where
    text: str
    scope: str
    cgroup: str
    task_cgroup: str
    limit: Amount[Any] | None
    usage: Amount[Any] | None
    nodes: str = ""
    sizes: dict[str, Amount[Any]] = field(default_factory=dict)
    announced: bool = False


@dataclass(slots=True)
class OomRecord:
    """What the lines of one record have told so far."""

    constraint: str = ""
    nodes: str = ""
    cgroup: str = ""
    task_cgroup: str = ""
    begun: bool = False
    limited: bool = False
    limit: Amount[Any] | None = None
    usage: Amount[Any] | None = None
    page_kib: int = 4
    columns: tuple[str, ...] = ()
    pages: dict[str, tuple[int, Ref]] = field(default_factory=dict)
    swap: dict[str, Amount[Any]] = field(default_factory=dict)
    huge: dict[str, list[Amount[Any]]] = field(default_factory=dict)
    place: tuple[Where, str] | None = None
    named: _Kill | None = None
    kills: list[_Kill] = field(default_factory=list)
    victims: list[OomVictim] = field(default_factory=list)

    def takes(self, content: str, where: Where) -> bool:
        """Whether the text of a kernel message, without its prefix, belongs to the record."""
        taken = (
            begins(content)
            or self._kill(content, where)
            or self._cause(content, where)
            or self._tasks(content, where)
            or self._memory(content, where)
            or _CONTEXT.match(content) is not None
            or _COUNTS.match(content) is not None
        )
        self.begun = self.begun or begins(content) or bool(self.kills or self.named or self.columns or self.cgroup)
        return taken

    def goes_on(self, content: str, where: Where) -> bool:
        """Whether the text is a later line of the message that counts the host's pages."""
        return _COUNTS.match(content) is not None and self.takes(content, where)

    def events(self) -> list[Event]:
        """The host's memory, the largest tasks and the kills that the record tells of."""
        kills = self.kills or ([self.named] if self.named else [])
        largest = sorted(self.victims, key=lambda v: -v.resident.value if v.resident else 0)[:_LARGEST_TASKS]
        return [*self._host(), *largest, *(_event(kill) for kill in kills)]

    def _cause(self, content: str, where: Where) -> bool:
        constraint, limit_of = _CONSTRAINT.match(content), _LIMIT_OF.match(content) or _STATS_OF.match(content)
        if constraint:
            if self.kills:  # the next record, its beginning lost
                self.limit = self.usage = None
            self.constraint = constraint[1]
            bound = _NODES.search(constraint[2])
            self.nodes = bound[1].rstrip(",") if bound else ""
            told = dict(pair.partition("=")[::2] for pair in constraint[2].split(","))
            self.limited = "oom_memcg" in told or constraint[1] == "CONSTRAINT_MEMCG"
            self.cgroup = told.get("oom_memcg") or told.get("task_memcg") or self.cgroup
            self.task_cgroup = told.get("task_memcg", "")
            pid = told.get("pid", "")
            if "task" in told and pid.isascii() and pid.isdigit():
                self.named = self._killed(int(pid[:10]), told["task"], where, content)
        elif limit_of:
            self.limited, self.cgroup = True, limit_of[limit_of.lastindex or 1]
            self.task_cgroup = limit_of[1] if limit_of.lastindex == 2 else self.task_cgroup  # noqa: PLR2004 - the task's own
        return bool(constraint or limit_of)

    def _kill(self, content: str, where: Where) -> bool:
        kill, reaped = _KILL.match(content), _REAPED.match(content)
        if kill:
            if self.kills and self.kills[-1].announced:  # the kill that was announced, or the child it sacrifices
                self.kills.pop()
            killed = self._killed(int(kill[3]), kill[4], where, content, kill[1] or "")
            killed.sizes, killed.announced = _sizes(kill[5], where.ref), not kill[2]
            self.kills.append(killed)
        elif reaped and self.kills and not self.kills[-1].sizes and self.kills[-1].command == reaped[2]:
            self.kills[-1].sizes = _sizes(reaped[3], where.ref)
        return bool(kill or reaped)

    def _tasks(self, content: str, where: Where) -> bool:
        table = _TABLE.match(content)
        if table:
            self.columns = tuple(table[1].split())
            return True
        task = _TASK.match(content) if self.columns else None
        if task is None:
            return False
        cells = dict(zip(self.columns, task[2].split(None, len(self.columns) - 1), strict=False))
        pages = cells.get("rss", "")
        if pages.isascii() and pages.isdigit() and len(pages) <= 12:  # noqa: PLR2004 - no host has more
            resident = read(str(int(pages) * self.page_kib), "KiB", where.ref)
            self.victims.append(
                OomVictim(
                    where=where, text=content[:400], pid=int(task[1]), command=cells.get("name", ""), resident=resident
                )
            )
        return True

    def _memory(self, content: str, where: Where) -> bool:
        usage, swap, buddy = _USAGE.match(content), _SWAP.match(content), _BUDDY.match(content)
        huge = _HUGE.match(content)
        if usage:
            self.usage = read(usage[1], "KiB", where.ref)
            self.limit = read(usage[2], "KiB", where.ref) if int(usage[2]) < _UNLIMITED_KIB else None
        elif swap:
            self.swap[swap[1]] = read(swap[2], "KiB", where.ref)
        elif huge:  # of every node and size of page
            for name, pages in (("total", huge[1]), ("free", huge[2])):
                amount = size(str(int(pages) * int(huge[3])), where.ref, bare="KiB")
                self.huge.setdefault(name, []).extend([amount] if amount is not None else [])
        elif buddy:  # the smallest block of the buddy allocator is one page: 64 KiB on some ARM hosts
            self.page_kib = int(buddy[1]) or 4
        found = [] if usage or swap or buddy or content.startswith("Node") else _PAGES.findall(content[:400])
        for counted, kind, name, number in found:
            self.pages.setdefault(kind or name, (int(counted or number), where.ref))
            self.place = (where, content[:400]) if kind == "RAM" else self.place
        return bool(usage or swap or buddy or huge or found)

    def _host(self) -> list[Event]:
        memory, swap, swap_free = self._sized("RAM"), self.swap.get("Total"), self.swap.get("Free")
        if memory is None or self.place is None:
            return []
        reserved = self._sized("reserved")
        where, text = self.place
        snapshot = MemorySnapshot(
            where=where,
            text=text,
            tool="kernel-log",
            total=memory - reserved if reserved else memory,
            free=self._sized("free"),
            shared=self._sized("shmem"),
            swap_total=swap,
            swap_used=swap - swap_free if swap and swap_free else None,
            huge_total=self._pool("total"),
            huge_free=self._pool("free"),
        )
        return [snapshot]

    def _pool(self, name: str) -> Amount[Any] | None:
        """Huge pages of all nodes and sizes; `None` where there are none, as almost everywhere."""
        parts = self.huge.get(name, [])
        return total(parts) if parts and any(part.value for part in self.huge.get("total", [])) else None

    def _sized(self, name: str) -> Amount[Any] | None:
        pages = self.pages.get(name)
        return read(str(pages[0] * self.page_kib), "KiB", pages[1]) if pages else None

    def _killed(self, pid: int, command: str, where: Where, content: str, reason: str = "") -> _Kill:
        """A kill in the context told so far; `reason` is what stands before `Killed process`."""
        numa = self.constraint in {"CONSTRAINT_MEMORY_POLICY", "CONSTRAINT_CPUSET"}
        limited = "cgroup" in reason or (self.limited and not reason.startswith("Out of memory"))
        scope = "cgroup" if limited else "numa" if numa else "host"
        if limited != self.limited:  # what was told before belongs to another kill
            return _Kill(pid, command, where, content[:400], scope, "", "", None, None)
        nodes, text = self.nodes if scope == "numa" else "", content[:400]
        return _Kill(pid, command, where, text, scope, self.cgroup, self.task_cgroup, self.limit, self.usage, nodes)


def begins(content: str) -> bool:
    """Whether the text of a kernel message opens an out-of-memory record."""
    return _INVOKED.match(content) is not None


def decides(content: str) -> bool:
    """Whether the text can be nothing else than a line of such a record."""
    kill = _KILL.match(content)
    told = kill is not None and ("ut of memory" in (kill[1] or "") or "total-vm:" in kill[5] or " score " in kill[5])
    return begins(content) or told or bool(_CONSTRAINT.match(content) or _REAPED.match(content))


def _sizes(text: str, line: Ref) -> dict[str, Amount[Any]]:
    return {word: read(digits, "KiB", line) for word, digits in _SIZE.findall(text)}


def _event(kill: _Kill) -> OomKill:
    return OomKill(
        where=kill.where,
        text=kill.text,
        pid=kill.pid,
        command=kill.command,
        anon=kill.sizes.get("anon-rss"),
        file=kill.sizes.get("file-rss"),
        shmem=kill.sizes.get("shmem-rss"),
        virtual=kill.sizes.get("total-vm"),
        scope=kill.scope,
        cgroup=kill.cgroup,
        task_cgroup=kill.task_cgroup,
        limit=kill.limit,
        usage=kill.usage,
        nodes=kill.nodes,
    )
