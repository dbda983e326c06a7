"""Manifests in YAML: of Kubernetes (as written, or as `kubectl get -o yaml` shows them) and of docker compose.

What they ask for (command, limits, probes, shared memory) and, where a status is shown, how containers ended.
"""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, Any

from analyzer.events import CgroupMemory, CommandLine, ExitCode, Fact, FilesystemListed, ProbeSettings
from analyzer.expression import lazy
from analyzer.parsers.argv import command_line
from analyzer.parsers.block import Block
from analyzer.parsers.images import release
from analyzer.parsers.moments import moment
from analyzer.parsers.outline import Leaf, Outline
from analyzer.parsers.sizes import count, size

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analyzer.events import Event
    from analyzer.parsers.block import Around, Text
    from analyzer.units import Amount

KIND = "manifest"
HEADS = ("apiVersion:", "services:")

_HEAD = lazy(r"(?:apiVersion: [\w./-]{2,60}|services:)$")
_LISTS = frozenset({"containers", "initContainers", "containerStatuses", "services"})
_PROBES = {"livenessProbe": "liveness", "readinessProbe": "readiness", "startupProbe": "startup"}
_GOES_ON = lazy(r" *\\ *\n|\n *(?=-)")  # a shell's backslash, or a text that puts each option on a line of its own
_SECRET = lazy(r"TOKEN|KEY|SECRET|PASSW|CREDENTIAL", re.IGNORECASE)

_Values = dict[tuple[str | int, ...], Leaf]


def claims(head: str, _around: Around) -> bool:
    """The first line of either kind."""
    return _HEAD.match(head.rstrip()[:200]) is not None


def reads(lines: Sequence[Text], around: Around) -> Block:
    """What every container is asked for and how it ended."""
    outline = Outline(lines)
    containers: dict[tuple[str | int, ...], _Values] = {}
    events: list[Event] = []
    for leaf in outline.leaves:
        at = next((i for i, part in enumerate(leaf.path) if part in _LISTS), None)
        if at is not None and len(leaf.path) > at + 2:
            containers.setdefault(leaf.path[: at + 2], {})[leaf.path[at + 2 :]] = leaf
        elif leaf.path[-2:] == ("emptyDir", "sizeLimit"):
            events += _shared_memory(leaf, around, decimal=True)
    limited = [values for values in containers.values() if _limit(values)]
    for values in containers.values():
        events += _asked(values, around, alone=len(limited) == 1)
        events += _ended(values, around)
    return Block(max(outline.used, 1), outline.used if events else 0, events)


def _asked(values: _Values, around: Around, *, alone: bool) -> Iterator[Event]:
    argv, said = _command(values)
    image, limit = values.get(("image",)), _limit(values)
    if image:
        yield from release(image.value, around.at(image.line))
    if argv and said:
        yield CommandLine(where=around.at(said), text=shlex.join(argv)[:400], argv=argv)
    if limit and (alone or argv or (image and "sglang" in image.value)):  # a sidecar's limit is none of the server's
        amount = size(limit.value, limit.line.ref, decimal="limits" in limit.path and "deploy" not in limit.path)
        where, text = around.at(limit.line), limit.line.quoted
        yield CgroupMemory(where=where, text=text, limit=amount, said_by="manifest")
    if shared := values.get(("shm_size",)):
        yield from _shared_memory(shared, around, decimal=False)
    for key, probe in _PROBES.items():
        yield from _probe(values, key, probe, around)
    for path, leaf in values.items():
        if path[0] in {"env", "environment"}:
            yield from _variable(values, path, leaf, around)


def _limit(values: _Values) -> Leaf | None:
    paths = (("resources", "limits", "memory"), ("deploy", "resources", "limits", "memory"), ("mem_limit",))
    return next((values[path] for path in paths if path in values), None)


def _command(values: _Values) -> tuple[tuple[str, ...] | None, Text | None]:
    """The server's command line, from `command` and `args` (or compose's `entrypoint` and `command`)."""
    parts = [leaf for key in ("entrypoint", "command", "args") for path, leaf in values.items() if path[0] == key]
    if not parts:
        return None, None
    words = [leaf.value for leaf in parts]
    spelled = any(" -" in word or "\n" in word for word in words)
    text = " ".join(words) if spelled else shlex.join(words)
    script = _GOES_ON.sub(" ", text)
    found = (command_line(line) for line in script.split("\n") if not line.lstrip().startswith("#"))
    return next((argv for argv in found if argv), None), parts[0].line


def _probe(values: _Values, key: str, probe: str, around: Around) -> Iterator[ProbeSettings]:
    told = {path[1]: leaf for path, leaf in values.items() if path[0] == key and len(path) > 1}
    if not told:
        return
    line = next(iter(told.values())).line

    def figure(name: str, unit: str = "count") -> Amount[Any] | None:
        return count(told[name].value, told[name].line.ref, unit) if name in told else None

    figures: dict[str, Any] = {
        "delay": figure("initialDelaySeconds", "s"),
        "period": figure("periodSeconds", "s"),
        "failures": figure("failureThreshold"),
        "timeout": figure("timeoutSeconds", "s"),
    }
    yield ProbeSettings(where=around.at(line), text=line.quoted, probe=probe, **figures)


def _variable(values: _Values, path: tuple[str | int, ...], leaf: Leaf, around: Around) -> Iterator[Fact]:
    """`- name: X` with its `value: y` beside it, `X: y`, or `- X=y`."""
    if path[-1] == "value":
        name, value = values.get((*path[:-1], "name")), leaf.value
        key = name.value if name else ""
    elif isinstance(path[-1], int):
        key, _, value = leaf.value.partition("=")
    else:
        key, value = (str(path[-1]), leaf.value) if path[0] == "environment" else ("", "")
    if key.isidentifier() and not _SECRET.search(key):
        yield Fact(where=around.at(leaf.line), text=leaf.line.quoted, name=f"env.{key}", value=value[:300])


def _shared_memory(leaf: Leaf, around: Around, *, decimal: bool) -> Iterator[FilesystemListed]:
    total = size(leaf.value, leaf.line.ref, decimal=decimal)
    if total is not None:
        where, text = around.at(leaf.line), leaf.line.quoted
        yield FilesystemListed(where=where, text=text, mount="/dev/shm", device="shm", total=total)


def _ended(values: _Values, around: Around) -> Iterator[Event]:
    name = values[("name",)].value if ("name",) in values else ""
    for state in ("state", "lastState"):
        code, waiting = values.get((state, "terminated", "exitCode")), values.get((state, "waiting", "reason"))
        if waiting:
            yield Fact(where=around.at(waiting.line), text=waiting.line.quoted, name="pod.waiting", value=waiting.value)
        if code is None:
            continue
        reason, finished = (values.get((state, "terminated", key)) for key in ("reason", "finishedAt"))
        stamp = moment(finished.value) if finished else None
        line = code.line._replace(stamp=stamp) if stamp else code.line
        yield ExitCode(
            where=around.at(line),
            text=code.line.quoted,
            code=count(code.value, code.line.ref),
            reason=reason.value if reason else "",
            oom=True if reason and reason.value == "OOMKilled" else None,
            container=name,
        )
    restarts = values.get(("restartCount",))
    if restarts:
        amount = count(restarts.value, restarts.line.ref)
        where, text = around.at(restarts.line), restarts.line.quoted
        yield Fact(where=where, text=text, name="pod.restart-count", value=restarts.value, amount=amount)
