"""A scheduler ended with an exception, and nothing more specific is known.

What it is. The first traceback of a scheduler process. SGLang's parent then receives SIGQUIT and kills the whole tree.

How it shows. `Scheduler hit an exception: Traceback …`, a rank's process that ends by itself with a signal such as -11
(segmentation fault), or its last words (`Fatal Python error: Segmentation fault`).

What it is mistaken for. The lines after it (`Received sigquit from a child process`, `Killed`, exit code -9, peers'
NCCL and TCPStore errors) are consequences.

What confirms and refutes it. The exception's own text; the same exception on other ranks at the same moment.

How it is fixed. By the exception: search SGLang's issues for its last line.

Since and until which release. Any.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer import units
from analyzer.ledgers.endings import ends_it, on_request
from analyzer.ledgers.gpu_shortage import phase_of
from analyzer.ledgers.spoken import decisive
from analyzer.rule import rule
from analyzer.verdict import Claim, Cleared, Confirm, Found, Remedy
from analyzer.vocabulary import Part, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.incident import Incident
    from analyzer.launches import Timed
    from analyzer.verdict import Verdict

_SOUGHT = 100  # characters; longer texts find nothing
_OWN = frozenset({"scheduler", "main", "controller", "tokenizer"})
_SIGNALS = {-4: "illegal instruction", -6: "abort", -7: "bus error", -8: "arithmetic error", -11: "segmentation fault"}
_PHASE_DECIDES = Remedy(
    "fix",
    "add the log from its first line on: while loading the weights are too large, at graph capture or while serving "
    "--mem-fraction-static leaves too little beside the pools",
)


@rule("scheduler-crashed")
def crashed(incident: Incident) -> Iterator[Verdict]:
    """The first exception of a process of the server; else a rank that ended by a signal of its own, or says so."""
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
    elif said := decisive(incident, "scheduler-crashed"):
        yield _by_last_words(said)
    elif lacking := [t for t in incident.of(ev.GpuOutOfMemory) if ends_it(incident, t) and not phase_of(incident, t)]:
        yield _by_shortage(lacking)
    elif incident.ready:
        yield Cleared("no process of the server raised an exception")


def _by_exception(raised: list[Timed[ev.ExceptionRaised]]) -> Found:
    first = raised[0].event
    same = [t for t in raised if t.event.type == first.type]
    who, kind = {t.process for t in same}, first.type or "an exception whose text is cut off,"
    where = f" in {first.frames[-1]}" if first.frames else ""
    said = f": {first.message[:160]}" if first.message else ""
    sought = f"{first.type}{f': {_short(first.message)}' if first.message else where}".strip()
    many = units.many(len(who), "process")
    return Found(
        summary=f"{raised[0].process} raised {kind}{where}{said}".rstrip(","),
        claims=(Claim(Part.EFFECT, f"{many} raised {kind.rstrip(',')}", Status.ESTABLISHED, (raised[0].ref,)),),
        lines=tuple(t.ref for t in raised),
        remedy=(_remedy(first, sought),),
        confirm=(
            Confirm("pip show sglang torch", "whether the installed versions are a tested set", where="container"),
        ),
        at=raised[0].at,
    )


def _remedy(first: ev.ExceptionRaised, sought: str) -> Remedy:
    if first.type.endswith("OutOfMemoryError"):
        return _PHASE_DECIDES
    if not first.type:
        return Remedy("fix", f"add the log until the exception's own line; else search SGLang's issues for: {sought}")
    return Remedy("fix", f"search SGLang's issues for: {sought}")


def _by_shortage(lacking: list[Timed[ev.GpuOutOfMemory]]) -> Found:
    """A GPU that ran out in a log that does not show at which step."""
    text = lacking[0].event.text[:200]
    return Found(
        summary=f"a process ran out of GPU memory, in which phase no line shows: {text[:160]}",
        claims=(Claim(Part.EFFECT, text, Status.ESTABLISHED, tuple(t.ref for t in lacking[:8])),),
        lines=tuple(t.ref for t in lacking),
        remedy=(_PHASE_DECIDES,),
        confirm=(Confirm("docker logs CONTAINER > server.log 2>&1", "in which phase it ran out"),),
        at=lacking[0].at,
        not_known=("whether the weights, the pools, the graphs or a request asked for it",),
    )


def _by_last_words(said: list[Timed[ev.Failure]]) -> Found:
    """A crash of native code, as the process or its shell printed it."""
    first = said[0].event
    return Found(
        summary=f"a process of the server crashed in native code: {first.detail or first.text[:120]}",
        claims=(Claim(Part.EFFECT, first.text[:200], Status.ESTABLISHED, tuple(t.ref for t in said[:8])),),
        lines=tuple(t.ref for t in said),
        remedy=(Remedy("fix", "search SGLang's issues for the functions in the stack below that line"),),
        confirm=(Confirm("dmesg -T | grep -i segfault", "in which library it happened"),),
        at=said[0].at,
    )


def _short(message: str) -> str:
    """What of a message is worth searching: its first sentence, whole words."""
    first = message.partition("  ")[0].partition(". ")[0]
    return first if len(first) <= _SOUGHT else first[:_SOUGHT].rpartition(" ")[0]


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
