"""A port the server needs is taken.

What it is. Another process, often an earlier launch of the same server, listens on the HTTP port or on one of the
ports that SGLang chooses itself: for its processes' ZMQ sockets, the rendezvous of the ranks, a bootstrap or metrics
server.

How it shows. `[Errno 98] … address already in use` after the whole load (the HTTP port is bound last, and the parent
may live on over ranks that wait), or `ZMQError: Address already in use (addr='tcp://127.0.0.1:30235')` of a rank
early on.

What it is mistaken for. A crash after a successful load. `Received sigquit` and exit code -9 follow from it. Lines
that say that the server waits for a port or takes the next one are no failure.

What confirms and refutes it. `ss -ltnp` names the holder of the port; `ps` its age and parent.

How it is fixed. Stop the holder if it is a leftover; else another --port, far enough away that the ports derived from
it stay apart (some hundreds), and another --nccl-port or --dist-init-addr where those collide.

Since and until which release. Any; from 0.4.9 on some ports are waited for before the load.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer import units
from analyzer.ledgers.launch_command import with_argument
from analyzer.ledgers.leftovers import server_at
from analyzer.ledgers.spoken import AFTER_A_CRASH, by_its_lines, from_lines
from analyzer.rule import rule
from analyzer.verdict import Claim, Confirm, Remedy
from analyzer.vocabulary import Part, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.incident import Incident
    from analyzer.launches import Timed
    from analyzer.verdict import Found, Verdict

_TOPIC = "port-in-use"
_CONFIRM = (
    Confirm("ss -ltnp", "which process holds the port"),
    Confirm("ps -eo pid,ppid,lstart,args | grep sglang", "whether the holder is an earlier launch"),
)
_APART = 1000  # SGLang derives its other ports from --port by adding up to some hundreds


@rule(_TOPIC, explains=(*AFTER_A_CRASH, "detokenizer-crashed"))
def taken(incident: Incident) -> Iterator[Verdict]:
    """The bind error that ended the launch, with the holder of the port where a listing shows it."""
    yield from by_its_lines(incident, _TOPIC, _found)


def _found(incident: Incident, lines: list[Timed[ev.Failure]]) -> Found:
    port = next((p for t in lines if (p := _port(t.event)) is not None), None)
    holder = _holder(incident, port)
    found = from_lines(lines, remedy=_remedies(incident, port, holder), confirm=_CONFIRM)
    named = f"port {port}" if port is not None else "a port that the server needs"
    whose = _whose(incident, port)
    if holder is None:
        return replace(found, summary=f"{named}{whose} is taken")
    text = f"{named} is held by pid {holder.event.pid} ({_called(incident, holder)})"
    claim = Claim(Part.LIMIT, text, Status.ESTABLISHED, (holder.ref,))
    return replace(
        found,
        summary=f"{named}{whose} is taken: pid {holder.event.pid} holds it ({_called(incident, holder)})",
        claims=(*found.claims, claim),
        numbers=_age(incident, holder),
        lines=(*found.lines, holder.ref),
    )


def _port(event: ev.Failure) -> int | None:
    """The number at the end of an address, or alone."""
    digits = event.detail.rpartition(":")[2]
    return int(digits) if digits.isdigit() else None


def _whose(incident: Incident, port: int | None) -> str:
    """What the port is for, where the arguments tell."""
    asked = incident.arguments.count("port", 30000)
    if port is None or asked is None:
        return ""
    if port == asked:
        return " (--port)"
    rendezvous = str(incident.arguments.get("dist_init_addr") or "").rpartition(":")[2]
    if rendezvous == str(port):
        return " (--dist-init-addr)"
    if incident.arguments.count("nccl_port") == port:
        return " (--nccl-port)"
    return f" (one that SGLang derives from --port {asked})" if 0 < port - asked <= _APART else ""


def _holder(incident: Incident, port: int | None) -> Timed[ev.PortListening] | None:
    return next((t for t in incident.of(ev.PortListening) if t.event.port == port and t.event.pid is not None), None)


def _called(incident: Incident, holder: Timed[ev.PortListening]) -> str:
    server = server_at(incident, holder.event.pid)
    if server is None:
        return holder.event.command or "its name is not listed"
    return f"an SGLang server that was started earlier: {server.event.command[:80]}"


def _age(incident: Incident, holder: Timed[ev.PortListening]) -> tuple[units.Amount[units.Second], ...]:
    server = server_at(incident, holder.event.pid)
    if server is None or server.event.elapsed is None:
        return ()
    return (server.event.elapsed.called("age of the process that holds it"),)


def _remedies(incident: Incident, port: int | None, holder: Timed[ev.PortListening] | None) -> tuple[Remedy, ...]:
    pid = f" (pid {holder.event.pid})" if holder is not None else ""
    asked = incident.arguments.count("port", 30000) or 30000
    free = next(
        p for p in range(asked + _APART, asked + 20 * _APART, _APART) if p != port and not _listens(incident, p)
    )
    return (
        Remedy("mitigate", f"stop the process that holds the port{pid} with its children, if it is a leftover"),
        Remedy(
            "fix",
            f"start on another port, e.g. --port {free}: far enough for the ports derived from it",
            argument="port",
            before=str(asked),
            after=str(free),
            command_line=with_argument(incident, "port", str(free)),
        ),
    )


def _listens(incident: Incident, port: int) -> bool:
    return any(t.event.port == port for t in incident.of(ev.PortListening))
