"""The commands to run next: what the input tells is put into them, and what decides most comes first."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from analyzer import contract
from analyzer import events as ev
from analyzer.ledgers.stacks import EVERY_STACK
from analyzer.vocabulary import Kind, Outcome, Role, Status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from analyzer.incident import Incident

_LIVING = (
    contract.Confirm(EVERY_STACK, "container", read_only=True, decides="where each rank waits"),
    contract.Confirm(
        "ps -eo pid,ppid,stat,wchan:30,rss,etime,args | grep sglang::",
        "host",
        read_only=True,
        decides="whether the ranks live, and in which state they wait",
    ),
    contract.Confirm(
        "free -g; dmesg -T | tail -50", "host", read_only=True, decides="whether memory ran out or a device failed"
    ),
)
_ENDED = (
    contract.Confirm(
        "docker logs CONTAINER > server.log 2>&1",
        "host",
        read_only=True,
        decides="what the server said from its first line to its last",
    ),
    contract.Confirm("dmesg -T | tail -50", "host", read_only=True, decides="whether the kernel or a driver ended it"),
)
# Asked where no finding asks anything; by whether there are processes left to look at.
_BY_OUTCOME = {
    Outcome.LAUNCH_SLOW: _LIVING,
    Outcome.LAUNCH_HUNG: _LIVING,
    Outcome.SERVING_HUNG: _LIVING,
    Outcome.ZOMBIE: _LIVING,
    Outcome.DEGRADED: _LIVING[:2],
    Outcome.UNKNOWN: (*_ENDED[:1], *_LIVING[1:]),
}
_MOST = 8


def exact(incident: Incident) -> Callable[[str], str]:
    """Puts the model's path, the log's name, the port, the container and the launch command where the words stand."""
    arguments = incident.arguments
    model, port = str(arguments.get("model_path") or ""), arguments.count("port")
    told: dict[str, Callable[[], str | None]] = {
        "MODEL_PATH" if model.startswith(("/", ".", "~")) else "MODEL_NAME": lambda: _quoted(model),
        "server.log": lambda: _quoted(_log(incident)),
        "localhost:30000": lambda: f"localhost:{port}" if port else None,
        "CONTAINER": lambda: next((t.event.container for t in incident.of(ev.ExitCode) if t.event.container), None),
        "python3 -m sglang.launch_server …": lambda: shlex.join(arguments.argv),
    }

    def fill(command: str) -> str:
        for word, value in told.items():
            if word in command:
                command = command.replace(word, value() or word)
        return command

    return fill


def _quoted(value: object) -> str | None:
    return shlex.quote(str(value)) if value else None


def _log(incident: Incident) -> str | None:
    """The file that the server's log was read from, without the archive or the folder that it came in."""
    name = next(iter(incident.launch.sources), "")
    return name.rpartition("!")[2].rpartition("/")[2] or None


def next_steps(
    verdict: contract.Verdict, findings: Sequence[contract.Finding], unknown: Sequence[contract.Unknown]
) -> list[contract.NextStep]:
    """What to run: for the root, for what contributed, then what would settle most of the open questions.

    Nothing where nothing is wrong. Where no finding asks anything, what any such outcome calls for.
    """
    outcome = Outcome(verdict.outcome)
    if outcome.fine:
        return []
    asked: dict[str, contract.NextStep] = {}
    for role in (Role.ROOT, Role.CONTRIBUTING):
        _ask(asked, ((f.id, f.confirm) for f in findings if f.role == role and f.launch == verdict.launch))
    settled = len(asked)
    if not _settled(findings, verdict):
        _ask(asked, ((u.id, u.confirm) for u in unknown))
    steps = list(asked.values())
    steps[settled:] = sorted(steps[settled:], key=lambda step: -len(step.findings))
    if not settled:
        _ask(asked, [("", _BY_OUTCOME.get(outcome, _ENDED))])
        steps += [step for step in asked.values() if step not in steps]
    return steps[:_MOST]


def _settled(findings: Sequence[contract.Finding], verdict: contract.Verdict) -> bool:
    """Whether the root is a cause that the lines prove: what else could not be checked decides nothing any more."""
    root = next((f for f in findings if f.role == Role.ROOT and f.launch == verdict.launch), None)
    return root is not None and root.kind != Kind.MANIFESTATION and root.status == Status.ESTABLISHED


def _ask(asked: dict[str, contract.NextStep], questions: Iterable[tuple[str, Sequence[contract.Confirm]]]) -> None:
    for id_, checks in questions:
        for check in checks:
            step = asked.setdefault(
                check.command, contract.NextStep(check.command, check.where, check.read_only, check.decides, [])
            )
            if id_ and id_ not in step.findings:
                step.findings.append(id_)
