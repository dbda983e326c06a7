"""A service that the server needs does not answer.

What it is. HiCache's third level (Mooncake's master or metadata server, etcd, Redis, HF3FS), the bootstrap server of
a prefill leg, or the router: the server retries, and a launch waits as long as it retries.

How it shows. `Failed to connect to master at …`, `Warmup put failed (attempt 2/30)`, `Unable to connect to the
metadata server`, `Error fetching prefill info from bootstrap`, again and again, or an exception `Failed to setup
Mooncake store`.

What it is mistaken for. A hang in pinning host memory, because the last milestone is the host pool's; a network fault
between ranks. Retries while the other leg still launches are normal, and so are reconnects after it was stopped.

What confirms and refutes it. Whether the service answers from this host: `nc -vz HOST PORT`.

How it is fixed. Start the service first; the right address; or leave the third level out.

Since and until which release. With such a service.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer import units
from analyzer.ledgers import endings
from analyzer.ledgers.durations import between
from analyzer.ledgers.spoken import in_time, record, unhandled
from analyzer.rule import rule
from analyzer.verdict import Claim, Cleared, Confirm, Found, Remedy
from analyzer.vocabulary import Part, Status

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from analyzer.incident import Incident
    from analyzer.launches import Timed
    from analyzer.units import Amount
    from analyzer.verdict import Verdict

_TOPIC = "dependency-unreachable"
_TIMES = 3
_SPAN = 60.0  # seconds over which retries show that nobody answers
_EXPLAINS = (
    "scheduler-crashed",
    "launch-stalled",
    "warmup-failed",
    "pd-transfer-failed",
    "distributed-init-stalled",
    "killed-by-unknown-sender",
)


@rule(_TOPIC, explains=_EXPLAINS)
def unreachable(incident: Incident) -> Iterator[Verdict]:
    """An exception that says so, or retries that go on after the last progress of a launch."""
    lines = in_time(incident.failures(_TOPIC))
    if not lines:
        return
    raised = [t for t in lines if record(t.ref) in unhandled(incident)]
    again = _retries(incident, lines)
    if raised:
        yield _found(raised, "the server ended for it")
    elif again:
        yield _found(again, "it is retried, and nothing else happens any more")
    else:
        yield Cleared(f"the server went on after: {lines[0].event.text[:120]}", (lines[0].ref,))


def _retries(incident: Incident, lines: list[Timed[ev.Failure]]) -> list[Timed[ev.Failure]]:
    """The retries after the last progress of a launch that stands."""
    last = incident.timeline.progress
    if endings.past_launch(incident) or endings.first_error(incident) is not None:
        return []
    late = [t for t in lines if t.at is not None and (last is None or t.at.seconds >= last.at.seconds)]
    times = sum(t.event.count for t in late)
    if times < _TIMES or late[0].at is None or late[-1].at is None:
        return []
    return late if late[-1].at.seconds - late[0].at.seconds >= _SPAN else []


def _address(text: str) -> str:
    """Host and port of the address that a message names, as `nc` takes them."""
    for word in reversed(text.replace("://", " ").split()):
        host, colon, port = word.strip("'\"()[],;.").partition("/")[0].rpartition(":")
        if colon and host and port.isdigit():
            return f"{host.strip('[]')} {port}"
    return "HOST PORT"


def _found(lines: list[Timed[ev.Failure]], how: str) -> Found:
    first, last = lines[0], lines[-1]
    times = sum(t.event.count for t in lines)
    refs = tuple(t.ref for t in lines)
    numbers: list[Amount[Any]] = [units.counted(times, refs, "lines").called("times it was said")]
    if first.at is not None and last.at is not None and last.at.seconds > first.at.seconds:
        numbers.append(between((first.at, first.ref), (last.at, last.ref), "from the first to the last"))
    where = first.event.detail or first.event.text[:160]
    return Found(
        summary=f"{where}: {how}",
        claims=(
            Claim(Part.EFFECT, first.event.text[:200], Status.ESTABLISHED, refs[:8]),
            Claim(Part.LINK, how, Status.SUPPORTED),
        ),
        numbers=tuple(numbers),
        lines=refs,
        remedy=(
            Remedy("fix", "start the service before the server, at the address that the server names"),
            Remedy("mitigate", "start without it (HiCache without --hicache-storage-backend, or a single leg)"),
        ),
        confirm=(Confirm(f"nc -vz {_address(where)}", "whether the service answers from here", where="container"),),
        at=first.at,
        not_known=("whether the service is down, or its address is wrong",),
    )
