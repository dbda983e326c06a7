"""Milestones of a launch, in the order in which a scheduler prints them."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any

from analyzer.events.base import Event, event

if TYPE_CHECKING:
    from analyzer.units import Amount, Byte, One, Second, Token


@event
class ArgumentsPrinted(Event):
    """The `server_args=` line: what SGLang made of the command line. `values` holds Python literals by field name."""

    values: dict[str, Any] = field(default_factory=dict)
    form: str = ""
    cut: bool = False


@event
class CommandLine(Event):
    """A command that starts a server, as an operator typed it or a process listing shows it."""

    argv: tuple[str, ...] = ()
    pid: int | None = None


@event
class ReleaseStated(Event):
    """Something that names the SGLang release: an image tag, a package list, a banner."""

    version: str = ""
    fork: bool = False


@event
class ModelDownload(Event):
    """A progress line of a download from a hub."""

    done: Amount[One] | None = None
    total: Amount[One] | None = None


@event
class DistributedInitBegun(Event):
    """The ranks start to look for each other."""


@event
class DistributedInitEnded(Event):
    """The process groups of this rank stand."""

    elapsed: Amount[Second] | None = None
    used: Amount[Byte] | None = None


@event
class WeightLoadBegun(Event):
    """Weight loading begins; `free` is this GPU's free memory."""

    free: Amount[Byte] | None = None


@event
class ShardsProgress(Event):
    """A tqdm frame of the shard loading bar (rank 0 only). `rate` is seconds per shard."""

    done: Amount[One] | None = None
    total: Amount[One] | None = None
    elapsed: Amount[Second] | None = None
    label: str = ""


@event
class WeightsLoaded(Event):
    """Weight loading ended. `used` may be negative where memory was released meanwhile."""

    elapsed: Amount[Second] | None = None
    architecture: str = ""
    free: Amount[Byte] | None = None
    used: Amount[Byte] | None = None


@event
class KvPoolAllocated(Event):
    """The KV pool of this rank. K and V sizes, or one size (MLA), in bytes."""

    tokens: Amount[Token] | None = None
    k_size: Amount[Byte] | None = None
    v_size: Amount[Byte] | None = None
    kv_size: Amount[Byte] | None = None
    dtype: str = ""
    name: str = ""


@event
class KvPoolReserved(Event):
    """A virtual upper bound for the KV pool, not yet an allocation (post-capture sizing)."""

    tokens: Amount[Token] | None = None


@event
class SlidingWindowPool(Event):
    """Sizes of a hybrid sliding-window pool."""

    full_tokens: Amount[Token] | None = None
    swa_tokens: Amount[Token] | None = None
    used: Amount[Byte] | None = None


@event
class StateCacheAllocated(Event):
    """A Mamba or linear-attention state cache."""

    slots: Amount[One] | None = None
    conv: Amount[Byte] | None = None
    ssm: Amount[Byte] | None = None


@event
class MemoryPoolEnded(Event):
    """All device pools of this rank stand; `free` is what is left on its GPU."""

    free: Amount[Byte] | None = None


@event
class GraphCaptureBegun(Event):
    """CUDA (or NPU, CPU) graph capture begins. `graph` names which one (draft, prefill, …)."""

    free: Amount[Byte] | None = None
    graph: str = ""


@event
class GraphCaptureProgress(Event):
    """A tqdm frame of the capture bar (rank 0 only), largest batch size first."""

    batch_size: Amount[One] | None = None
    free: Amount[Byte] | None = None
    done: Amount[One] | None = None
    total: Amount[One] | None = None
    elapsed: Amount[Second] | None = None


@event
class GraphCaptureEnded(Event):
    """Graph capture ended on this rank."""

    elapsed: Amount[Second] | None = None
    used: Amount[Byte] | None = None
    free: Amount[Byte] | None = None
    graph: str = ""


@event
class CapacityPrinted(Event):
    """The `max_total_num_tokens=` line: what one rank's pool holds and the caps that follow."""

    tokens: Amount[Token] | None = None
    chunked_prefill: Amount[Token] | None = None
    max_prefill: Amount[Token] | None = None
    max_running: Amount[One] | None = None
    context: Amount[Token] | None = None
    free: Amount[Byte] | None = None


@event
class HostPoolAnnounced(Event):
    """A rank announces a HiCache host pool (after its own guard passed, before the memory is touched)."""

    size: Amount[Byte] | None = None
    tokens: Amount[Token] | None = None
    pool: str = ""


@event
class HostPoolSized(Event):
    """HiCache's own sizing (0.5.21 on): headroom of host and cgroup, or the ratio it settled on."""

    host: Amount[Byte] | None = None
    cgroup: Amount[Byte] | None = None
    per_rank: Amount[Byte] | None = None
    ranks: Amount[One] | None = None


@event
class HostPoolSmall(Event):
    """The host pool is smaller than the device pool: a warning where the release allows it."""

    host_tokens: Amount[Token] | None = None
    device_tokens: Amount[Token] | None = None


@event
class HostPoolRegistered(Event):
    """A line that can only follow a completed host pool (prefetch threads, storage backend attached)."""


@event
class KernelCompile(Event):
    """Kernels are compiled at run time. `what` is the compiler (DeepGEMM, Triton, flashinfer, inductor, aiter)."""

    what: str = ""
    elapsed: Amount[Second] | None = None
    done: Amount[One] | None = None
    total: Amount[One] | None = None


@event
class HttpStarted(Event):
    """uvicorn's own start-up lines."""


@event
class WarmupBegun(Event):
    """The server sends itself a first request, or polls for it."""


@event
class WarmupEnded(Event):
    """The server's own first request was answered."""


@event
class ServerReady(Event):
    """`The server is fired up and ready to roll!`: requests are answered from here on."""


@event
class ProgressLine(Event):
    """A line that shows that the process is alive and in `phase`, without a figure of its own."""

    phase: str = ""
