"""The installed packages, or the driver below them, do not fit each other.

What it is. SGLang is tested with one set of versions (torch, sgl-kernel, flashinfer, transformers, triton, the
driver). One of them is missing, too old, too new, or built against another one.

How it shows. `is installed with version 0.2.5, which is less than the minimum required version`; `No module named`,
`cannot import name`, `undefined symbol`; a call with an argument that the other side does not have; `CUDA driver
version is insufficient for CUDA runtime version`, `Driver/library version mismatch`.

What it is mistaken for. A bug of SGLang. A model that is not supported. Warnings such as `Ignore import error when
loading` and `Failed to import amdsmi` are printed at every start and mean nothing.

What confirms and refutes it. `pip check`, `python3 -m sglang.check_env`, and the versions that the release's own
pyproject names.

How it is fixed. Install the versions that the release names, or run its image; for the driver, upgrade it on the host
or take an image with an older CUDA.

Since and until which release. Any.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer.ledgers.spoken import AFTER_A_CRASH, decisive, from_lines, in_time, survived
from analyzer.rule import rule
from analyzer.verdict import Claim, Confirm, Remedy
from analyzer.vocabulary import Part, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.incident import Incident
    from analyzer.verdict import Verdict

_TOPIC = "package-mismatch"
_CONFIRM = (
    Confirm(
        "python3 -m sglang.check_env; pip check",
        "which versions are installed, and which do not fit",
        where="container",
    ),
    Confirm("nvidia-smi | head -4", "the driver, and the newest CUDA that it runs"),
)
_DRIVER = "driver-mismatch"
_PACKAGE = "common_ops"  # the one package whose own words stand among those of drivers
_NOT_STARTED = "system not yet initialized"
_SWITCHES = Remedy(
    "fix", "start the fabric manager of the driver's own version (nvidia-fabricmanager) on the host: CUDA waits for it"
)
_MANAGER = (
    Confirm("systemctl status nvidia-fabricmanager; nvidia-smi -q | grep -iA2 fabric", "whether the switches are up"),
)
_TOLD = ("sglang", "torch", "sgl-kernel", "sgl_kernel", "flashinfer", "flashinfer-python", "transformers", "triton")


@rule(_TOPIC, explains=(*AFTER_A_CRASH, "graph-capture-failed", "detokenizer-crashed"))
def mismatched(incident: Incident) -> Iterator[Verdict]:
    """The refusal or the failed import that ended the server, with the versions that a listing shows."""
    lines = in_time(decisive(incident, _TOPIC))
    if not lines:
        yield from survived(incident, _TOPIC)
        return
    of_switches = _NOT_STARTED in lines[0].event.text
    remedy, confirm = ((_SWITCHES,), _MANAGER) if of_switches else (_remedies(incident), _CONFIRM)
    found = from_lines(lines, remedy=remedy, confirm=confirm)
    listed = {t.event.name: t for t in incident.of(ev.PackageListed) if t.event.name.lower() in _TOLD}
    versions = ", ".join(f"{name} {item.event.version}" for name, item in listed.items())
    installed = (
        Claim(Part.LIMIT, f"installed: {versions}", Status.ESTABLISHED, tuple(t.ref for t in listed.values())),
    )
    what = "the host's driver and what runs on it" if _of_driver(lines[0].event) else "the installed packages"
    yield replace(
        found,
        summary=f"{what} do not fit each other: {lines[0].event.text[:200]}",
        claims=(*found.claims, *(installed if listed else ())),
    )


def _of_driver(event: ev.Failure) -> bool:
    return event.where.pattern == _DRIVER and _PACKAGE not in event.text


def _remedies(incident: Incident) -> tuple[Remedy, ...]:
    release = incident.launch.release
    version = str(release.low) if release.exact else "RELEASE"
    install = f"install the versions that this SGLang release names: pip install --upgrade 'sglang[all]=={version}'"
    return (
        Remedy("fix", install),
        Remedy("prevent", "run the release's own image (lmsysorg/sglang) instead of a mixed environment"),
    )
