"""The model's files are missing, damaged, in another place, or not what the model class wants to read.

What it is. The path does not exist or holds no config; shards that the index names are not there; a file is cut short
or only a pointer; the tensors have other names or shapes than this release's class for the model expects.

How it shows. `Can't load the configuration of`, `Cannot find any model weights with`, `references 2 shard file(s)
missing`, `Error while deserializing header`, `KeyError: 'model.layers.0.…weight'`, before or while the weights are
loaded.

What it is mistaken for. A failed download: a path that does not exist is looked up on the hub, which then refuses. A
bug of the loader. A bus error while shards are read is a file that was cut short, a full /dev/shm or failing storage.

What confirms and refutes it. `ls -l` of the folder against model.safetensors.index.json (names and sizes); the
checksums of the hub; the same files on another host.

How it is fixed. The right path (it is case-sensitive), a complete copy, the quantisation argument that the checkpoint
was made for, or a release that knows this checkpoint's layout.

Since and until which release. Any; missing shards are checked from 0.5.17 on, before that they were not noticed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer.ledgers.spoken import AFTER_A_CRASH, decisive, from_lines, in_time, survived, while_launching
from analyzer.rule import rule
from analyzer.verdict import Claim, Confirm, Found, Remedy
from analyzer.vocabulary import Part, Phase, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.incident import Incident
    from analyzer.launches import Timed
    from analyzer.verdict import Verdict

_TOPIC = "checkpoint-unreadable"
_NAMES = "checkpoint-names-differ"
_READERS = (
    "model_config.py:",
    "tokenization",
    "tokenizer",
    "processing_",
)  # the innermost frame of whoever reads a file
_ABSENT = "NoneType"
_SIGBUS = frozenset({-7, 135})
_CONFIRM = (
    Confirm(
        "ls -lL MODEL_PATH; tail -3 MODEL_PATH/model.safetensors.index.json",
        "which files are there, how large, and which should be",
        where="container",
    ),
    Confirm("df -h MODEL_PATH; dmesg -T | grep -iE 'i/o error|nfs'", "whether the storage itself fails"),
)
_COPY = Remedy("fix", "check the path (it is case-sensitive) and copy or download the missing or damaged files again")
_PREVENT = Remedy("prevent", "compare sizes or checksums after a download, before a launch")


@rule(_TOPIC, explains=AFTER_A_CRASH)
def unreadable(incident: Incident) -> Iterator[Verdict]:
    """The error of the loader that ended the launch; else what a missing file or a page that cannot be read leaves."""
    lines = in_time(while_launching(incident, decisive(incident, _TOPIC)))
    named = [t for t in lines if t.event.where.pattern == _NAMES]
    files = [t for t in lines if t not in named]
    absent, bus = _absent(incident), _bus_error(incident)
    if files:
        found = from_lines(files, remedy=(_COPY, _PREVENT), confirm=_CONFIRM)
        yield replace(found, summary=f"the model's files could not be read: {_said(files)}")
    elif named:
        yield _names(named)
    elif absent is not None:
        yield _by_absence(absent)
    elif bus is not None:
        yield _by_bus_error(bus)
    else:
        yield from survived(incident, _TOPIC)


def _said(lines: list[Timed[ev.Failure]]) -> str:
    """The loader's own sentence where it names the file; else the file."""
    event = lines[0].event
    return event.text[:220] if event.detail in event.text else event.detail


def _names(lines: list[Timed[ev.Failure]]) -> Found:
    remedy = (
        Remedy("fix", "start with the quantization argument and the release that this checkpoint was made for"),
        Remedy("mitigate", "take another checkpoint of the model (another quantization, an earlier revision)"),
    )
    found = from_lines(lines, remedy=remedy, confirm=_CONFIRM[:1])
    return replace(
        found, summary=f"the checkpoint's tensors are not those the model class wants: {lines[0].event.detail}"
    )


def _absent(incident: Incident) -> Timed[ev.ExceptionRaised] | None:
    """A reader of the model's files that was given nothing: the file, or the field in it, is not there."""
    for item in incident.of(ev.ExceptionRaised):
        event = item.event
        reader = bool(event.frames) and any(name in event.frames[-1] for name in _READERS)
        if reader and event.type == "TypeError" and _ABSENT in event.message and not event.handled:
            return item
    return None


def _by_absence(item: Timed[ev.ExceptionRaised]) -> Found:
    event = item.event
    text = f"{event.frames[-1]} raised {event.type}: {event.message[:120]}"
    return Found(
        summary=f"a file of the model, or a field in it, is not there: {text}",
        claims=(
            Claim(Part.EFFECT, text, Status.ESTABLISHED, (item.ref,)),
            Claim(
                Part.LINK,
                "what reads the folder's files was given nothing",
                Status.SUPPORTED,
                (item.ref,),
            ),
        ),
        lines=(item.ref,),
        remedy=(_COPY, _PREVENT),
        confirm=_CONFIRM[:1],
        at=item.at,
        explains=("package-mismatch", "invalid-arguments"),
    )


def _bus_error(incident: Incident) -> Timed[ev.RankDead] | None:
    """A rank that ended by SIGBUS while it read the weights, which are files mapped into memory."""
    loading = incident.timeline.phase() is Phase.WEIGHT_LOAD
    dead = [t for t in incident.of(ev.RankDead) if t.event.code is not None and int(t.event.code.value) in _SIGBUS]
    return dead[0] if dead and loading else None


def _by_bus_error(item: Timed[ev.RankDead]) -> Found:
    code = item.event.code
    return Found(
        summary="a rank ended by a bus error while it read the weights: a page of a mapped file could not be had",
        claims=(
            Claim(Part.EFFECT, item.event.text[:160], Status.ESTABLISHED, (item.ref,)),
            Claim(Part.LINK, "in this phase the mapped files are the checkpoint's", Status.SUPPORTED, (item.ref,)),
        ),
        numbers=(code.called("exit code"),) if code is not None else (),
        lines=(item.ref,),
        remedy=(_COPY,),
        confirm=(*_CONFIRM, Confirm("df -h /dev/shm", "whether shared memory was full instead", where="container")),
        at=item.at,
        not_known=("whether a file is cut short, the storage fails, or /dev/shm is full",),
    )
