"""The model is not known to this release or its transformers package, or its shape has no kernel.

What it is. The architecture in the model's config.json has no class in this release; its model type is newer than the
installed transformers; it brings code of its own that has to be permitted; or a kernel library has no kernel for its
head size. Or its class is there, but the module that holds it could not be imported.

How it shows. `Model architectures [...] are not supported for now`, `does not recognize this architecture`, `contains
custom code which must be executed`, `failed to dispatch head_dim`, right after the start or, for a kernel, during
graph capture.

What it is mistaken for. A release that is too old, where `Ignore import error when loading` names the model's own
module above: then a package or a compiler is missing. A damaged checkpoint. A wrong path: a folder without a readable
config.json gives other words.

What confirms and refutes it. `architectures` and `model_type` in config.json against the list that the message prints
and the release notes.

How it is fixed. A release of SGLang (and of transformers) that knows the model; --trust-remote-code for a model that
brings its own code, if you trust it; another attention backend for a head size.

Since and until which release. Any.
"""

from __future__ import annotations

from dataclasses import replace
from string import ascii_lowercase
from typing import TYPE_CHECKING

from analyzer.ledgers.launch_command import with_argument, with_flag
from analyzer.ledgers.spoken import AFTER_A_CRASH, decisive, from_lines, in_time, survived, while_launching
from analyzer.rule import rule
from analyzer.verdict import Claim, Confirm, Remedy
from analyzer.vocabulary import Part, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer import events as ev
    from analyzer.incident import Incident
    from analyzer.launches import Timed
    from analyzer.verdict import Found, Verdict

_TOPIC = "model-not-supported"
_CONFIRM = (
    Confirm(
        "head -40 MODEL_PATH/config.json",
        "architectures, model_type, transformers_version, head_dim",
        where="container",
    ),
    Confirm("pip list | grep -iE 'sglang|transformers'", "which versions have to know it", where="container"),
)
_NOT_IMPORTED = "model-module-not-imported"
_PACKAGES = Remedy(
    "fix", "mend what that import needs (the package it names, or the compiler it ran), then launch the same release"
)
_NEWER = Remedy("fix", "use an SGLang release (with its transformers) that lists this model")


@rule(_TOPIC, explains=(*AFTER_A_CRASH, "graph-capture-failed"))
def unknown(incident: Incident) -> Iterator[Verdict]:
    """The refusal of the model, by what in it is not known: its code, its shape, its architecture."""
    lines = in_time(while_launching(incident, decisive(incident, _TOPIC)))
    if not lines:
        yield from survived(incident, _TOPIC)
        return
    said = lines[0].event.detail or lines[0].event.text[:160]
    text = lines[0].event.text
    if "custom code" in text or "requires you to execute" in text:
        found = from_lines(lines, remedy=_trust(incident), confirm=_CONFIRM)
        yield replace(found, summary=f"the model brings code of its own, which was not permitted: {said}")
    elif lines[0].event.where.pattern == "head-size-refused":
        found = from_lines(lines, remedy=_backend(incident), confirm=_CONFIRM)
        yield replace(found, summary=f"the attention kernels do not know the model's shape: {said}")
    elif missing := _not_imported(incident, said):
        yield _unloaded(from_lines(lines, remedy=(_PACKAGES,), confirm=_CONFIRM[1:]), missing)
    else:
        found = from_lines(lines, remedy=(_NEWER,), confirm=_CONFIRM)
        yield replace(found, summary=f"the installed SGLang or transformers does not know the model: {said}")


def _not_imported(incident: Incident, architecture: str) -> Timed[ev.Notice] | None:
    """The line that says that a module named like this architecture could not be imported; digits are versions."""
    wanted = _letters(architecture)
    for notice in incident.notices(_NOT_IMPORTED):
        module = _letters(notice.event.detail.replace(".", ":").partition(":")[0])
        if module and wanted.startswith(module):
            return notice
    return None


def _letters(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter in ascii_lowercase)


def _unloaded(found: Found, missing: Timed[ev.Notice]) -> Found:
    """The release may well know the model: its class is missing because its module did not load."""
    text = f"SGLang's module of that name could not be imported: {missing.event.detail[:200]}"
    return replace(
        found,
        summary=f"the model's class is missing, as its module could not be imported: {missing.event.detail[:200]}",
        claims=(*found.claims, Claim(Part.LINK, text, Status.SUPPORTED, (missing.ref,))),
        lines=(*found.lines, missing.ref),
    )


def _trust(incident: Incident) -> tuple[Remedy, ...]:
    return (
        Remedy(
            "fix",
            "start with --trust-remote-code, if you trust whoever published the model",
            argument="trust_remote_code",
            after="on",
            command_line=with_flag(incident, "trust_remote_code"),
            risk="runs code from the model's folder",
        ),
    )


def _backend(incident: Incident) -> tuple[Remedy, ...]:
    used = str(incident.arguments.get("attention_backend") or "")
    other = "flashinfer" if used == "triton" else "triton"
    return (
        Remedy(
            "fix",
            f"start with --attention-backend {other}, or a tensor-parallel size that leaves ranks a known shape",
            argument="attention_backend",
            before=used or None,
            after=other,
            command_line=with_argument(incident, "attention_backend", other),
        ),
        _NEWER,
    )
