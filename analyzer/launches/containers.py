"""Which of a host's containers is the server's, where a tool lists several: only its limits and counters concern it.

A cgroup's limits hold for everything below it, so groups on one path are one container. Of others, the one that runs
SGLang by its image or its command, or that is named after it, is the server's; where none or several are, nothing
tells, and each is a fact by name.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer.launches.ends import served
from analyzer.launches.owners import set_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from analyzer.launches.model import Timed

_SERVER = ("sglang", "sgl")  # the first of them that a name has
_FIGURES = ("limit", "used", "swap_limit", "oom_kills", "at_limit")


def of_the_server(outside: Sequence[Timed[ev.Event]]) -> list[Timed[ev.Event]]:
    """The same events in their order; figures of containers that may be anybody's are facts."""
    groups: dict[tuple[str, str], set[str]] = defaultdict(set)  # by node and tool: each names containers in its way
    for item in outside:
        if isinstance(item.event, ev.CgroupMemory) and item.event.group:
            groups[item.node, item.event.said_by].add(item.event.group)
    shown = served(outside)
    own = {place: _own(found, shown) for place, found in groups.items()}
    return [told for item in outside for told in _told(item, own)]


def _own(groups: Iterable[str], owners: dict[str, str]) -> frozenset[str]:
    """The server's, and those that it lies in."""
    ordered = sorted(groups, key=len)
    shown = [group for group in ordered if group in owners]
    if shown and len({set_of(owners[group]) for group in shown}) == 1:
        return frozenset(shown)
    named = ([group for group in ordered if word in group.lower()] for word in _SERVER)
    candidates = next((found for found in named if found), ordered)
    if not _is_path(candidates):
        return frozenset()
    return frozenset(group for group in ordered if _is_path([group, candidates[-1]]))


def _is_path(groups: Sequence[str]) -> bool:
    return all(f"{below}/".startswith(f"{above}/") for above, below in pairwise(groups))


def _told(item: Timed[ev.Event], own: dict[tuple[str, str], frozenset[str]]) -> Iterator[Timed[ev.Event]]:
    memory = item.event
    if not isinstance(memory, ev.CgroupMemory) or not memory.group or memory.group in own[item.node, memory.said_by]:
        yield item
        return
    for figure in _FIGURES:
        amount = getattr(memory, figure)
        if amount is not None:
            name, value = f"cgroup {memory.group} {figure}", str(int(amount.value))
            fact = ev.Fact(where=memory.where, text=memory.text, name=name, value=value, amount=amount)
            yield replace(item, event=fact)
