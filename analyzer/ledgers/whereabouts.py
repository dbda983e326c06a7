"""Where a server was whose launch no line shows: by a scheduler's stack, an exception's frames, the watchdog."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer.ledgers.stacks import stacks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.incident import Incident

# Functions of a scheduler that has left its launch behind, and steps that only a launch takes.
_EVENT_LOOP = (
    "event_loop",
    "run_batch",
    "process_batch_result",
    "recv_requests",
    "process_input_requests",
    "forward_thread_func",
    "loop_for_forward",
    "exposed_step",
)
_LAUNCH = (
    "init_torch_distributed",
    "init_model_worker",
    "init_tp_model_worker",
    "load_model",
    "init_memory_pool",
    "alloc_memory_pool",
    "init_cuda_graphs",
    "init_device_graphs",
    "capture_one_batch_size",
    "launch_subprocesses",
    "prepare_server_args",
)
_SCHEDULER = ("", "Scheduler")  # whose watchdog: up to 0.5.6 it does not say
_IMPORTS = ("ImportError", "ModuleNotFoundError")  # what only a program that is starting raises, mostly


def serving(incident: Incident) -> bool:
    """Whether its event loop ran: a frame of it, or a watchdog that only counts while a batch is in hand."""
    if _stands_in(incident, _LAUNCH):
        return False
    hard = any(not t.event.soft and t.event.name in _SCHEDULER for t in incident.of(ev.WatchdogFired))
    return hard or _stands_in(incident, _EVENT_LOOP)


def launching(incident: Incident) -> bool:
    """Whether a frame stands in a step that only a launch takes, or a module was missing."""
    missing = any(t.event.type.endswith(_IMPORTS) for t in incident.of(ev.ExceptionRaised))
    return missing or _stands_in(incident, _LAUNCH)


def _stands_in(incident: Incident, steps: tuple[str, ...]) -> bool:
    return any(name.lstrip("_").startswith(steps) for name in _functions(incident))


def _functions(incident: Incident) -> Iterator[str]:
    for item in incident.of(ev.ExceptionRaised):
        if item.event.process in {"scheduler", "main"}:
            yield from (frame.rpartition(":")[2] for frame in item.event.frames)
    for stack in stacks(incident):
        yield from (frame.function for frame in stack.frames)
