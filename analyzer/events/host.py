"""What snapshots of a host, a container, its GPUs and its kernel log say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.events.base import Event, event

if TYPE_CHECKING:
    from analyzer.units import Amount, Byte, One, Second


@event
class MemorySnapshot(Event):
    """Host memory at one moment (`free`, meminfo, top, vmstat). Sizes in bytes; `None` where not printed."""

    tool: str = ""
    total: Amount[Byte] | None = None
    used: Amount[Byte] | None = None
    free: Amount[Byte] | None = None
    shared: Amount[Byte] | None = None
    cache: Amount[Byte] | None = None
    available: Amount[Byte] | None = None
    swap_total: Amount[Byte] | None = None
    swap_used: Amount[Byte] | None = None
    huge_total: Amount[Byte] | None = None
    huge_free: Amount[Byte] | None = None
    label: str = ""


@event
class VmstatRow(Event):
    """One row of `vmstat`: processes running and blocked, swap traffic in bytes per second, CPU shares.

    `since_boot` marks the first row of a run, whose rates are averages since the host started.
    """

    running: Amount[One] | None = None
    blocked: Amount[One] | None = None
    free: Amount[Byte] | None = None
    cache: Amount[Byte] | None = None
    swapped: Amount[Byte] | None = None
    swap_in: Amount[Byte] | None = None
    swap_out: Amount[Byte] | None = None
    read_in: Amount[One] | None = None
    waiting: Amount[One] | None = None
    since_boot: bool = False


@event
class DiskLoad(Event):
    """One disk in one report of `iostat`: bytes a second, the wait of a read, the share of time with requests.

    `since_boot` marks the first report of a run, whose figures are averages since the host started.
    """

    device: str = ""
    read: Amount[Byte] | None = None
    written: Amount[Byte] | None = None
    read_wait: Amount[Second] | None = None
    busy: Amount[One] | None = None
    since_boot: bool = False


@event
class ProcessListed(Event):
    """One row of a process listing. `state` as `ps` prints it (`Dl`, `Zl`); `snapshot` numbers the listing."""

    pid: int = 0
    parent: int | None = None
    state: str = ""
    resident: Amount[Byte] | None = None
    shared: Amount[Byte] | None = None
    cpu: Amount[One] | None = None
    command: str = ""
    user: str = ""
    elapsed: Amount[Second] | None = None
    started: str = ""
    waiting_in: str = ""
    snapshot: int = 0


@event
class CgroupMemory(Event):
    """A container's memory limit, use and OOM counters; `limit` is `None` where unlimited or not printed.

    `group` is the container's name or the cgroup's path where the tool lists several of them.
    """

    limit: Amount[Byte] | None = None
    used: Amount[Byte] | None = None
    swap_limit: Amount[Byte] | None = None
    oom_kills: Amount[One] | None = None
    at_limit: Amount[One] | None = None
    said_by: str = ""
    group: str = ""


@event
class OomKill(Event):
    """A record of a kill for want of memory, by the kernel, or by the program that `killer` names.

    `scope` is what ran short: host, cgroup, numa (`nodes` are its NUMA nodes), node (of a cluster), free (what a daemon
    keeps free), pressure or swap. A daemon that ends whole units gives `command` the unit's name and no `pid`.
    `resident` is all that the process held, where its parts are not told; `arguments` its command line; `node` the node
    of a cluster whose events tell of it. `intent`: only that it is to be done is told. `scope` is empty where a daemon
    does not say what ran short. `cgroup` is the control group whose limit was reached, `task_cgroup` the one that the
    process was in.
    """

    pid: int = 0
    command: str = ""
    killer: str = ""
    intent: bool = False
    node: str = ""
    arguments: str = ""
    resident: Amount[Byte] | None = None
    anon: Amount[Byte] | None = None
    file: Amount[Byte] | None = None
    shmem: Amount[Byte] | None = None
    virtual: Amount[Byte] | None = None
    scope: str = "host"
    cgroup: str = ""
    task_cgroup: str = ""
    limit: Amount[Byte] | None = None
    usage: Amount[Byte] | None = None
    nodes: str = ""


@event
class OomVictim(Event):
    """One row of the kernel's task table inside an OOM record."""

    pid: int = 0
    command: str = ""
    resident: Amount[Byte] | None = None


@event
class GpuListed(Event):
    """One GPU of `nvidia-smi`, `rocm-smi`, `npu-smi`."""

    index: str = ""
    name: str = ""
    total: Amount[Byte] | None = None
    used: Amount[Byte] | None = None
    utilisation: Amount[One] | None = None
    temperature: Amount[One] | None = None
    clock: Amount[One] | None = None
    clock_limit: Amount[One] | None = None
    throttle: str = ""
    ecc: Amount[One] | None = None
    snapshot: int = 0


@event
class GpuProcess(Event):
    """A process that holds GPU memory."""

    gpu: str = ""
    pid: int = 0
    command: str = ""
    used: Amount[Byte] | None = None
    snapshot: int = 0


@event
class GpuFault(Event):
    """An Xid, an ECC or RAS record, an HSA exception."""

    code: str = ""
    gpu: str = ""
    detail: str = ""


@event
class FilesystemListed(Event):
    """One row of `df`."""

    mount: str = ""
    device: str = ""
    total: Amount[Byte] | None = None
    used: Amount[Byte] | None = None
    free: Amount[Byte] | None = None


@event
class PortListening(Event):
    """A listening socket and the process that holds it."""

    port: int = 0
    pid: int | None = None
    command: str = ""


@event
class PackageListed(Event):
    """An installed package."""

    name: str = ""
    version: str = ""


@event
class HostNote(Event):
    """A fact about a host that a person or a script wrote down (`449 GiB RAM`); `host` is the name beside it."""

    memory: Amount[Byte] | None = None
    host: str = ""


CRASH_STACK = "crash-stack"  # a fact: where a thread stood when its process crashed, `file:function` a line


@event
class Fact(Event):
    """Another fact of a snapshot, by name: a limit of `ulimit`, a row of `lsblk`, a pod's field."""

    name: str = ""
    value: str = ""
    amount: Amount[One] | None = None
