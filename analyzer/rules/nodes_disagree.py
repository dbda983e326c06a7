"""The nodes of one server were started with arguments that do not fit together.

What it is. Every node must name the same address, the same number of nodes and the same parallel sizes, and each its
own node rank. Two node ranks 0, or two addresses, and the ranks can never all join.

How it shows. The `server_args` lines of the nodes, side by side; then a rendezvous that times out on both (`8/16
clients joined`), or `world_size (8) is not equal to tensor_model_parallel_size`.

What it is mistaken for. A network fault, a slow node.

What confirms and refutes it. The `server_args` line of every node.

How it is fixed. The same command on every node but for --node-rank.

Since and until which release. Any.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer import units
from analyzer.ledgers import endings
from analyzer.ledgers.spoken import decisive
from analyzer.rule import rule
from analyzer.verdict import Claim, Cleared, Confirm, Found, Remedy
from analyzer.vocabulary import Part, Status

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, TypeAlias

    from analyzer.incident import Incident
    from analyzer.launches import Timed
    from analyzer.verdict import Verdict

    Difference: TypeAlias = tuple[str, list[tuple[Any, Timed[ev.ArgumentsPrinted]]]]

# Without these no rendezvous can complete; the others may merely make the nodes compute different things.
_JOIN = ("dist_init_addr", "nnodes", "tp_size", "pp_size", "dp_size")
_SAME = ("model_path", "dtype", "quantization", "kv_cache_dtype", "enable_dp_attention", "ep_size", "page_size")
_EXPLAINS = (
    "distributed-init-stalled",
    "collective-timeout",
    "launch-stalled",
    "scheduler-crashed",
    "warmup-failed",
    "rank-straggler",
)
_CONFIRM = (Confirm("grep -m1 server_args= server.log", "what each node made of its command line", where="node"),)


@rule("nodes-disagree", explains=_EXPLAINS)
def disagree(incident: Incident) -> Iterator[Verdict]:
    """Two `server_args` lines of one launch that exclude each other, where it never came up; else torch's own word."""
    printed = _by_node(incident)
    said = decisive(incident, "nodes-disagree")
    if len(printed) < 2 and not said:  # noqa: PLR2004 - nothing to compare
        return
    twice, differing = _same_rank(printed), _differences(printed, _JOIN)
    softer = _differences(printed, _SAME)
    if endings.past_launch(incident) or not (twice or differing or softer or said):
        yield Cleared("the nodes' arguments fit together", tuple(t.ref for t in printed.values()))
    elif twice:
        yield _twice(twice)
    elif differing:
        yield _differ(differing, Status.ESTABLISHED)
    elif said:
        yield _said(said)
    else:
        yield _differ(softer, Status.HYPOTHESIS)


def _by_node(incident: Incident) -> dict[str, Timed[ev.ArgumentsPrinted]]:
    """The first line of every node of a launch over several nodes."""
    found: dict[str, Timed[ev.ArgumentsPrinted]] = {}
    for item in incident.of(ev.ArgumentsPrinted):
        if (item.event.values.get("nnodes") or 1) != 1:
            found.setdefault(item.node, item)
    return found


def _same_rank(printed: dict[str, Timed[ev.ArgumentsPrinted]]) -> list[Timed[ev.ArgumentsPrinted]]:
    by_rank: dict[Any, list[Timed[ev.ArgumentsPrinted]]] = {}
    for item in printed.values():
        by_rank.setdefault(item.event.values.get("node_rank"), []).append(item)
    return next((items for rank, items in by_rank.items() if rank is not None and len(items) > 1), [])


def _differences(printed: dict[str, Timed[ev.ArgumentsPrinted]], names: tuple[str, ...]) -> list[Difference]:
    found: list[Difference] = []
    for name in names:
        values = [(_comparable(name, t.event.values.get(name)), t) for t in printed.values() if name in t.event.values]
        if len({str(v) for v, _ in values}) > 1:
            found.append((name, [(t.event.values.get(name), t) for _, t in values]))
    return found


def _comparable(name: str, value: Any) -> Any:
    return PurePosixPath(str(value)).name if name == "model_path" else value


def _twice(items: list[Timed[ev.ArgumentsPrinted]]) -> Found:
    rank = items[0].event.values.get("node_rank")
    nodes = items[0].event.values.get("nnodes")
    lines = tuple(t.ref for t in items)
    sources = ", ".join(dict.fromkeys(t.ref.source for t in items))
    return Found(
        summary=f"{len(items)} of {nodes} nodes were started as node rank {rank} ({sources}): "
        "the other ranks exist nowhere",
        claims=(
            Claim(Part.DEMAND, f"{nodes} nodes, each with a node rank of its own", Status.ESTABLISHED, lines[:1]),
            Claim(Part.EFFECT, f"node_rank={rank} is printed {len(items)} times", Status.ESTABLISHED, lines),
        ),
        numbers=(units.counted(len(items), lines, "nodes").called(f"nodes with node rank {rank}"),),
        lines=lines,
        remedy=(Remedy("fix", "start the other node with --node-rank 1", "node_rank", str(rank), "1"),),
        confirm=_CONFIRM,
        at=items[-1].at,
    )


def _differ(differing: list[Difference], status: Status) -> Found:
    texts = [f"{name} is {' against '.join(str(v) for v, _ in values)}" for name, values in differing]
    lines = tuple(dict.fromkeys(t.ref for _, values in differing for _, t in values))
    name, values = differing[0]
    who = ", ".join(f"{t.ref.source} has {v}" for v, t in values)
    return Found(
        summary=f"the nodes disagree: {'; '.join(texts[:3])}",
        claims=tuple(
            Claim(Part.EFFECT, text, status, tuple(t.ref for _, t in values))
            for text, (_, values) in zip(texts, differing, strict=True)
        ),
        lines=lines,
        remedy=(
            Remedy(
                "fix",
                f"give all nodes the same --{name.replace('_', '-')}: {who}",
                argument=name,
            ),
        ),
        confirm=_CONFIRM,
        at=values[-1][1].at,
    )


def _said(said: list[Timed[ev.Failure]]) -> Found:
    first = said[0].event
    return Found(
        summary=f"the processes count their ranks differently: {first.detail or first.text[:160]}",
        claims=(Claim(Part.EFFECT, first.text[:200], Status.SUPPORTED, tuple(t.ref for t in said[:8])),),
        lines=tuple(t.ref for t in said),
        remedy=(Remedy("fix", "the same sizes and the same number of nodes on every node"),),
        confirm=_CONFIRM,
        at=said[0].at,
    )
