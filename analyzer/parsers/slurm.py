"""Slurm's tables: how jobs ended (`sacct`), what is queued (`squeue`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.events import ExitCode, Fact, OrchestratorAct
from analyzer.expression import lazy
from analyzer.parsers.block import Block
from analyzer.parsers.bystanders import Row, of_server, serves
from analyzer.parsers.moments import moment
from analyzer.parsers.sizes import size
from analyzer.units import read

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analyzer.events import Event
    from analyzer.parsers.block import Around, Text

KIND = "slurm"
HEADS = ("JobID", "JOBID")

_ACTS = {
    "TIMEOUT": "timed-out",
    "DEADLINE": "timed-out",
    "PREEMPTED": "preempted",
    "CANCELLED": "killed",
    "NODE_FAIL": "evicted",
    "REVOKED": "evicted",
}
_JOB = lazy(r"\d{1,12}[\w.+\[\]%-]{0,40}$")
_EXIT = lazy(r"(\d{1,3}):(\d{1,3})$")
_LAST_SIGNAL = 64  # 125 in its place is Slurm's own word for "out of memory"
_RULE = lazy(r"[- ]+$")


def claims(head: str, _around: Around) -> bool:
    """A header whose first column is the job and which has a state."""
    words = _cells(head[:600])
    if not all(word[:1].isupper() for word in words):
        return False
    return words[:1] in (["JobID"], ["JOBID"], ["JobIDRaw"]) and bool({"State", "ST", "STATE"}.intersection(words))


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One fact per job step; what ended the server's, and its exit code where it is not zero."""
    names = _cells(lines[0].text)
    widths = [len(part) for part in lines[1].text.split(" ")] if len(lines) > 1 and _RULE.match(lines[1].text) else []
    steps: list[Row] = []
    used = 1
    for line in lines[1:]:
        if not _RULE.match(line.text[:600]):
            row = _fixed(widths, line.text[:600]) if widths else _cells(line.text[:600])
            if not row or not _JOB.match(row[0]):
                break
            cells = dict(zip(names, row, strict=False))
            server = serves("", command=line.text) or None  # a router's step may stand beside the server's
            steps.append(Row(f"job {_job(row[0])}", server, [*_events(cells, line, around)]))
        used += 1
    return Block(used, used, [*of_server(steps)])


def _job(step: str) -> str:
    """The job of a step: `123` of `123.batch`."""
    return step.partition(".")[0]


def _cells(text: str) -> list[str]:
    """The cells of a line, whether blanks or pipes (`--parsable2`) part them."""
    return [cell.strip() for cell in text.strip().strip("|").split("|")] if "|" in text else text.split()


def _fixed(widths: list[int], text: str) -> list[str]:
    """The cells of a row by the widths of the rule under the header; a cell may hold blanks or nothing."""
    cells: list[str] = []
    start = 0
    for width in widths:
        cells.append(text[start : start + width].strip())
        start += width + 1
    return cells


def _events(cells: dict[str, str], line: Text, around: Around) -> Iterator[Event]:
    job = cells.get("JobID", cells.get("JOBID", cells.get("JobIDRaw", "")))
    state = cells.get("State", cells.get("STATE", cells.get("ST", "")))
    stamp = moment(cells.get("End", ""))
    yield from ended(job, state, cells.get("ExitCode", ""), line._replace(stamp=stamp) if stamp else line, around)
    resident = size(cells.get("MaxRSS", ""), line.ref)
    if resident is not None:
        where, text = around.at(line), line.quoted
        yield Fact(where=where, text=text, name=f"job-rss {job}", value=cells["MaxRSS"], amount=resident)


def ended(job: str, state: str, exit_code: str, line: Text, around: Around) -> Iterator[Event]:
    """A job's state as a fact, what ended it, and its `code:signal` where that is not zero."""
    where, owner = around.at(line), f"job {_job(job)}"
    yield Fact(where=where, text=line.quoted, name=f"job {job}", value=state)
    word = state.partition(" ")[0].rstrip("+")
    act = next((act for name, act in _ACTS.items() if word and name.startswith(word) and len(word) > 2), None)  # noqa: PLR2004
    if act:
        yield OrchestratorAct(where=where, text=line.quoted, act=act, reason=state, owner=owner)
    code = _EXIT.match(exit_code)
    oom = len(word) > 3 and "OUT_OF_MEMORY".startswith(word)  # noqa: PLR2004 - cut to the column's width
    if oom or (code and code[0] != "0:0"):
        signal = int(code[2]) if code else 0
        number = (
            "" if code is None else code[1] if signal == 0 else str(128 + signal if signal < _LAST_SIGNAL else signal)
        )
        amount = read(number, "count", line.ref) if number not in {"", "0"} else None
        yield ExitCode(
            where=where, text=line.quoted, code=amount, reason=state, oom=oom or None, container=job, owner=owner
        )
