"""Manifests in YAML: of Kubernetes (as written, or as `kubectl get -o yaml` shows them) and of docker compose.

What they ask for (command, limits, probes, shared memory) and, where a status is shown, how containers ended.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.expression import lazy
from analyzer.parsers import objects
from analyzer.parsers.block import Block
from analyzer.parsers.outline import Outline

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analyzer.events import Event
    from analyzer.parsers.block import Around, Text
    from analyzer.parsers.outline import Leaf

KIND = "manifest"
HEADS = ("apiVersion:", "services:")

_HEAD = lazy(r"(?:apiVersion: [\w./-]{2,60}|services:)$")


def claims(head: str, _around: Around) -> bool:
    """The first line of either kind."""
    return _HEAD.match(head.rstrip()[:200]) is not None


def reads(lines: Sequence[Text], around: Around) -> Block:
    """What every container is asked for and how it ended."""
    outline = Outline(lines)
    composed = [leaf for leaf in outline.leaves if leaf.path[1:2] == ("services",)]
    others = [leaf for leaf in outline.leaves if leaf.path[1:2] != ("services",)]
    events = [*objects.events(others, around, KIND), *_compose(composed, around)]
    return Block(max(outline.used, 1), outline.used if events else 0, events)


def _compose(leaves: list[Leaf], around: Around) -> Iterator[Event]:
    """The services of docker compose; of several limits only that of SGLang's counts."""
    services: dict[str, objects.Values] = {}
    for leaf in leaves:
        if len(leaf.path) > 3:  # noqa: PLR2004 - the document, the services, a service, a key of its
            services.setdefault(str(leaf.path[2]), {})[leaf.path[3:]] = leaf
    servers = {name for name, values in services.items() if objects.shown_to_serve(name, values)}
    limited = [name for name, values in services.items() if objects.limit(values)]
    for name, values in services.items():
        own = name in servers or len(limited) == 1
        yield from objects.asked(values, around, KIND, name, limits=own, beside=bool(servers))
