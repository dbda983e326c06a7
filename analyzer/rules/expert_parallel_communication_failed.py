"""Expert-parallel communication failed: DeepEP, or NVSHMEM below it.

What it is. DeepEP moves tokens between experts over NVSHMEM: NVLink inside a node, RDMA between nodes. Where a queue
pair cannot be connected, or a peer does not answer, the kernels time out or an assertion ends the rank.

How it shows. `ibv_modify_qp failed with status 110`, `non-zero status: 7 connect EPS failed`, `NVSHMEM ERROR …`,
`Assertion error … deep_ep …`, `DeepEP timeout`. The first of them counts; status 7 and the assertions follow.

What it is mistaken for. A failed graph capture, which merely runs the first of these kernels; NCCL, which has its own
network; a lack of memory.

What confirms and refutes it. `ibdev2netdev` (cards that are down), `ibv_devinfo`, reachability between the nodes'
cards; the same launch with --moe-a2a-backend none.

How it is fixed. Only the cards that are up (NVSHMEM_HCA_LIST, NVSHMEM_HCA_PE_MAPPING); the fabric's routing and GID
index; IBGDA's driver settings where it is used.

Since and until which release. With DeepEP: 0.4.5 on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer import units
from analyzer.ledgers.launch_command import with_argument
from analyzer.ledgers.spoken import AFTER_A_CRASH, by_its_lines, figures
from analyzer.rule import rule
from analyzer.verdict import Claim, Confirm, Found, Remedy
from analyzer.vocabulary import Part, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.incident import Incident
    from analyzer.launches import Timed
    from analyzer.verdict import Verdict

_TOPIC = "expert-parallel-communication-failed"
_CONFIRM = (
    Confirm("ibdev2netdev; ibv_devinfo | grep -E 'hca_id|state'", "which cards are up", where="node"),
    Confirm("env | grep -E 'NVSHMEM|NCCL_IB'", "which cards NVSHMEM was told to use", where="container"),
)
_CARD, _PORT = "rdma ", "rdma-port "  # of ibdev2netdev; of ibstat and ibv_devinfo
_NO_ANSWER = 110  # ETIMEDOUT


@rule(_TOPIC, explains=(*AFTER_A_CRASH, "graph-capture-failed"))
def failed(incident: Incident) -> Iterator[Verdict]:
    """The first of its errors that ended the server."""
    yield from by_its_lines(incident, _TOPIC, _found)


def _found(incident: Incident, lines: list[Timed[ev.Failure]]) -> Found:
    first = lines[0].event
    who = {t.process for t in lines}
    numbers = next((f for t in lines if (f := figures(t.event))), ())
    late = any(t.event.code is not None and t.event.code.value == _NO_ANSWER for t in lines)
    return Found(
        summary=f"{first.detail or first.text[:160]}{' with 110, no answer from the peer' if late else ''} "
        f"({units.many(len(lines), 'line')}, {units.many(len(who), 'process')})",
        claims=(
            # the lines prove the failure; whether fabric, card or peer is to blame they do not say
            Claim(Part.EFFECT, first.text[:200], Status.SUPPORTED, tuple(t.ref for t in lines[:8])),
            *_down(incident),
        ),
        explanation=f"{'110 is a time-out: no path to the peer. ' if late else ''}"
        "Status 7 and DeepEP's assertions are consequences.",
        numbers=numbers,
        lines=tuple(t.ref for t in lines),
        remedy=_remedies(incident),
        confirm=_CONFIRM,
        at=lines[0].at,
        not_known=("whether the card, the fabric or the peer is to blame",),
    )


def _cards(incident: Incident, *, up: bool) -> dict[str, Timed[ev.Fact]]:
    """The cards that are up, or down, by the name that NVSHMEM's list takes."""
    found: dict[str, Timed[ev.Fact]] = {}
    for item in incident.of(ev.Fact):
        name, value = item.event.name, item.event.value.lower()
        if name.startswith(_CARD) and value.endswith("up" if up else "down"):
            found.setdefault(name.removeprefix(_CARD), item)
        elif name.startswith(_PORT) and value.startswith("active" if up else "down"):
            card, _, port = name.removeprefix(_PORT).partition("/")
            found.setdefault(card if port == "1" else f"{card}:{port}", item)
    return found


def _down(incident: Incident) -> tuple[Claim, ...]:
    down = _cards(incident, up=False)
    if not down:
        return ()
    which, took = ("is", "it") if len(down) == 1 else ("are", "one of them")
    text = f"{', '.join(down)} {which} down: NVSHMEM may have taken {took}"
    return (Claim(Part.LINK, text, Status.SUPPORTED, tuple(t.ref for t in down.values())),)


def _remedies(incident: Incident) -> tuple[Remedy, ...]:
    up = _cards(incident, up=True)
    cards = ",".join(up) if up else "CARDS"
    return (
        Remedy("fix", f"let NVSHMEM use the cards that are up: NVSHMEM_HCA_LIST={cards}"),
        Remedy(
            "mitigate",
            "start without DeepEP, to see whether the rest holds",
            argument="moe_a2a_backend",
            after="none",
            command_line=with_argument(incident, "moe_a2a_backend", "none"),
            risk="slower expert parallelism",
        ),
    )
