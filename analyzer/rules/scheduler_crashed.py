"""A scheduler ended with an exception, and nothing more specific is known.

What it is. The first traceback of a scheduler process. SGLang's parent then receives SIGQUIT and kills the whole tree.

How it shows. `Scheduler hit an exception: Traceback …`, or a rank's process that ends by itself with a signal such as
-11 (segmentation fault).

What it is mistaken for. The lines after it (`Received sigquit from a child process`, `Killed`, exit code -9, peers'
NCCL and TCPStore errors) are consequences.

What confirms and refutes it. The exception's own text; the same exception on other ranks at the same moment.

How it is fixed. By the exception: search SGLang's issues for its last line.

Since and until which release. Any.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer.ledgers.endings import on_request
from analyzer.rule import rule
from analyzer.verdict import Claim, Cleared, Confirm, Found, Remedy
from analyzer.vocabulary import Part, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.incident import Incident
    from analyzer.launches import Timed
    from analyzer.verdict import Verdict

_OWN = frozenset({"scheduler", "main", "controller", "tokenizer"})
_SIGNALS = {-4: "illegal instruction", -6: "abort", -7: "bus error", -8: "arithmetic error", -11: "segmentation fault"}


@rule("scheduler-crashed")
def crashed(incident: Incident) -> Iterator[Verdict]:
    """The first exception of a process of the server; else a rank that ended by a signal of its own."""
    raised = [t for t in incident.of(ev.ExceptionRaised) if t.event.process in _OWN and not t.event.handled]
    raised = [t for t in raised if not on_request(t.event)]
    raised = [t for t in raised if t.event.process == "scheduler"] or raised
    signalled = [
        t for t in incident.of(ev.RankDead) if t.event.code is not None and int(t.event.code.value) in _SIGNALS
    ]
    if raised:
        yield _by_exception(raised)
    elif signalled:
        yield _by_signal(signalled)
    elif incident.ready:
        yield Cleared("no process of the server raised an exception")


def _by_exception(raised: list[Timed[ev.ExceptionRaised]]) -> Found:
    first = raised[0].event
    same = [t for t in raised if t.event.type == first.type]
    who = {t.process for t in same}
    where = f" in {first.frames[-1]}" if first.frames else ""
    return Found(
        summary=f"{raised[0].process} raised {first.type}{where}: {first.message[:160]}",
        claims=(Claim(Part.EFFECT, f"{len(who)} processes raised {first.type}", Status.ESTABLISHED, (raised[0].ref,)),),
        lines=tuple(t.ref for t in raised),
        remedy=(Remedy("fix", f"search SGLang's issues for: {first.type}: {first.message[:80]}"),),
        confirm=(
            Confirm("pip show sglang torch", "whether the installed versions are a tested set", where="container"),
        ),
        at=raised[0].at,
    )


def _by_signal(signalled: list[Timed[ev.RankDead]]) -> Found:
    first = signalled[0]
    code = int(first.event.code.value) if first.event.code is not None else 0
    return Found(
        summary=f"a rank ended with exit code {code} ({_SIGNALS[code]}), without an exception of its own",
        claims=(Claim(Part.EFFECT, first.event.text, Status.ESTABLISHED, (first.ref,)),),
        lines=tuple(t.ref for t in signalled),
        remedy=(Remedy("fix", "start with PYTHONFAULTHANDLER=1 to get the stack of the next one"),),
        confirm=(Confirm("dmesg -T | grep -i segfault", "in which library it happened"),),
        at=first.at,
    )
