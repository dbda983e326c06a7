"""The words of a report: outcomes, phases, findings and their kinds, roles, statuses, each with its sentence."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

# What a report says of an input whose reading somebody ended.
INTERRUPTED = "interrupted: what follows was not read"


class Outcome(StrEnum):
    """What became of a launch."""

    READY = "ready"
    LAUNCHING = "launching"
    LAUNCH_SLOW = "launch-slow"
    LAUNCH_HUNG = "launch-hung"
    LAUNCH_FAILED = "launch-failed"
    DEGRADED = "degraded"
    SERVING_HUNG = "serving-hung"
    ZOMBIE = "zombie"
    CRASHED = "crashed"
    KILLED = "killed"
    STOPPED = "stopped"
    UNKNOWN = "unknown"

    @property
    def sentence(self) -> str:
        """What the word says of a server, for people."""
        return _OUTCOMES[self]

    @property
    def fine(self) -> bool:
        """Whether nothing is wrong."""
        return self in {Outcome.READY, Outcome.STOPPED, Outcome.LAUNCHING}


_OUTCOMES = {
    Outcome.READY: "reached ready; nothing wrong seen",
    Outcome.LAUNCHING: "was still launching at a usual pace when the input ends",
    Outcome.LAUNCH_SLOW: "was launching slowly, but advancing",
    Outcome.LAUNCH_HUNG: "hung before it was ready",
    Outcome.LAUNCH_FAILED: "failed before it was ready",
    Outcome.DEGRADED: "was serving with harm shown",
    Outcome.SERVING_HUNG: "was ready, then stopped making progress",
    Outcome.ZOMBIE: "left a live parent over dead workers",
    Outcome.CRASHED: "crashed after it was ready",
    Outcome.KILLED: "was killed by a signal",
    Outcome.STOPPED: "was asked to stop and ended without an error of its own",
    Outcome.UNKNOWN: "cannot be told from what is there",
}


class Phase(StrEnum):
    """What a process is doing, in the usual order."""

    ARGUMENTS = "arguments"
    MODEL_DOWNLOAD = "model-download"
    DISTRIBUTED_INIT = "distributed-init"
    WEIGHT_LOAD = "weight-load"
    KV_POOL = "kv-pool"
    GRAPH_CAPTURE = "graph-capture"
    HOST_POOL = "host-pool"
    WARM_UP = "warm-up"
    SERVING = "serving"
    SHUTDOWN = "shutdown"

    @property
    def sentence(self) -> str:
        """What happens in the phase."""
        return _PHASES[self]


_PHASES = {
    Phase.ARGUMENTS: "parses the arguments and starts the processes",
    Phase.MODEL_DOWNLOAD: "fetches the model from a hub",
    Phase.DISTRIBUTED_INIT: "joins the ranks: rendezvous, gloo, NCCL",
    Phase.WEIGHT_LOAD: "loads the weight shards onto the GPU",
    Phase.KV_POOL: "sizes and allocates the KV pool on the GPU",
    Phase.GRAPH_CAPTURE: "captures the CUDA graphs",
    Phase.HOST_POOL: "allocates and pins the HiCache host pool",
    Phase.WARM_UP: "starts the HTTP server and answers a first request of its own",
    Phase.SERVING: "answers requests",
    Phase.SHUTDOWN: "drains requests and ends its processes",
}


class Kind(StrEnum):
    """How far a finding explains."""

    CAUSE = "cause"
    MANIFESTATION = "manifestation"
    LIMIT = "limit"
    RISK = "risk"


class Role(StrEnum):
    """The part that a finding plays in one incident."""

    ROOT = "root"
    CONTRIBUTING = "contributing"
    SYMPTOM = "symptom"
    COLLATERAL = "collateral"
    BYSTANDER = "bystander"


class Status(StrEnum):
    """How strongly the input supports a claim."""

    ESTABLISHED = "established"
    SUPPORTED = "supported"
    HYPOTHESIS = "hypothesis"
    UNKNOWN = "unknown"

    @property
    def strength(self) -> int:
        """3 for established down to 0 for unknown."""
        return 3 - list(Status).index(self)


def weakest(statuses: list[Status]) -> Status:
    """The status that a conclusion from all of these has."""
    return min(statuses, key=lambda s: s.strength, default=Status.UNKNOWN)


class Part(StrEnum):
    """What a claim about a resource says; `end` may stay unknown without weakening the finding."""

    DEMAND = "demand"
    LIMIT = "limit"
    EFFECT = "effect"
    LINK = "link"
    END = "end"


class Owner(StrEnum):
    """Who can do something about a finding."""

    CONFIGURATION = "configuration"
    WORKLOAD = "workload"
    HOST = "host"
    HARDWARE = "hardware"
    NETWORK = "network"
    STORAGE = "storage"
    SGLANG = "sglang"
    DEPENDENCY = "dependency"
    OPERATOR = "operator"


class Kinds(NamedTuple):
    """One line of the catalogue of findings."""

    kind: Kind
    family: str
    owner: Owner
    sentence: str


_C, _M, _L, _R = Kind.CAUSE, Kind.MANIFESTATION, Kind.LIMIT, Kind.RISK
_HOST, _GPU, _POOL, _TIME, _CRASH = "host memory", "GPU memory", "KV pool", "time", "crash"

# long: the catalogue, one line per finding
FINDINGS: dict[str, Kinds] = {
    "per-rank-host-memory-oversubscription": Kinds(
        _C, _HOST, Owner.CONFIGURATION, "all local ranks together ask for more host memory than there is"
    ),
    "hicache-refused": Kinds(_M, _HOST, Owner.CONFIGURATION, "SGLang's guard refused the HiCache host pool"),
    "hicache-falsely-refused": Kinds(
        _C, _HOST, Owner.HOST, "the guard refused the HiCache host pool although the sum fits"
    ),
    "hicache-pool-too-small": Kinds(
        _C, _HOST, Owner.CONFIGURATION, "the HiCache host pool is not larger than the device pool"
    ),
    "host-oom-kill": Kinds(_C, _HOST, Owner.HOST, "the kernel or cgroup OOM killer killed a server process"),
    "host-memory-exhausted": Kinds(_M, _HOST, Owner.HOST, "host or cgroup memory is used up"),
    "numa-memory-exhausted": Kinds(_C, _HOST, Owner.HOST, "a NUMA node is full while the host is not"),
    "host-memory-leak": Kinds(_C, _HOST, Owner.SGLANG, "resident memory grows steadily"),
    "host-pin-failure": Kinds(_C, _HOST, Owner.HOST, "pinning host memory failed"),
    "shm-too-small": Kinds(_C, _HOST, Owner.CONFIGURATION, "/dev/shm is too small"),
    "process-limit-reached": Kinds(
        _C, _HOST, Owner.HOST, "a limit on open files, processes, threads or mappings was reached"
    ),
    "weights-exceed-gpu-memory": Kinds(_C, _GPU, Owner.CONFIGURATION, "the weights do not fit the GPU"),
    "kv-pool-no-room": Kinds(_C, _GPU, Owner.CONFIGURATION, "nothing is left for the KV pool after the weights"),
    "graph-capture-oom": Kinds(_C, _GPU, Owner.CONFIGURATION, "the GPU ran out of memory during CUDA graph capture"),
    "serving-gpu-oom": Kinds(_C, _GPU, Owner.CONFIGURATION, "the GPU ran out of memory while serving"),
    "gpu-memory-leak": Kinds(_C, _GPU, Owner.SGLANG, "GPU memory outside the pools grows steadily"),
    "gpu-memory-held-by-others": Kinds(_C, _GPU, Owner.OPERATOR, "another owner's process holds GPU memory"),
    "gpu-memory-unbalanced": Kinds(_C, _GPU, Owner.HARDWARE, "the ranks' GPUs have unequal free memory"),
    "thin-gpu-headroom": Kinds(_R, _GPU, Owner.CONFIGURATION, "little GPU memory is left beside the pools"),
    "kv-cache-saturated": Kinds(_L, _POOL, Owner.WORKLOAD, "admission is bound by the KV pool"),
    "kv-retraction-storm": Kinds(_C, _POOL, Owner.WORKLOAD, "running requests are retracted again and again"),
    "kv-pool-smaller-than-context": Kinds(
        _L, _POOL, Owner.CONFIGURATION, "the KV pool holds less than one request of full context"
    ),
    "kv-pool-leak": Kinds(_C, _POOL, Owner.SGLANG, "the KV pool's accounting does not add up"),
    "kv-allocation-failure": Kinds(_C, _POOL, Owner.SGLANG, "an allocation inside the KV pool failed"),
    "running-requests-capped": Kinds(
        _L, _POOL, Owner.CONFIGURATION, "admission is bound by the cap on running requests"
    ),
    "host-cpu-bound": Kinds(_L, _POOL, Owner.HOST, "a process on the host bounds serving"),
    "gpu-throttled": Kinds(_C, _POOL, Owner.HARDWARE, "one or more GPUs run below their clocks"),
    "launch-stalled": Kinds(_M, _TIME, Owner.SGLANG, "no progress in a launch phase, cause not established"),
    "slow-weight-load": Kinds(_C, _TIME, Owner.STORAGE, "the weights load slowly"),
    "slow-kernel-compile": Kinds(_C, _TIME, Owner.SGLANG, "kernels are compiled at run time"),
    "rank-straggler": Kinds(_C, _TIME, Owner.HOST, "one rank holds the others at a barrier"),
    "ranks-out-of-step": Kinds(_C, _TIME, Owner.SGLANG, "ranks wait in different collectives"),
    "dependency-unreachable": Kinds(_C, _TIME, Owner.DEPENDENCY, "a service that the server needs does not answer"),
    "nodes-disagree": Kinds(_C, _TIME, Owner.CONFIGURATION, "the nodes were started with arguments that disagree"),
    "distributed-init-stalled": Kinds(_M, _TIME, Owner.NETWORK, "the ranks do not find each other"),
    "collective-timeout": Kinds(_M, _TIME, Owner.NETWORK, "a collective timed out"),
    "expert-parallel-communication-failed": Kinds(
        _C, _TIME, Owner.NETWORK, "expert-parallel communication (DeepEP, NVSHMEM) failed"
    ),
    "scheduler-stalled": Kinds(_M, _TIME, Owner.SGLANG, "the scheduler makes no forward progress"),
    "warmup-failed": Kinds(_M, _TIME, Owner.SGLANG, "the server's own first request failed"),
    "zombie-server": Kinds(_M, _TIME, Owner.SGLANG, "a live parent stands over dead workers"),
    "probe-killed": Kinds(_C, _TIME, Owner.OPERATOR, "an orchestrator's probe ended the server"),
    "job-limit-reached": Kinds(_C, _TIME, Owner.OPERATOR, "a time limit, preemption or eviction ended the job"),
    "killed-by-unknown-sender": Kinds(_M, _TIME, Owner.HOST, "SIGKILL without a record of its sender"),
    "stopped-on-request": Kinds(_M, _TIME, Owner.OPERATOR, "asked to stop from outside"),
    "illegal-memory-access": Kinds(_C, _CRASH, Owner.SGLANG, "a kernel accessed memory illegally"),
    "gpu-fault": Kinds(
        _C, _CRASH, Owner.DEPENDENCY, "the device reported a fault that software or hardware may have caused"
    ),
    "gpu-hardware-error": Kinds(_C, _CRASH, Owner.HARDWARE, "the device reported a hardware fault"),
    "unsupported-gpu-architecture": Kinds(_C, _CRASH, Owner.DEPENDENCY, "no kernel was built for this GPU"),
    "graph-capture-failed": Kinds(_M, _CRASH, Owner.SGLANG, "CUDA graph capture failed, not for memory"),
    "kernel-compile-failed": Kinds(_C, _CRASH, Owner.DEPENDENCY, "a kernel could not be compiled"),
    "package-mismatch": Kinds(_C, _CRASH, Owner.DEPENDENCY, "installed packages do not fit together"),
    "model-download-failed": Kinds(_C, _CRASH, Owner.DEPENDENCY, "the model could not be fetched"),
    "model-not-supported": Kinds(_C, _CRASH, Owner.SGLANG, "this release does not know the model"),
    "checkpoint-unreadable": Kinds(_C, _CRASH, Owner.STORAGE, "weights are missing, corrupt or truncated"),
    "disk-full": Kinds(_C, _CRASH, Owner.STORAGE, "a file system is full"),
    "port-in-use": Kinds(_C, _CRASH, Owner.OPERATOR, "a port is taken"),
    "leftover-processes": Kinds(_C, _CRASH, Owner.OPERATOR, "processes of an earlier launch are still there"),
    "invalid-arguments": Kinds(_C, _CRASH, Owner.CONFIGURATION, "the server refused its configuration"),
    "pd-transfer-failed": Kinds(_M, _CRASH, Owner.NETWORK, "KV transfer between prefill and decode failed"),
    "pd-peers-mismatched": Kinds(_C, _CRASH, Owner.CONFIGURATION, "prefill and decode do not match"),
    "pd-memory-registration-failed": Kinds(_C, _CRASH, Owner.NETWORK, "memory could not be registered for KV transfer"),
    "detokenizer-crashed": Kinds(_C, _CRASH, Owner.SGLANG, "the detokenizer crashed"),
    "scheduler-crashed": Kinds(_M, _CRASH, Owner.SGLANG, "a first exception, nothing more specific"),
}
