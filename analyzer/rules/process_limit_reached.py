"""A limit on open files, processes, threads or mappings was reached.

What it is. The kernel or the container refuses another file descriptor (`ulimit -n`), thread or process (`ulimit -u`,
the container's pids limit) or memory mapping (vm.max_map_count). A server with many ranks opens thousands of sockets
and starts thousands of threads.

How it shows. `Too many open files`, `Resource temporarily unavailable` or `can't start new thread` from fork,
OpenBLAS or a thread pool, `Cannot allocate memory` from mmap while the host has plenty; at the start (process groups,
compile workers) or after hours, when connections pile up.

What it is mistaken for. A rendezvous or network failure, since sockets are what it hits first; a lack of memory.
`Fail to set RLIMIT_NOFILE` at the start is a warning that the limit stays as it is.

What confirms and refutes it. `cat /proc/PID/limits` of the scheduler, `ls /proc/PID/fd | wc -l`, the container's
pids.max and pids.current.

How it is fixed. A higher limit where the server is started (docker --ulimit nofile=65536:65536, --pids-limit -1,
LimitNOFILE= in a unit), or fewer ranks and connections per host.

Since and until which release. Any.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer import units
from analyzer.ledgers.spoken import AFTER_A_CRASH, by_its_lines, from_lines
from analyzer.rule import rule
from analyzer.verdict import Claim, Confirm, Remedy
from analyzer.vocabulary import Part, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.incident import Incident
    from analyzer.launches import Timed
    from analyzer.verdict import Found, Verdict

_TOPIC = "process-limit-reached"
_FILES, _PROCESSES, _MAPPINGS = "open-files", "user-processes", "mappings"
_CALLED = {_FILES: "open files", _PROCESSES: "processes and threads", _MAPPINGS: "memory mappings"}
_WORDS = {
    "open files": _FILES,
    "EMFILE": _FILES,
    "thread": _PROCESSES,
    "fork": _PROCESSES,
    "Resource temporarily unavailable": _PROCESSES,
    "max_map_count": _MAPPINGS,
    "mmap": _MAPPINGS,
}
_SAID = {_MAPPINGS: ("sysctl.vm.max_map_count",)}  # beside `ulimit`'s own name for it
_FIXES = {
    _FILES: "raise the limit on open files: ulimit -n 65536, docker --ulimit nofile=65536:65536, LimitNOFILE=65536",
    _PROCESSES: "raise the limit on processes: ulimit -u, docker --pids-limit -1, TasksMax=infinity",
    _MAPPINGS: "raise the limit on mappings: sysctl -w vm.max_map_count=1048576",
}
_CONFIRM = (
    Confirm(
        "cat /proc/$(pgrep -f sglang | head -1)/limits", "the limits that the server runs under", where="container"
    ),
    Confirm(
        "cat /sys/fs/cgroup/pids.max /sys/fs/cgroup/pids.current",
        "whether the container limits processes",
        where="container",
    ),
)


@rule(_TOPIC, explains=(*AFTER_A_CRASH, "kernel-compile-failed", "detokenizer-crashed", "graph-capture-failed"))
def reached(incident: Incident) -> Iterator[Verdict]:
    """The call that was refused, with the limit where a listing shows it."""
    yield from by_its_lines(incident, _TOPIC, _found)


def _found(incident: Incident, lines: list[Timed[ev.Failure]]) -> Found:
    text = lines[0].event.text
    which = next((name for words, name in _WORDS.items() if words in text), "")
    remedy = (Remedy("fix", _FIXES.get(which, "raise the limit that the message names where the server is started")),)
    found = from_lines(lines, remedy=remedy, confirm=_CONFIRM)
    summary = f"the limit on {_CALLED.get(which, 'processes or files')} was reached: {text[:160]}"
    names = (f"ulimit.{which}", *_SAID.get(which, ()))
    limit = next((t for t in incident.of(ev.Fact) if which and t.event.name in names), None)
    if limit is None or limit.event.amount is None:
        return replace(found, summary=summary)
    amount = limit.event.amount.called(f"limit on {_CALLED[which]}")
    whose = "kernel" if limit.event.name.startswith("sysctl.") else "shell"
    claim = Claim(Part.LIMIT, f"the {whose}'s limit is {units.shown(amount)}", Status.SUPPORTED, (limit.ref,))
    return replace(found, summary=summary, claims=(*found.claims, claim), numbers=(amount,))
