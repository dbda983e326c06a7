"""The server's own first request failed.

What it is. After uvicorn is up SGLang asks itself for its model info and for a few tokens; only when that was
answered is it ready. The answer did not come, or came from somebody else.

How it shows. `Initialization failed. warmup error: …` with the traceback of the asking thread; `Exception in thread
Thread-1 (_wait_and_warmup)`; then the server ends itself, and a shell prints `Killed`.

What it is mistaken for. A crash of the scheduler: that has a traceback of its own, and then is the cause. The OOM
killer.

What confirms and refutes it. The status in the answer: SGLang does not answer 502, 504 or 407, and always answers
JSON: a proxy does otherwise. `env | grep -i proxy`.

How it is fixed. Behind a proxy: no_proxy=localhost,127.0.0.1,0.0.0.0. For a slow first request: pre-compiled kernels,
or --skip-server-warmup as a test.

Since and until which release. Any.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer.ledgers.launch_command import with_flag
from analyzer.ledgers.spoken import decisive, in_time
from analyzer.rule import rule
from analyzer.verdict import Claim, Confirm, Found, Remedy
from analyzer.vocabulary import Part, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.evidence import Ref
    from analyzer.incident import Incident
    from analyzer.launches import Timed
    from analyzer.verdict import Verdict

_TOPIC = "warmup-failed"
_NOT_OURS = ("502", "504", "407", "403")  # statuses that SGLang's own HTTP server does not give to a generation
_CONFIRM = (
    Confirm("env | grep -i proxy", "whether a proxy stands between the server and itself", where="container"),
    Confirm(
        "curl -sv --noproxy '*' http://127.0.0.1:30000/get_model_info",
        "whether it answers without a proxy",
        where="container",
    ),
)


@rule(_TOPIC, explains=("scheduler-crashed", "killed-by-unknown-sender", "launch-stalled"))
def failed(incident: Incident) -> Iterator[Verdict]:
    """The error of the asking thread, with who seems to have answered."""
    lines = in_time(decisive(incident, _TOPIC))
    if lines:
        yield _found(incident, lines)


def _found(incident: Incident, lines: list[Timed[ev.Failure]]) -> Found:
    raised = _raised(incident, lines)
    what = f"{raised.event.type}: {raised.event.message}"[:160] if raised is not None else lines[0].event.text[:160]
    stranger = raised is not None and _stranger(raised.event)
    proxies = [
        t for t in incident.of(ev.Fact) if t.event.name.lower() in {"env.http_proxy", "env.all_proxy"} and t.event.value
    ]
    spared = any("127.0.0.1" in t.event.value or "localhost" in t.event.value for t in _spared(incident))
    text = "the answer is not one that SGLang gives: something between answered"
    if proxies and not spared:
        text += f"; {proxies[0].event.name.removeprefix('env.')} is set and no_proxy spares no loopback"
    link = Claim(Part.LINK, text, Status.SUPPORTED, tuple(t.ref for t in proxies)) if stranger else None
    return Found(
        summary=f"the server's own first request failed: {what}" + (f"; {text}" if stranger else ""),
        claims=(
            Claim(Part.EFFECT, what, Status.ESTABLISHED, tuple(t.ref for t in lines[:4])),
            *((link,) if link else ()),
        ),
        lines=(*(t.ref for t in lines), *((raised.ref,) if raised is not None else ()), *_echoes(incident)),
        remedy=_remedies(incident, stranger=stranger),
        confirm=_CONFIRM,
        at=lines[0].at,
        not_known=() if stranger else ("why the first request failed",),
    )


def _raised(incident: Incident, lines: list[Timed[ev.Failure]]) -> Timed[ev.ExceptionRaised] | None:
    """The exception of the asking thread: in the same record, or the one right below."""
    first = lines[0].ref
    near = [
        t
        for t in incident.of(ev.ExceptionRaised)
        if t.ref.source == first.source and first.line <= t.ref.line <= first.line + 2
    ]
    return near[0] if near else None


def _stranger(raised: ev.ExceptionRaised) -> bool:
    """Whether the answer came from something other than SGLang: another status, or no JSON."""
    if "JSONDecodeError" in raised.type or "ProxyError" in raised.type:
        return True
    return any(f"[{status}]" in raised.message or f"status_code={status}" in raised.message for status in _NOT_OURS)


def _spared(incident: Incident) -> list[Timed[ev.Fact]]:
    return [t for t in incident.of(ev.Fact) if t.event.name.lower() == "env.no_proxy"]


def _echoes(incident: Incident) -> tuple[Ref, ...]:
    return tuple(t.ref for t in incident.of(ev.KilledPrinted, ev.InitializationFailed))


def _remedies(incident: Incident, *, stranger: bool) -> tuple[Remedy, ...]:
    if stranger:
        return (
            Remedy("fix", "export no_proxy=localhost,127.0.0.1,0.0.0.0 (or unset http_proxy) and launch again"),
            Remedy("prevent", "set no_proxy in the image or the pod, for the probes as well"),
        )
    return (
        Remedy(
            "mitigate",
            "start with --skip-server-warmup, to see whether a request of your own fails the same way",
            argument="skip_server_warmup",
            after="on",
            command_line=with_flag(incident, "skip_server_warmup"),
            risk="the first real request meets what the warm-up met",
        ),
    )
