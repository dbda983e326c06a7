"""Nothing in the installed packages was built for this GPU.

What it is. A kernel library, a quantisation method or the compiler has no code for the GPU's compute capability: the
card is older than what the package supports, or newer than the package.

How it shows. `no kernel image is available for execution on the device`, often behind `Capture cuda graph failed`; `…
with CUDA capability sm_120 is not compatible with the current PyTorch installation`; `Minimum capability: 80. Current
capability: 75`; `Value 'sm_120a' is not defined for option 'gpu-name'`; a backend that names the generations it
supports.

What it is mistaken for. A lack of GPU memory, because the list of possible solutions (a smaller fraction, smaller
graphs, no graphs) is printed below every failed capture. A compile failure.

What confirms and refutes it. `nvidia-smi --query-gpu=name,compute_cap --format=csv` against
`torch.cuda.get_arch_list()` and the package's own list.

How it is fixed. An image or wheel built for that generation (newer CUDA for newer cards), a backend that supports it,
or another card. Memory arguments cannot help.

Since and until which release. Any; the supported generations are those of the installed kernel packages.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer import knowledge
from analyzer.ledgers.spoken import AFTER_A_CRASH, decisive, from_lines, in_time, survived
from analyzer.rule import rule
from analyzer.verdict import Claim, Confirm, Remedy
from analyzer.vocabulary import Part, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.evidence import Ref
    from analyzer.incident import Incident
    from analyzer.verdict import Verdict

_TOPIC = "unsupported-gpu-architecture"
_CONFIRM = (
    Confirm("nvidia-smi --query-gpu=name,compute_cap --format=csv", "the card's compute capability"),
    Confirm(
        "python3 -c 'import torch; print(torch.version.cuda, torch.cuda.get_arch_list())'",
        "the generations that torch was built for",
        where="container",
    ),
)
_REMEDY = (
    Remedy("fix", "use an image or wheels that are built for this GPU's generation, or a GPU that they are built for"),
    Remedy("mitigate", "choose a backend without such kernels (--attention-backend triton), where the model has one"),
)
_NO_USE = (
    "The possible solutions that SGLang prints below a failed capture (memory fraction, graph sizes, no graphs) are "
    "printed for every failure: memory has no part in this one."
)


@rule(_TOPIC, explains=(*AFTER_A_CRASH, "graph-capture-failed", "kernel-compile-failed"))
def unsupported(incident: Incident) -> Iterator[Verdict]:
    """The refusal's own words; the card's capability beside them where a listing names the card."""
    lines = in_time(decisive(incident, _TOPIC))
    if not lines:
        yield from survived(incident, _TOPIC)
        return
    captured = _NO_USE if incident.failures("graph-capture-failed") else ""
    found = from_lines(lines, remedy=_REMEDY, confirm=_CONFIRM, explanation=captured)
    found = replace(found, summary=f"nothing installed is built for this GPU: {found.summary}")
    card = _card(incident)
    if card is None:
        yield found
        return
    name, generation, ref = card
    text = f"the GPU is a {name}: {generation.architecture}, {generation.target}"
    yield replace(
        found,
        summary=f"{found.summary}; {text}",
        claims=(*found.claims, Claim(Part.LIMIT, text, Status.ESTABLISHED, (ref,))),
        numbers=(*found.numbers, generation.capability),
    )


def _card(incident: Incident) -> tuple[str, knowledge.Generation, Ref] | None:
    """The one kind of GPU that a listing shows; unlike cards tell nothing of the one that refused."""
    listed = [t for t in incident.of(ev.GpuListed) if t.event.name]
    known = knowledge.generation(listed[0].event.name) if listed else None
    if known is None or len({t.event.name for t in listed}) > 1:
        return None
    return listed[0].event.name, known, listed[0].ref
