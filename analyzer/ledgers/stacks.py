"""Stacks of the ranks, joined: in which collective each waits, and who waits elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from analyzer import events as ev
from analyzer.immutable import immutable

if TYPE_CHECKING:
    from analyzer.incident import Incident
    from analyzer.launches import Timed

EVERY_STACK = "for p in $(pgrep -f sglang::sched); do py-spy dump --pid $p; done"
_PREFIX = "stack "
_COLLECTIVES = (
    "all_reduce",
    "all_gather",
    "all_to_all",
    "broadcast",
    "reduce_scatter",
    "barrier",
    "monitored_barrier",
    "gather",
    "scatter",
    "recv",
    "send",
)
# Layers between a collective and whoever asked for it.
_PLUMBING = (
    "torch/",
    "parallel_state.py",
    "communication_op.py",
    "pynccl",
    "contextlib.py",
    "c10d_logger.py",
    "utils/common.py",
)
_IDLE = ("recv_requests", "event_loop", "poll", "recv_pyobj")


class Frame(NamedTuple):
    """One call: `all_reduce` in `torch/distributed/distributed_c10d.py`."""

    function: str
    file: str


@immutable
class Stack:
    """The innermost calls of one process's main thread. `group` are the numbers that keep worlds and stages apart."""

    process: str
    group: tuple[str, ...]
    frames: tuple[Frame, ...]
    item: Timed[ev.Fact]

    @property
    def asked(self) -> Frame | None:
        """The innermost call that is SGLang's own business rather than the plumbing of a collective."""
        return next((f for f in self.frames if not any(p in f.file for p in _PLUMBING)), None)

    @property
    def waits_in(self) -> str | None:
        """The collective and who asked for it: `all_reduce of writing_check`; `None` where it waits in none."""
        named = next((f.function for f in self.frames[:4] if _collective(f)), None)
        return f"{named} of {self.asked.function if self.asked is not None else 'nobody known'}" if named else None

    @property
    def place(self) -> str:
        """Where it stands, for people."""
        return self.waits_in or (f"{self.frames[0].function} ({self.frames[0].file})" if self.frames else "nowhere")

    @property
    def idle(self) -> bool:
        """Whether it waits for a request."""
        return any(f.function.startswith(_IDLE) for f in self.frames[:3])


def stacks(incident: Incident) -> list[Stack]:
    """The last stack of every scheduler."""
    attention = incident.arguments.flag("enable_dp_attention")
    found: dict[str, Stack] = {}
    for item in incident.of(ev.Fact):
        if item.event.name.startswith(_PREFIX) and "schedul" in item.event.name:
            process = item.event.name.removeprefix(_PREFIX)
            parts = process.rpartition("scheduler")[2].split("_")
            apart = ("PP",) if attention else ("PP", "DP")
            group = tuple(p for p in parts if p.startswith(apart))
            frames = tuple(_frame(line) for line in item.event.value.split("\n") if line)
            found[f"{item.node}/{process}"] = Stack(process.rpartition(":")[2], group, frames, item)
    return list(found.values())


def _frame(line: str) -> Frame:
    function, _, where = line.rpartition(" (")
    return Frame(function.rpartition(".")[2], where.partition(":")[0].rstrip(")"))


def _collective(frame: Frame) -> bool:
    return frame.function.lstrip("_").startswith(_COLLECTIVES) and "distributed" in frame.file


def in_step(incident: Incident) -> list[dict[str, list[Stack]]]:
    """For every group of ranks that join the same collectives: the places where they wait, with their stacks."""
    groups: dict[tuple[str, ...], dict[str, list[Stack]]] = {}
    for stack in stacks(incident):
        groups.setdefault(stack.group, {}).setdefault(stack.place, []).append(stack)
    return [places for places in groups.values() if sum(map(len, places.values())) > 1]


def different(incident: Incident) -> dict[str, list[Stack]]:
    """Places of one group whose ranks wait in different collectives; empty where they agree."""
    for places in in_step(incident):
        waiting = {p: found for p, found in places.items() if found[0].waits_in is not None}
        if len(waiting) > 1:
            return waiting
    return {}


def elsewhere(incident: Incident) -> tuple[Stack, list[Stack]] | None:
    """The one rank of a group that works elsewhere while all others wait in one collective, and those others."""
    for places in in_step(incident):
        waiting = [found for found in places.values() if found[0].waits_in is not None]
        others = [stack for found in places.values() if found[0].waits_in is None for stack in found]
        if len(waiting) == 1 and len(others) == 1 and not others[0].idle:
            return others[0], waiting[0]
    return None
