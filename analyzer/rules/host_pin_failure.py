"""Host memory could not be pinned for the GPUs.

What it is. HiCache's host pool, CPU offload and KV transfer need memory that the driver has registered
(cudaHostRegister, cudaHostAlloc, mlock). The driver or the kernel refuses: a limit on locked memory, an IOMMU or a
driver limit on one registration, no memory left.

How it shows. `cudaHostRegister failed (rc=1, invalid argument) … size=…` after `Allocating … host memory`; `Cannot
allocate memory` from mlock or ibv_reg_mr; `CUDA error: out of memory` or `invalid argument` from a pinned allocation.
From 0.5.14 on the return code is checked; before that the pool stayed unpinned without a word, slow, and with stale
data at worst.

What it is mistaken for. A refusal of SGLang's own guard (that one compares with what is available), a GPU without
memory, a build without CUDA.

What confirms and refutes it. `ulimit -l` in the container, the size of one registration against what the driver
takes, and the sum over all ranks against the host's memory.

How it is fixed. A smaller pool per rank (--hicache-size or --hicache-ratio), --ulimit memlock=-1 for the container,
SGLANG_HICACHE_HOST_REGISTER_CHUNK_GB (from 0.5.19) for a limit on one registration.

Since and until which release. Any with HiCache; checked from 0.5.14 on.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from analyzer import events as ev
from analyzer import knowledge, units
from analyzer.ledgers.gpu_shortage import shortages
from analyzer.ledgers.host_memory import host_memory
from analyzer.ledgers.host_sizes import sizes
from analyzer.ledgers.launch_command import with_argument
from analyzer.ledgers.spoken import AFTER_A_CRASH, decisive, from_lines, in_time, survived
from analyzer.rule import rule
from analyzer.verdict import Claim, Confirm, Found, Remedy, Unknown
from analyzer.vocabulary import Part, Phase, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.incident import Host, Incident
    from analyzer.launches import Timed
    from analyzer.ledgers.host_memory import HostLedger
    from analyzer.units import Amount
    from analyzer.verdict import Verdict

_TOPIC = "host-pin-failure"
_CONFIRM = (
    Confirm("ulimit -l; cat /proc/1/limits | grep 'locked memory'", "the limit on locked memory", where="container"),
    Confirm("free -b; dmesg -T | tail -30", "what was left, and whether the kernel or an IOMMU complains"),
)
_WARNING = "warning"
_REFUSED, _POOL = "CUDA error: invalid argument", ":init_kv_buffer"
_CHUNKED = "0.5.19"
_VERBS = "ibv_"  # how the calls of the RDMA library begin


@rule(_TOPIC, explains=AFTER_A_CRASH)
def failed(incident: Incident) -> Iterator[Verdict]:
    """The registration that failed, with the sum of all ranks beside it."""
    lines = in_time(decisive(incident, _TOPIC))
    errors = [t for t in lines if _WARNING not in t.event.text.lower()]
    lacking = (s for s in shortages(incident, Phase.HOST_POOL) if s.traced and s.item.event.total is None)
    unnamed = [*(s.item for s in lacking), *_not_pinned(incident)]
    verbs = [t for t in lines if t.event.detail.startswith(_VERBS)]
    if verbs:
        yield _by_verbs(incident, verbs)
    elif errors:
        yield _found(incident, errors)
    elif unnamed:
        yield _by_frames(incident, unnamed)
    elif lines:
        yield Unknown("a library warns about locked memory; the limit would tell whether it mattered", _CONFIRM[:1])
    else:
        yield from survived(incident, _TOPIC)


def _found(incident: Incident, lines: list[Timed[ev.Failure]]) -> Found:
    wanted = next((t.event.wanted for t in lines if t.event.wanted is not None), None)
    block = wanted.called("one registration") if wanted is not None else None
    host = next((h for h in incident.hosts if h.node == lines[0].node), None)
    ledger = host_memory(incident, host) if host is not None else None
    found = from_lines(lines, remedy=_remedies(incident, ledger), confirm=_CONFIRM)
    sized = f" ({units.both(block)})" if block is not None else ""
    said = lines[0].event.detail or "the driver refused it"
    return replace(
        found,
        summary=f"a rank's host memory{sized} could not be pinned: {said}",
        claims=(*found.claims, *_sum(host, ledger), *_locked(incident)),
        numbers=_numbers(block, host, ledger),
        sum=_product(host, ledger),
        explanation=_explained(incident),
    )


def _by_verbs(incident: Incident, lines: list[Timed[ev.Failure]]) -> Found:
    """NCCL's buffers, which a network card reads and the kernel therefore locks: small, and not HiCache's."""
    lift = "lift the limit on locked memory on every node: docker --ulimit memlock=-1:-1, LimitMEMLOCK=infinity"
    found = from_lines(lines, remedy=(Remedy("fix", lift),), confirm=_CONFIRM, status=Status.SUPPORTED)
    return replace(
        found,
        summary=f"NCCL could not lock memory for the network card: {lines[0].event.detail} had no memory to lock",
        claims=(*found.claims, *_locked(incident)),
    )


def _not_pinned(incident: Incident) -> list[Timed[ev.ExceptionRaised]]:
    """CUDA's bare `invalid argument` from the host pool's `torch.empty(…, pin_memory=True)`."""
    return [
        t
        for t in incident.of(ev.ExceptionRaised)
        if _REFUSED in t.event.message and t.event.frames and t.event.frames[-1].endswith(_POOL) and not t.event.handled
    ]


def _by_frames(incident: Incident, lacking: list[Timed[Any]]) -> Found:
    """A bare error of CUDA's from the code that allocates the host pool: what it pins there is no GPU's."""
    host = next((h for h in incident.hosts if h.node == lacking[0].node), None)
    ledger = host_memory(incident, host) if host is not None else None
    lines = tuple(t.ref for t in lacking)
    where = "the error comes from the code that allocates the host pool, and names no GPU"
    return Found(
        summary=f"a rank's host memory could not be pinned: {lacking[0].event.text[:120]}",
        claims=(
            Claim(Part.EFFECT, lacking[0].event.text[:200], Status.ESTABLISHED, lines[:8]),
            Claim(Part.LINK, where, Status.SUPPORTED, lines[:1]),
            *_sum(host, ledger),
            *_locked(incident),
        ),
        numbers=_numbers(None, host, ledger),
        lines=lines,
        remedy=_remedies(incident, ledger),
        confirm=_CONFIRM,
        at=lacking[0].at,
        sum=_product(host, ledger),
        explanation=_explained(incident),
    )


def _sum(host: Host | None, ledger: HostLedger | None) -> tuple[Claim, ...]:
    """That all ranks together do not fit either, where that is known: a second reason for a smaller pool."""
    if host is None or ledger is None or ledger.asked is None or host.limit is None:
        return ()
    if not host.limit.surely_below(ledger.asked):
        return ()
    text = f"all ranks ask for {units.both(ledger.asked)}, the host has {units.shown(host.limit)}"
    return (Claim(Part.DEMAND, text, Status.ESTABLISHED, ledger.lines[:2]),)


def _product(host: Host | None, ledger: HostLedger | None) -> str | None:
    if ledger is None or ledger.asked is None or ledger.per_rank is None or ledger.ranks is None:
        return None
    limit = f" against {units.shown(host.limit)}" if host is not None and host.limit is not None else ""
    return f"{units.shown(ledger.ranks)} × {units.shown(ledger.per_rank)} = {units.both(ledger.asked)}{limit}"


def _locked(incident: Incident) -> tuple[Claim, ...]:
    limits = [
        t for t in incident.of(ev.Fact) if t.event.name == "ulimit.max-locked-memory" and t.event.amount is not None
    ]
    limits += [t for t in incident.of(ev.Fact) if t.event.name == "ulimit.locked-memory" and t.event.amount is not None]
    return tuple(
        Claim(Part.LIMIT, f"locked memory is limited: {t.event.value}", Status.SUPPORTED, (t.ref,)) for t in limits[:1]
    )


def _numbers(block: Amount[Any] | None, host: Host | None, ledger: HostLedger | None) -> tuple[Amount[Any], ...]:
    parts = [block, ledger.ranks if ledger is not None else None, ledger.asked if ledger is not None else None]
    parts += [host.limit.called("memory of the host")] if host is not None and host.limit is not None else []
    return tuple(part for part in parts if part is not None)


def _explained(incident: Incident) -> str:
    guard = knowledge.host_pool_guard(incident.launch.release)
    if guard is not None and guard.checks_registration is not None:
        return f"In this release {guard.sentences['checks_registration']}."
    return ""


def _remedies(incident: Incident, ledger: HostLedger | None) -> tuple[Remedy, ...]:
    chunk = " and SGLANG_HICACHE_HOST_REGISTER_CHUNK_GB=64" if incident.launch.release.certainly_from(_CHUNKED) else ""
    general = Remedy(
        "fix", f"lift the limit on locked memory (docker --ulimit memlock=-1){chunk}; or a smaller pool per rank"
    )
    made = sizes(incident, ledger) if ledger is not None else None
    if made is None or made.suggested is None:
        return (general,)
    value = f"{made.suggested.number() / 1e9:.0f}"
    smaller = Remedy(
        "mitigate",
        f"--hicache-size {value} or less per rank: what all ranks together leave room for",
        argument="hicache_size",
        after=value,
        command_line=with_argument(incident, "hicache_size", value),
        assumptions=made.assumptions,
        numbers=(made.suggested,),
    )
    limit, asked = ledger.host.limit if ledger is not None else None, ledger.asked if ledger is not None else None
    too_much = limit is not None and asked is not None and limit.surely_below(asked)
    return (replace(smaller, kind="fix"), general) if too_much else (general, smaller)
