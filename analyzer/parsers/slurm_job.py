"""One job as `scontrol show job` and `seff` describe it: its state, exit code, end, and the memory it asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.events import Fact
from analyzer.expression import lazy
from analyzer.parsers.block import Block
from analyzer.parsers.bystanders import serves, workload
from analyzer.parsers.moments import moment
from analyzer.parsers.sizes import size
from analyzer.parsers.slurm import ended

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analyzer.events import Event
    from analyzer.parsers.block import Around, Text

KIND = "slurm-job"
HEADS = ("JobId=", "Job ID: ")

_SHOW = lazy(r"JobId=(\d{1,12}) ")
_SEFF = lazy(r"Job ID: (\d{1,12}(?:_\d{1,8})?)$")
_PAIR = lazy(r"(?:^|\s)([A-Z][\w/:*]{1,40})=(\S{0,400})")
_LINE = lazy(
    r"(Cluster|Array Job ID|User/Group|State|Nodes|Cores(?: per node)?|CPU Utilized|CPU Efficiency|Job Wall-clock time"
    r"|Memory Utilized|Memory Efficiency): (.{1,200})$"
)
_STATE = lazy(r"(\w+)(?: \(exit code (\d{1,3})\))?")
_MEMORY = lazy(r"(?:^|,)mem=(\d[\d.]{0,12}[KMGT]?)(?:,|$)")
_FIGURE = lazy(r"(\d[\d.]{0,12}) ?([KMGT]B)")


def claims(head: str, _around: Around) -> bool:
    """The line that names the job."""
    line = head.rstrip()[:600]
    return _SHOW.match(line) is not None or _SEFF.match(line) is not None


def reads(lines: Sequence[Text], around: Around) -> Block:
    """The same facts and events as a row of `sacct` gives, and what memory the job asked for and used."""
    first = lines[0].text.rstrip()[:600]
    shown, brief = _SHOW.match(first), _SEFF.match(first)
    told: dict[str, tuple[str, Text]] = {}
    used = 1
    for line in lines:
        text = line.text.rstrip()[:2000]
        pairs = _PAIR.findall(text) if shown else _LINE.findall(text)
        if line is not lines[0]:
            if not pairs or (shown and not text.startswith(" ")):
                break
            used += 1
        for key, value in pairs:
            told.setdefault(key, (value, line))
    job = shown or brief
    return Block(used, used, list(_events(job[1], told, around)) if job else [])


def _events(job: str, told: dict[str, tuple[str, Text]], around: Around) -> Iterator[Event]:
    state, line = told.get("JobState") or told.get("State") or ("", None)
    found = _STATE.match(state)
    if line is None or found is None:
        return
    words = " ".join(told[key][0] for key in ("JobName", "Command") if key in told)
    server = serves("", command=words) or None
    yield workload(f"job {job}", around.at(line), line.quoted, server=server)
    code = told["ExitCode"][0] if "ExitCode" in told else f"{found[2]}:0" if found[2] else ""
    stamp = moment(told["EndTime"][0]) if "EndTime" in told else None
    yield from ended(job, found[1], code, line._replace(stamp=stamp) if stamp else line, around)
    asked = _MEMORY.search(told["TRES"][0]) if "TRES" in told else None
    if asked:
        said = told["TRES"][1]
        amount = size(asked[1], said.ref)
        yield Fact(where=around.at(said), text=said.quoted, name=f"job-memory {job}", value=asked[1], amount=amount)
    for key, name in (("Memory Utilized", "job-rss"), ("Memory Efficiency", "job-memory")):
        value, said = told.get(key, ("", line))
        figure = _FIGURE.search(value.rpartition(" of ")[2])
        if figure:
            amount = size(figure[1] + figure[2], said.ref)
            yield Fact(where=around.at(said), text=said.quoted, name=f"{name} {job}", value=figure[0], amount=amount)
