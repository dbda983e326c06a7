"""A process on the host bounds serving: the GPU has room, and answers are slow all the same.

What it is. One detokenizer and one tokenizer process serve all ranks, each on one core. Where their work fills that
core, requests wait outside of the scheduler, whose queues stay empty.

How it shows. `sglang::detokenizer` (or the main process) at 100% in `top` while token usage is low and nothing waits;
a first token that takes tens of seconds although prefill is quick.

What it is mistaken for. A full KV pool or a cap (then the scheduler's queue is not empty). A scheduler at 100% means
nothing: it polls. An average of `ps` over a long life hides or invents a peak.

What confirms and refutes it. `top -H` under load; `py-spy record` of the busy process.

How it is fixed. More tokenizer or detokenizer workers (--tokenizer-worker-num), less work per token (no log
probabilities, longer --stream-interval), several servers behind a router.

Since and until which release. Any; --tokenizer-worker-num from 0.5.3 on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer import units
from analyzer.ledgers.serving import fullness
from analyzer.ledgers.throughput import sustained_drop
from analyzer.rule import rule
from analyzer.units import assumed
from analyzer.verdict import Claim, Cleared, Confirm, Found, Remedy
from analyzer.vocabulary import Part, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.incident import Incident
    from analyzer.launches import Timed
    from analyzer.ledgers.serving import Full
    from analyzer.verdict import Verdict

_BUSY = assumed("90", "percent", "a process that also sleeps does not fill a core")
_NAMES = ("sglang::detoken", "sglang::tokeniz", "sglang.launch_server", "sglang serve", "sglang::http_server")
_FEW = 0.2  # share of decode lines with a queue
_CONFIRM = (
    Confirm("top -H -b -n 3 -d 5 | grep -E 'sglang|python' | head -40", "which thread fills a core while requests run"),
    Confirm("py-spy record -d 30 -o busy.svg --pid PID", "what the busy process does", where="container"),
)
_REMEDY = (
    Remedy("fix", "more workers for it (--tokenizer-worker-num N), or several servers behind a router"),
    Remedy("mitigate", "less work per token: --stream-interval 8 or more, no log probabilities, --skip-tokenizer-init"),
)


@rule("host-cpu-bound")
def bound(incident: Incident) -> Iterator[Verdict]:
    """A process beside the schedulers at a full core, while the schedulers have room and no queue."""
    busy = [t for t in incident.of(ev.ProcessListed) if _fills_a_core(t.event)]
    listed = [t for t in incident.of(ev.ProcessListed) if any(n in t.event.command for n in _NAMES)]
    full = fullness(incident)
    if not incident.ready or not listed:
        return
    if busy and full is not None and full.queued <= _FEW * full.rows:
        yield _found(incident, busy, full)
    elif not busy:
        yield Cleared("no process beside the schedulers fills a core", (listed[0].ref,))


def _fills_a_core(event: ev.ProcessListed) -> bool:
    return event.cpu is not None and event.cpu.value >= _BUSY.value and any(n in event.command for n in _NAMES)


def _found(incident: Incident, busy: list[Timed[ev.ProcessListed]], full: Full) -> Found:
    first = busy[0].event
    complained = [t for t in incident.of(ev.Complaint) if t.event.topic == "slow"]
    drop = sustained_drop(incident)
    name = first.command.split(" ")[0]
    lines = tuple(t.ref for t in busy[:8])
    cpu = first.cpu.called(f"share of a core used by {name}") if first.cpu is not None else None
    room = f"requests wait in {full.queued} of {full.rows} decode lines"
    hurt = bool(complained) or drop is not None
    effect = complained[0].event.text[:160] if complained else "generation became much slower at the same load"
    return Found(
        summary=f"{name} (pid {first.pid}) fills a core while the schedulers have room: {room}",
        claims=(
            Claim(Part.LIMIT, f"{name} uses {units.shown(cpu) if cpu else 'all'} of a core", Status.SUPPORTED, lines),
            Claim(
                Part.DEMAND, f"{room}, so they do not wait for the GPUs", Status.ESTABLISHED, (full.first, full.last)
            ),
            Claim(
                Part.EFFECT,
                effect if hurt else "nobody says that answers are slow",
                Status.SUPPORTED if hurt else Status.HYPOTHESIS,
                tuple(t.ref for t in complained[:4]),
            ),
        ),
        numbers=(cpu,) if cpu is not None else (),
        lines=(*lines, *(t.ref for t in complained)),
        remedy=_REMEDY,
        confirm=_CONFIRM,
        at=busy[0].at,
        harm=hurt,
        sum=f"{name} {float(first.cpu.value if first.cpu else 1):.0%} of a core; {room}",
    )
