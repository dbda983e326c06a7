"""The OOM killer of the kernel or of the container, or a daemon in its place, killed a process of the server.

What it is. The kernel ran out of memory it could reclaim (on the whole host, in the container's cgroup, or on the NUMA
nodes that a process is bound to) and killed a process, usually the one with the largest resident set. earlyoom and
systemd-oomd act before it: they end a process, or a whole unit, when little memory is free, when the pressure is high
or when swap is nearly used up.

How it shows. `Out of memory: Killed process N (sglang::schedul)` in the kernel log, `OOMKilling` in a node's events,
`oom_kill` in the cgroup's `memory.events`, `OOMKilled` in `docker inspect`, `crictl inspect` or of a pod; `sending
SIGTERM to process N` by earlyoom, `Killed /system.slice/sglang.service due to memory pressure` by systemd-oomd; in the
server's log a rank that ends with exit code -9, without an exception.

What it is mistaken for. SGLang kills its own process tree with SIGKILL after any child's exception, so `Killed` and
exit code -9 mean nothing alone. SGLang's hint about the OOM killer is printed for every exit code -9. A state or a
counter without a time may be of an earlier container: beside a log that ends with an error of its own it is a guess.
`Marked … for killing` and `sending SIGTERM` tell what a daemon is about to do: a dry run says the same.

What confirms and refutes it. The kernel log around the moment: pid and cgroup of the record must be the server's.

How it is fixed. Give the server less to hold on the host, or the container more; find what else holds memory: the
kernel kills by size and score, and the process that filled the memory may be another one. A daemon can be told to spare
the server (`ManagedOOMPreference=omit`, `earlyoom --avoid`); the kernel then acts later.

Since and until which release. Any.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from analyzer import events as ev
from analyzer import units
from analyzer.launches.ends import UNPLACED
from analyzer.ledgers.drains import met_in
from analyzer.ledgers.endings import ended_otherwise
from analyzer.ledgers.host_others import others
from analyzer.ledgers.kill_owner import SHOWING, UNSHOWN, link
from analyzer.ledgers.memory_kills import told_of
from analyzer.ledgers.processes import exit_codes, held_when_killed, own_oom_kills, unplaced_ends, victim
from analyzer.rule import rule
from analyzer.verdict import Claim, Cleared, Confirm, Found, Remedy, Unknown
from analyzer.vocabulary import Part, Phase, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.evidence import Ref
    from analyzer.incident import Incident
    from analyzer.launches import Timed
    from analyzer.ledgers.memory_kills import Kill
    from analyzer.units import Amount, Byte
    from analyzer.verdict import Verdict

_DMESG = Confirm("dmesg -T | grep -i oom", "which process the kernel killed, and for which limit")
_FEW = 3  # commands of one kind of question
_DECIDES = "which of them runs SGLang"
_WHICH = {  # by the kind of owner; what it shows has the image or the command
    "pod": "kubectl get pods -o 'custom-columns=NAME:.metadata.name,IMAGE:.spec.containers[*].image'",
    "container": "docker ps --no-trunc",
    "unit": "systemctl status {}",
    "job": "scontrol show job {}",
}
_LARGEST = Confirm("ps -eo pid,rss,args --sort=-rss | head -20", "what else holds memory on the host")
_SCOPES = {
    "host": "the whole host",
    "node": "the node",
    "cgroup": "the container's limit",
    "numa": "the NUMA nodes it is bound to",
}
_SHORT = {
    "free": "less memory was free than it keeps free",
    "pressure": "memory pressure was above what it allows",
    "swap": "memory and swap in use were above what it allows",
    "": "memory pressure or swap was above what it allows; which of them is not said",
}
_CHOOSES = {
    "": "The kernel kills by score, not by guilt",
    "earlyoom": "earlyoom kills by score or size, not by guilt",
    "systemd-oomd": "systemd-oomd chooses a whole control group, by what it reclaims under pressure or by its swap",
}
_SPARED = {
    "earlyoom": "let earlyoom act later (a smaller `-m`), or spare the server (`--avoid '^(sglang|python)'`)",
    "systemd-oomd": "let systemd-oomd spare the server: ManagedOOMPreference=omit in its unit, or "
    "ManagedOOMMemoryPressure=auto (for swap ManagedOOMSwap=auto) in the slice that is watched",
}


@rule(
    "host-oom-kill",
    explains=(
        "killed-by-unknown-sender",
        "host-memory-exhausted",
        "launch-stalled",
        "zombie-server",
        "scheduler-crashed",
        "collective-timeout",
        "scheduler-stalled",
    ),
)
def killed(incident: Incident) -> Iterator[Verdict]:
    """A kernel record of our own process; a container's state; a counter."""
    kills = own_oom_kills(incident)
    state = [t for t in exit_codes(incident) if t.event.oom]
    counted = [t for t in incident.of(ev.CgroupMemory) if t.event.oom_kills is not None and t.event.oom_kills.value > 0]
    denied = [t for t in incident.of(ev.ExitCode) if t.event.oom is False]
    if kills:
        yield _by_record(incident, kills)
    elif state or counted:
        yield _by_container(incident, state, counted)
    elif denied:
        yield Cleared("the container's state says that it was not ended for memory", tuple(t.ref for t in denied[:1]))
    elif unplaced_ends(incident):
        yield Unknown("which of the containers, units or jobs that the tools show is the server's", _which(incident))
    elif incident.of(ev.RankDead, ev.ExitCode, ev.KilledPrinted):
        yield Unknown("the kernel's log of the moment", (_DMESG,))


def _resident(event: ev.OomKill) -> Amount[Byte] | None:
    held = held_when_killed(event)
    return held.called("resident when killed") if held is not None else None


def _by_record(incident: Incident, records: list[Timed[ev.OomKill]]) -> Found:
    kills = told_of(records)
    first = kills[0].first
    event = first.event
    lines = tuple(t.ref for t in records)
    resident = _resident(event)
    larger = _larger(incident, first, resident)
    known = ((event.usage, "in use"), (event.limit, "limit"), (_memory(incident, first.node), "memory of the host"))
    numbers: list[Amount[Any]] = [a.called(n) for a, n in known if a is not None]
    numbers += [a for a in (resident, *(size for _, size, _ in larger)) if a is not None]
    numbers += _shards(incident)
    what, why = _short(kills[0])
    linked = link(incident, first)
    ours = f"it is a process of this server: {linked.why}{f'; but {linked.doubt}' if linked.doubt else ''}"
    status = Status.ESTABLISHED if linked.certain else Status.SUPPORTED
    return Found(
        summary=f"{what}{_when(incident, first)}"
        + (f"; it held {units.shown(resident)}" if resident else "")
        + (f", {larger[0][0]} {units.shown(larger[0][1])}" if larger else ""),
        claims=(
            Claim(Part.LIMIT, why, Status.ESTABLISHED, (first.ref,)),
            _told(kills, lines),
            Claim(Part.LINK, ours, status, (first.ref,)),
            *_another_end(incident, first),
        ),
        explanation=_explained(event, larger),
        numbers=tuple(numbers),
        lines=(*lines, *(ref for _, _, ref in larger)),
        remedy=_remedies(larger[0][0] if larger else "", event.killer),
        confirm=(*linked.confirm, _LARGEST),
        at=kills[0].records[0].at,
        explains=("stopped-on-request",) if event.killer == "earlyoom" else (),  # it asks by SIGTERM first
        sum=_sum(incident, first, resident, larger),
    )


def _told(kills: list[Kill], lines: tuple[Ref, ...]) -> Claim:
    """How many kills there were, and whether anything says that they were done."""
    often = f"{units.many(len(lines), 'kill record')}"
    often += f" of {units.many(len(kills), 'kill')}" if len(lines) > len(kills) else ""
    if kills[0].done:
        return Claim(Part.EFFECT, often, Status.ESTABLISHED, lines)
    return Claim(Part.EFFECT, f"{often}: what was to be done, not that it was", Status.SUPPORTED, lines)


def _short(kill: Kill) -> tuple[str, str]:
    """Who killed what, and what was short, by the record's own word."""
    event = kill.first.event
    if event.killer:
        why = f"{event.killer} says that {_SHORT.get(event.scope, 'memory was short')}"
        return f"{kill.text} for want of memory", why
    scope = _SCOPES.get(event.scope, event.scope)
    return f"the kernel killed {victim(event)} for want of memory on {scope}", f"memory ran out on {scope}"


def _another_end(incident: Incident, record: Timed[Any]) -> tuple[Claim, ...]:
    """What speaks against it: the log shows another end, and the record may be of another launch."""
    error = ended_otherwise(incident, record)
    if error is None:
        return ()
    text = f"the server's log ends otherwise, with an error of its own: {error.why[:160]}"
    return (Claim(Part.LINK, text, Status.HYPOTHESIS, (error.ref,)),)


def _sum(
    incident: Incident,
    kill: Timed[ev.OomKill],
    resident: Amount[Byte] | None,
    larger: list[tuple[str, Amount[Byte], Ref]],
) -> str | None:
    event, whole = kill.event, _memory(incident, kill.node)
    if event.limit is not None:
        used = f"{units.shown(event.usage)} in use of " if event.usage is not None else ""
        return f"{used}{units.shown(event.limit)} allowed"
    if resident is None:
        return None
    beside = f", {units.shown(larger[0][1])} in {larger[0][0]}" if larger else ""
    all_of = f", of {units.shown(whole)}" if whole is not None else ""
    return f"{units.shown(resident)} in the killed process{beside}{all_of}"


def _shards(incident: Incident) -> list[Amount[Any]]:
    """How far the weights were, where they were being loaded."""
    bars = incident.of(ev.ShardsProgress) if incident.timeline.phase() is Phase.WEIGHT_LOAD else []
    named = ((bars[-1].event.done, "shards loaded"), (bars[-1].event.total, "shards in all")) if bars else ()
    return [amount.called(name) for amount, name in named if amount is not None]


def _memory(incident: Incident, node: str) -> Amount[Byte] | None:
    return next((h.total for h in incident.hosts if h.node == node), None)


def _when(incident: Incident, record: Timed[Any]) -> str:
    phase = met_in(incident, record)
    return f", in {phase}" if phase is not None else ""


def _larger(
    incident: Incident, kill: Timed[ev.OomKill], resident: Amount[Byte] | None
) -> list[tuple[str, Amount[Byte], Ref]]:
    """The largest process that is not the server's, where it held more than the one that was killed."""
    host = next((h for h in incident.hosts if h.node == kill.node), None)
    if host is None or resident is None or kill.event.scope == "cgroup":
        return []
    rows: list[Timed[Any]] = [*others(incident, host)]
    rows += [t for t in incident.at_node(host, ev.OomVictim) if not t.event.command.startswith(("sglang", "python"))]
    sized = [t for t in rows if t.event.resident is not None and resident.surely_below(t.event.resident)]
    largest = max(sized, key=lambda t: t.event.resident.value, default=None)
    if largest is None:
        return []
    name = f"{' '.join(largest.event.command.split()[:2])[:60]} (pid {largest.event.pid})"
    return [(name, largest.event.resident.called("held by the largest other process"), largest.ref)]


def _explained(event: ev.OomKill, larger: list[tuple[str, Amount[Byte], Ref]]) -> str:
    chooses = _CHOOSES.get(event.killer, f"{event.killer} chose it")
    if not larger:
        return f"{chooses}." if event.killer == "systemd-oomd" else ""  # what filled the memory it does not say
    name, size, _ = larger[0]
    return f"{chooses}: {name} held {units.both(size)} and is not the server's."


def _by_container(incident: Incident, state: list[Timed[ev.ExitCode]], counted: list[Timed[ev.CgroupMemory]]) -> Found:
    items: list[Timed[ev.ExitCode] | Timed[ev.CgroupMemory]] = [*state, *counted]
    lines = tuple(t.ref for t in items)
    limited = [t for t in incident.of(ev.CgroupMemory) if t.event.limit is not None]
    limits = [t.event.limit.called("limit of the container") for t in limited if t.event.limit is not None]
    kills = [t.event.oom_kills.called("OOM kills counted") for t in counted if t.event.oom_kills is not None]
    codes = [t.event.code.called("exit code") for t in state if t.event.code is not None]
    said = "its state says so" if state else "the cgroup's counter says so"
    doubt = f"it is the server's container; but {UNSHOWN}"
    unshown = () if incident.launch.shown else (Claim(Part.LINK, doubt, Status.SUPPORTED, lines[:1]),)
    reached = f"the container's memory limit{f' of {units.shown(limits[0])}' if limits else ''} was reached"
    return Found(
        summary=f"the container's OOM killer ended a process of the server{_when(incident, items[0])}: {said}"
        + (f"; its limit is {units.shown(limits[0])}" if limits else ""),
        claims=(
            Claim(Part.LIMIT, reached, Status.ESTABLISHED, (*lines, *(t.ref for t in limited[:1]))),
            Claim(Part.EFFECT, said, Status.ESTABLISHED, lines),
            *unshown,
            *_another_end(incident, items[0]),
        ),
        numbers=(*limits[:1], *kills[:1], *codes[:1], *_shards(incident)),
        lines=lines,
        remedy=_remedies(""),
        confirm=(*(SHOWING if unshown else ()), _DMESG),
        at=items[0].at,
    )


def _which(incident: Incident) -> tuple[Confirm, ...]:
    """The commands that tell which of the owners runs SGLang, by what kinds of them there are."""
    owners = [t.event.name.removeprefix(UNPLACED).partition(" ") for t in unplaced_ends(incident)]
    asked = [
        command.format(shlex.quote(name))
        for kind, command in _WHICH.items()
        for told, _, name in owners
        if told == kind
    ]
    return tuple(Confirm(command, _DECIDES) for command in [*dict.fromkeys(asked)][:_FEW])


def _remedies(neighbour: str, killer: str = "") -> tuple[Remedy, ...]:
    first = (
        f"stop {neighbour}, or run it elsewhere, before starting again"
        if neighbour
        else "free memory on the host (or raise the container's limit) before starting again"
    )
    return (
        Remedy("mitigate", first),
        Remedy("fix", "lower what the server holds on the host: HiCache size per rank, CPU offload, tokenizer workers"),
        *(
            Remedy("prevent", text, risk="the kernel kills in its place, when no memory is left")
            for by, text in _SPARED.items()
            if by == killer
        ),
        Remedy("prevent", "watch MemAvailable, or the container's memory.current, during a launch"),
    )
