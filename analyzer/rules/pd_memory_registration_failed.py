"""Memory could not be registered for KV transfer.

What it is. The transfer engine must open a network card and register GPU memory with it. Without RDMA, without
GPUDirect, or with the wrong device or GID, it cannot.

How it shows. `Mooncake memory registration failed.`, `Mooncake Transfer Engine initialization failed.` and the end of
the rank; above it the engine's own lines: `Failed to open device … with GID 1`, `registerLocalMemory: address is
device memory`, `Failed to register memory 0x…: Bad address [14]` hundreds of times. In the last case the server may
come up, and the first real request fails.

What it is mistaken for. A failed rendezvous, a pinning failure of the host pool. A few `Cannot allocate memory [12]`
at the start come from a probe of the card and mean nothing, where transfers work afterwards.

What confirms and refutes it. `ibv_devices`, `ibdev2netdev`, `lsmod | grep nvidia_peermem`, `ulimit -l`, the GID
index.

How it is fixed. A host with RDMA and GPUDirect; --disaggregation-ib-device with a card that is up; MC_GID_INDEX;
another transfer backend.

Since and until which release. With PD disaggregation: 0.4.5 on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer import units
from analyzer.ledgers.endings import ends_it
from analyzer.ledgers.launch_command import with_argument
from analyzer.ledgers.spoken import AFTER_A_CRASH, in_time, record, unhandled
from analyzer.ledgers.transfers import transfers
from analyzer.rule import rule
from analyzer.verdict import Claim, Cleared, Confirm, Found, Remedy
from analyzer.vocabulary import Part, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.incident import Incident
    from analyzer.launches import Timed
    from analyzer.verdict import Verdict

_TOPIC = "pd-memory-registration-failed"
_CONFIRM = (
    Confirm(
        "ibv_devices; ibdev2netdev; show_gids | head",
        "which cards there are, which are up, and their GIDs",
        where="container",
    ),
    Confirm("lsmod | grep -E 'nvidia_peermem|nv_peer_mem'; ulimit -l", "whether GPU memory can be registered"),
)


@rule(_TOPIC, explains=AFTER_A_CRASH)
def failed(incident: Incident) -> Iterator[Verdict]:
    """Registrations that ended a rank; else those after which the transfers failed."""
    lines = in_time(incident.failures(_TOPIC))
    if not lines:
        return
    fatal = [t for t in lines if record(t.ref) in unhandled(incident)]
    account = transfers(incident)
    if fatal:
        yield _found(
            incident,
            lines,
            Claim(Part.LINK, fatal[0].event.text[:200], Status.ESTABLISHED, (fatal[0].ref,)),
        )
    elif account is not None and account.harmed:
        first = account.lines[0]
        link = Claim(Part.LINK, first.event.text[:200], Status.SUPPORTED, (first.ref,))
        yield _found(incident, lines, link, follows="every transfer failed afterwards", harm=True)
    elif ends_it(incident, lines[-1]):
        status = Status.SUPPORTED if _cut_short(incident, lines) else Status.HYPOTHESIS
        text = "a rank ended right after it; why, is cut off" if status is Status.SUPPORTED else "nothing follows it"
        yield _found(incident, lines, Claim(Part.LINK, text, status, (lines[-1].ref,)), follows=text)
    else:
        yield Cleared(
            f"{lines[0].event.detail or lines[0].event.text[:80]}: the server worked on after it", (lines[0].ref,)
        )


def _cut_short(incident: Incident, lines: list[Timed[ev.Failure]]) -> bool:
    """Whether a rank that could not register its memory ended with a traceback whose last lines are missing."""
    ranks = {t.process for t in lines}
    ends = [t for t in incident.of(ev.ExceptionRaised) if t.process in ranks and not t.event.type]
    return any(t.written > lines[0].written and not t.event.handled for t in ends)


def _found(
    incident: Incident,
    lines: list[Timed[ev.Failure]],
    link: Claim,
    *,
    follows: str = "the rank ended with it",
    harm: bool = False,
) -> Found:
    first = lines[0].event
    times = sum(t.event.count for t in lines)
    refs = tuple(t.ref for t in lines)
    return Found(
        summary=f"memory could not be registered for KV transfer: {first.detail or first.text[:140]} "
        f"({units.many(times, 'line')}); {follows}",
        claims=(Claim(Part.EFFECT, first.text[:200], Status.ESTABLISHED, refs[:8]), link),
        numbers=(units.counted(times, refs, "lines").called("failed registrations"),),
        lines=refs,
        remedy=(
            Remedy(
                "fix",
                "a host with RDMA and GPUDirect; the right card (--disaggregation-ib-device) and GID (MC_GID_INDEX)",
            ),
            Remedy(
                "mitigate",
                "another transfer backend that this host supports",
                argument="disaggregation_transfer_backend",
                before=str(incident.arguments.get("disaggregation_transfer_backend") or "") or None,
                after="nixl",
                command_line=with_argument(incident, "disaggregation_transfer_backend", "nixl"),
            ),
        ),
        confirm=_CONFIRM,
        at=lines[0].at,
        harm=harm,
    )
