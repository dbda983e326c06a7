"""The ranks do not find each other: rendezvous, gloo or NCCL initialisation hangs or fails.

What it is. Before anything is loaded every rank joins the others, over a store at --dist-init-addr, then gloo, then
NCCL. One that is missing, sent elsewhere, or behind a network that does not carry it holds or ends all of them.

How it shows. `Init torch distributed begin.` and then nothing; `Timed out after 601 seconds waiting for clients. 8/16
clients joined.`; `The client socket has timed out … while trying to connect to (address, port)`; `wait timeout after
1800000ms, keys: …`; `Gloo connectFullMesh failed with … no error` (the words are an errno's, not a success); `NCCL
error: unhandled system error`.

What it is mistaken for. A slow load, a lack of memory. The side that prints the time-out is the one that waited.

What confirms and refutes it. Whether every node started, with the same address and its own node rank
(`nodes-disagree`); `nc -vz HOST PORT` between them; the interfaces (`ip addr`); NCCL_DEBUG=INFO.

How it is fixed. The missing node; the right interface (GLOO_SOCKET_IFNAME, NCCL_SOCKET_IFNAME); a larger /dev/shm.

Since and until which release. Any; how long is waited is --dist-timeout and torch's own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer import units
from analyzer.ledgers import endings, topology
from analyzer.ledgers.durations import between, patience
from analyzer.ledgers.spoken import decisive, figures, in_time
from analyzer.rule import rule
from analyzer.verdict import Claim, Confirm, Found, Remedy
from analyzer.vocabulary import Part, Phase, Status

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from analyzer.incident import Incident
    from analyzer.launches import Timed
    from analyzer.units import Amount
    from analyzer.verdict import Verdict

_TOPIC = "distributed-init-stalled"
_EXPLAINS = ("scheduler-crashed", "launch-stalled", "collective-timeout", "warmup-failed")
_OF_NCCL = Remedy("fix", "start with NCCL_DEBUG=INFO where the error is NCCL's or RCCL's: its own WARN line tells why")
_OF_HCCL = Remedy(
    "fix",
    "read HCCL's own log (~/ascend/log/debug/plog): its table of links names the peer; HCCL_CONNECT_TIMEOUT, 120 s "
    "where it is not set, only gives a slow one more time",
)
_VIRTUAL = ("docker", "br-", "veth", "virbr", "cni", "flannel", "cali", "lo")


@rule(_TOPIC, explains=_EXPLAINS)
def stalled(incident: Incident) -> Iterator[Verdict]:
    """An error of the rendezvous that ended it; else silence in that phase."""
    if endings.past_launch(incident):
        return
    lines = in_time(decisive(incident, _TOPIC))
    if lines:
        yield _found(incident, lines)
    elif _joining(incident) and endings.own_error(incident) is None:
        yield from _silent(incident)


def _joining(incident: Incident) -> bool:
    """Whether the slowest rank still looks for the others."""
    spans = [p.current for p in incident.timeline.schedulers if p.current is not None]
    slowest = incident.timeline.phase() is Phase.DISTRIBUTED_INIT
    return slowest and any(s.phase is Phase.DISTRIBUTED_INIT and s.state == "open" for s in spans)


def _found(incident: Incident, lines: list[Timed[ev.Failure]]) -> Found:
    spoken = [t for t in lines if t.rank.label()] or lines
    first, who = spoken[0].event, {t.process for t in spoken}
    numbers = next((f for t in lines if (f := figures(t.event))), ())
    counted = units.counted(len(who), tuple(t.ref for t in spoken), "processes").called("processes reporting it")
    return Found(
        summary=f"the ranks could not be joined: {first.text[:160]} ({units.many(len(who), 'process')})"
        + _missing(incident),
        claims=(
            Claim(Part.EFFECT, first.text[:200], _status(incident, lines), tuple(t.ref for t in lines[:8])),
            *_interfaces(incident),
        ),
        explanation="Who prints this waited or was refused; the cause is the peer, the address or the network between.",
        numbers=(*numbers, counted, *_duration(incident, lines[0])),
        lines=(*(t.ref for t in lines), *(t.ref for t in incident.of(ev.Failure) if t.event.victim)),
        remedy=_remedies(incident),
        confirm=_confirm(incident),
        at=lines[0].at,
        not_known=("why the ranks could not be joined",),
    )


def _status(incident: Incident, lines: list[Timed[ev.Failure]]) -> Status:
    """Attempts that are repeated show no more than that a peer had not answered yet."""
    trying = all(endings.retried(t.event) for t in lines) and endings.own_error(incident) is None
    waited = (incident.timeline.silence or 0.0) >= patience(incident, Phase.DISTRIBUTED_INIT).number()
    return Status.HYPOTHESIS if trying and not waited else Status.SUPPORTED


def _missing(incident: Incident) -> str:
    away = topology.missing_nodes(incident)
    return f"; the log of node {', '.join(map(str, away))} is not here" if away else ""


def _duration(incident: Incident, item: Timed[ev.Failure]) -> tuple[Amount[Any], ...]:
    begun = incident.first(ev.DistributedInitBegun)
    if begun is None or begun.at is None or item.at is None:
        return ()
    return (between((begun.at, begun.ref), (item.at, item.ref), "from its beginning to the error"),)


def _interfaces(incident: Incident) -> tuple[Claim, ...]:
    """A virtual interface beside the real one: gloo may have taken the wrong one."""
    facts = [t for t in incident.of(ev.Fact) if t.event.name.startswith("interface ")]
    virtual = [t for t in facts if t.event.name.removeprefix("interface ").startswith(_VIRTUAL[:-1])]
    if not virtual:
        return ()
    names = ", ".join(sorted({t.event.name.removeprefix("interface ") for t in virtual}))
    text = f"{names} stands beside the real interface: without GLOO_SOCKET_IFNAME a rank may bind to it"
    return (Claim(Part.END, text, Status.HYPOTHESIS, tuple(t.ref for t in virtual[:4])),)


def _remedies(incident: Incident) -> tuple[Remedy, ...]:
    facts = [
        t.event.name.removeprefix("interface ") for t in incident.of(ev.Fact) if t.event.name.startswith("interface ")
    ]
    real = sorted({n for n in facts if not n.startswith(_VIRTUAL)})
    name = real[0] if len(real) == 1 else "IFNAME"
    ascend = any("HCCL" in t.event.text.upper() or t.event.detail.startswith("EI") for t in incident.failures(_TOPIC))
    library = "HCCL" if ascend else "NCCL"
    pin = Remedy("fix", f"pin the interface on every node: GLOO_SOCKET_IFNAME={name} {library}_SOCKET_IFNAME={name}")
    tell = _OF_HCCL if ascend else _OF_NCCL
    if topology.nodes(incident) > 1:
        return (
            Remedy("fix", "start all ranks and nodes within the time-out, each with its own --node-rank"),
            pin,
            tell,
        )
    return (tell, pin)


def _confirm(incident: Incident) -> tuple[Confirm, ...]:
    address = str(incident.arguments.get("dist_init_addr") or "")
    host, _, port = address.rpartition(":")
    several = topology.nodes(incident) > 1 or bool(address)
    answers = Confirm(
        f"nc -vz {host or 'HOST'} {port or 'PORT'}", "whether the address answers from every node", "node"
    )
    return (
        *((answers,) if several else ()),
        Confirm("ip -br addr; df -h /dev/shm; ulimit -l", "interfaces, shared memory, locked memory", where="node"),
    )


def _silent(incident: Incident) -> Iterator[Verdict]:
    last, clock = incident.timeline.progress, incident.timeline.clock
    quiet = incident.timeline.silence
    if last is None or clock is None or last.ref is None or quiet is None:
        return
    if quiet < patience(incident, Phase.DISTRIBUTED_INIT).number():
        return
    waited = between((last.at, last.ref), (clock.at, clock.ref or last.ref), "time without progress")
    yield Found(
        summary=f"the ranks have been waiting for each other for {units.shown(waited)}{_missing(incident)}",
        claims=(
            Claim(Part.EFFECT, "no line after the ranks began to look for each other", Status.SUPPORTED, (last.ref,)),
        ),
        numbers=(waited,),
        lines=(last.ref,),
        remedy=_remedies(incident),
        confirm=_confirm(incident),
        at=last.at,
        not_known=("which rank is missing",),
    )
