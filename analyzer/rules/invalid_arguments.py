"""The server refused its configuration.

What it is. An argument that does not exist, a value that cannot be, two arguments that exclude each other, sizes that
do not divide (ranks by nodes, heads or weights by ranks), more ranks than GPUs.

How it shows. `error: unrecognized arguments`, `are mutually exclusive`, `tp_size must be divisible by number of
nodes`, `is not divisible by`, `invalid device ordinal`: a usage text or a traceback of the main process without any
SGLang header before it, or a check of a scheduler before or while the weights are loaded.

What it is mistaken for. A crash. A missing log: the refusal comes before the first `server_args` line, sometimes as
the only line.

What confirms and refutes it. The sentence itself, against `python3 -m sglang.launch_server --help` of the installed
release.

How it is fixed. As the sentence says. Arguments come, go and change their meaning between releases: `postmortem
explain NAME --release VERSION`.

Since and until which release. Any.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from analyzer import events as ev
from analyzer import units
from analyzer.ledgers.launch_command import with_argument, without_arguments
from analyzer.ledgers.refused_arguments import fields_in, meant, numbers_of, switches
from analyzer.ledgers.spoken import AFTER_A_CRASH, decisive, from_lines, in_time, record, survived, while_launching
from analyzer.rule import rule
from analyzer.verdict import Claim, Cleared, Confirm, Found, Remedy
from analyzer.vocabulary import Part, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.incident import Incident
    from analyzer.launches import Timed
    from analyzer.units import Amount
    from analyzer.verdict import Verdict

_TOPIC = "invalid-arguments"
_NO_GPU = "no-such-gpu"
_DRIVER, _DRIVER_TOPIC = "driver-mismatch", "package-mismatch"
_UNKNOWN = "unrecognized arguments:"
_REFUSING = ("server_args.py:", "arg_groups/", "_hook.py:", "port_args.py:")
_REFUSALS = frozenset({"ValueError", "AssertionError", "NotImplementedError", "ArgumentError"})
_GPUS = (Confirm("nvidia-smi -L; echo $CUDA_VISIBLE_DEVICES", "how many GPUs the server can see", where="container"),)
_CONFIRM = (
    Confirm("python3 -m sglang.launch_server --help", "which arguments the installed release has", where="container"),
    Confirm("pip show sglang | head -2", "which release it is", where="container"),
)


@rule(_TOPIC, explains=(*AFTER_A_CRASH, "graph-capture-failed"))
def refused(incident: Incident) -> Iterator[Verdict]:
    """The refusal by its own words, else an exception raised in the checks of the arguments."""
    lines = in_time(while_launching(incident, decisive(incident, _TOPIC)))
    raised = _checked(incident)
    if lines and lines[0].event.where.pattern == _NO_GPU:
        driver = [t for t in incident.failures(_DRIVER_TOPIC) if t.event.where.pattern == _DRIVER]
        yield _not_by_arguments(driver[0]) if driver else _no_gpu(incident, lines)
    elif lines:
        yield _said(incident, lines)
    elif raised is not None:
        yield _raised(incident, raised)
    else:
        yield from survived(incident, _TOPIC)


def _said(incident: Incident, lines: list[Timed[ev.Failure]]) -> Found:
    said = lines[0].event.detail or lines[0].event.text[:200]
    fields = fields_in(f"{said} {lines[0].event.text}")
    found = from_lines(lines, remedy=_remedies(incident, said, fields), confirm=_CONFIRM)
    return replace(
        found,
        summary=f"the server refused its configuration: {said[:200]}",
        numbers=(*found.numbers, *numbers_of(incident, fields), *_division(incident, fields)),
    )


def _no_gpu(incident: Incident, lines: list[Timed[ev.Failure]]) -> Found:
    """CUDA or HIP does not see a GPU for a rank: the ranks asked for against the cards that a listing shows."""
    said = lines[0].event.detail or lines[0].event.text[:160]
    cards = {t.event.index: t for t in incident.of(ev.GpuListed)}
    refs = tuple(t.ref for t in cards.values())
    listed = (units.counted(len(cards), refs, "GPUs that a listing shows").called("GPUs listed"),) if cards else ()
    remedy = (
        Remedy("fix", "ask for as many ranks per node as there are GPUs (--tp, --dp, --pp, --base-gpu-id)", "tp_size"),
        Remedy("fix", "let the server see the GPUs: docker --gpus all, CUDA_VISIBLE_DEVICES, the driver on the host"),
    )
    found = from_lines(lines, remedy=remedy, confirm=_GPUS, status=Status.SUPPORTED)
    ranks = numbers_of(incident, ("tp_size", "dp_size", "pp_size", "nnodes", "base_gpu_id"))
    return replace(found, summary=f"a rank does not see a GPU of its own: {said}", numbers=(*ranks, *listed))


def _not_by_arguments(driver: Timed[ev.Failure]) -> Cleared:
    """No GPU is seen because CUDA does not start at all."""
    return Cleared(f"no GPU is visible, as CUDA itself does not start: {driver.event.text[:120]}", (driver.ref,))


def _checked(incident: Incident) -> Timed[ev.ExceptionRaised] | None:
    """An exception whose innermost frame is a check of the arguments, where no other error line explains the record."""
    explained = {record(t.ref) for t in incident.of(ev.Failure, ev.GpuOutOfMemory, ev.HostPoolRefused)}
    for item in incident.of(ev.ExceptionRaised):
        event = item.event
        here = event.frames and any(place in event.frames[-1] for place in _REFUSING)
        if here and event.type in _REFUSALS and not event.handled and record(item.ref) not in explained:
            return item
    return None


def _raised(incident: Incident, item: Timed[ev.ExceptionRaised]) -> Found:
    event = item.event
    fields = fields_in(event.message)
    text = f"{event.frames[-1]} raised {event.type}: {event.message[:160]}"
    return Found(
        summary=f"the server refused its configuration: {event.message[:200] or text}",
        claims=(Claim(Part.EFFECT, text, Status.ESTABLISHED, (item.ref,)),),
        numbers=numbers_of(incident, fields),
        lines=(item.ref,),
        remedy=_remedies(incident, event.message, fields),
        confirm=_CONFIRM,
        at=item.at,
    )


def _division(incident: Incident, fields: tuple[str, ...]) -> tuple[Amount[Any], ...]:
    """What is left over when the ranks are divided by the nodes, where that is what was refused."""
    if not {"tp_size", "nnodes"} <= set(fields):
        return ()
    tp, nodes = (incident.arguments.amount(name, "count") for name in ("tp_size", "nnodes"))
    if tp is None or nodes is None or nodes.value <= 0:
        return ()
    return ((tp.called("tp_size") / nodes.called("nnodes")).called("ranks per node"),)


def _remedies(incident: Incident, said: str, fields: tuple[str, ...]) -> tuple[Remedy, ...]:
    if said.startswith(_UNKNOWN):
        return (_spelling(said.removeprefix(_UNKNOWN).split()),)
    both = switches(incident, fields)
    if len(both) > 1:
        flags = [f"--{field.replace('_', '-')}" for field in both]
        command = without_arguments(incident, both[-1:])
        return (
            Remedy("fix", f"drop one of {' and '.join(flags)}", argument=both[-1], after="off", command_line=command),
        )
    return (_nodes(incident, fields) or _general(incident, said, fields),)


def _general(incident: Incident, said: str, fields: tuple[str, ...]) -> Remedy:
    """What is left to say: which argument it is about, or that a size does not divide among the ranks."""
    if "divisible" in said and not fields:
        tp = incident.arguments.get("tp_size")
        return Remedy(
            "fix",
            "a smaller --tp-size (each rank's share is what has to divide), or a checkpoint of another quantization",
            argument="tp_size",
            before=None if tp is None else str(tp),
        )
    release = incident.launch.release
    version = f" --release {release.low}" if release.exact else ""
    if not fields:
        return Remedy("fix", "change what the sentence names")
    if "exclusive" in said and len(fields) > 1:
        flags = " and ".join(f"--{field.replace('_', '-')}" for field in fields)
        return Remedy("fix", f"keep one of {flags}")
    name = fields[0].replace("_", "-")
    return Remedy("fix", f"change what the sentence names; its meaning: postmortem explain {name}{version}")


def _spelling(words: list[str]) -> Remedy:
    flag = next((word for word in words if word.startswith("-")), words[0] if words else "")
    near = meant(flag.partition("=")[0])
    hint = f"; {near} is the nearest that a release knows" if near is not None else ""
    return Remedy("fix", f"this release has no {flag}: take it out or correct it{hint}", before=flag, after=near)


def _nodes(incident: Incident, fields: tuple[str, ...]) -> Remedy | None:
    """Numbers of nodes that divide the ranks, where the ones given do not."""
    tp, nodes = incident.arguments.count("tp_size"), incident.arguments.count("nnodes")
    if "nnodes" not in fields or not tp or not nodes or tp % nodes == 0:
        return None
    fitting = [n for n in range(1, tp + 1) if tp % n == 0]
    nearest = min(fitting, key=lambda n: (abs(n - nodes), n))
    return Remedy(
        "fix",
        f"start on {' or '.join(map(str, fitting))} nodes, or with a tensor-parallel size that {nodes} divides",
        argument="nnodes",
        before=str(nodes),
        after=str(nearest),
        command_line=with_argument(incident, "nnodes", str(nearest)),
    )
