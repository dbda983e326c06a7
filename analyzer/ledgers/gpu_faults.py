"""Faults that drivers report of a GPU: what each means, and whether it has to do with this server's end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from analyzer import events as ev
from analyzer import knowledge
from analyzer.expression import lazy
from analyzer.immutable import immutable
from analyzer.ledgers import endings
from analyzer.ledgers.elsewhere import all_ranks
from analyzer.ledgers.processes import own_pids
from analyzer.ledgers.spoken import record
from analyzer.verdict import Cleared, Unknown
from analyzer.vocabulary import Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.evidence import Instant
    from analyzer.incident import Incident
    from analyzer.launches import Timed
    from analyzer.verdict import Confirm, Verdict

Class = Literal["hardware", "either", "consequence"]

_BEFORE = 60.0  # seconds: a driver may write its record before or after the process hears of the fault
_AFTER = 60.0
_SOON = 5.0  # a kernel's fault comes before the error that it causes
_PID = lazy(r"\bpid[= ]'?(\d{1,10})\b")
_NAME = lazy(r"\bname=(?!<?unknown)[^\s,]")
_ONLY_RECORDED = frozenset({"Xid 63", "Xid 64", "Xid 92"})
GPU_TOPICS = ("illegal-memory-access", "gpu-fault", "gpu-hardware-error")  # error lines that speak of a GPU
_SGLANG = ("name=sglang", "process sglang")
_ANYBODYS = ("name=python", "process python", "name=pt_main", "name=ray::")  # what its processes may be called as well
_PYTHONS = ("python", "pt_main", "ray::")
# Words of records that carry no Xid.
_WORDED: dict[str, tuple[Class, str]] = {
    "fallen off the bus": ("hardware", "the GPU no longer answers on the bus"),
    "GPU is lost": ("hardware", "the driver has lost the GPU"),
    "SXid": ("hardware", "an NVSwitch reported an error of the fabric"),
    "RAS": ("hardware", "the driver recorded an uncorrectable error of the GPU"),
    "page fault": ("either", "a kernel used an invalid address, less often driver or hardware"),
    "GPU reset": ("either", "the driver reset the GPU after a hang"),
}
# What a driver also writes under these words at every start, or for an error that it has mended.
_UNDER_WORDS = {"RAS": ("uncorrect", "poison", "fatal"), "SXid": (" Fatal",)}
_MENDED = (" 0 uncorrectable", "no uncorrectable", " 0 uncorrected")


@immutable
class Fault:
    """One record: `kind` says whom the vendor suspects, `says` what it means, `link` how surely it is this server's."""

    item: Timed[ev.GpuFault]
    kind: Class
    says: str
    link: Status
    why: str

    @property
    def text(self) -> str:
        """Code and meaning, for people."""
        event = self.item.event
        named = " ".join(part for part in (event.detail, event.code) if part) if self.own else event.code
        return f"{named} ({self.says})"

    @property
    def own(self) -> bool:
        """Whether the server's own runtime says it, rather than the kernel's log."""
        return bool(self.item.event.where.pattern)


def faults(incident: Incident, *kinds: Class) -> list[Fault]:
    """The records of these kinds, those that surely concern the server first, then by time."""
    found = [made for item in incident.of(ev.GpuFault) if (made := _fault(incident, item)) and made.kind in kinds]
    return sorted(found, key=lambda f: (-f.link.strength, f.item.at.seconds if f.item.at else float("inf")))


def concerns(incident: Incident, fault: Fault) -> bool:
    """Whether a record may have to do with the end.

    One of unknown time does where the server's own error speaks of a GPU too, or where it has none.
    """
    if fault.link is Status.HYPOTHESIS:
        return open_to_question(incident)
    return fault.link is not Status.UNKNOWN


def open_to_question(incident: Incident) -> bool:
    """Whether the server's own error speaks of a GPU, or it has none."""
    return bool(incident.failures(*GPU_TOPICS)) or endings.own_error(incident) is None


def left_open(fault: Fault, confirm: tuple[Confirm, ...]) -> Iterator[Verdict]:
    """What is said of a record that does not count: why not, or what would tell whether it does."""
    text = fault.text
    if fault.kind == "consequence":
        yield Cleared(f"{text}: it follows another fault or a killed process", (fault.item.ref,))
    elif fault.link is Status.HYPOTHESIS:
        yield Unknown(f"the time of {text}: the server's own error is another one", confirm)
    else:
        yield Cleared(f"{text}: {fault.why}", (fault.item.ref,))


def _fault(incident: Incident, item: Timed[ev.GpuFault]) -> Fault | None:
    meaning = _meaning(item.event)
    if meaning is None:
        return None
    if item.event.where.pattern:
        return Fault(item, *meaning, Status.ESTABLISHED, "it stands in the server's own output")
    return Fault(item, *meaning, *_link(incident, item, meaning[0]))


def _meaning(event: ev.GpuFault) -> tuple[Class, str] | None:
    """What a record means; `None` for one that only notes something."""
    if event.where.pattern:
        status = knowledge.hsa_status(event.detail)
        return "either", status[1] if status is not None else "the runtime ended the GPU's work"
    word, _, number = event.code.partition(" ")
    known = knowledge.xid(int(number)) if word == "Xid" and number.isdigit() else None
    if known is not None:
        if known.kind == "notice":
            return None
        return "either" if known.kind == "program" else known.kind, known.sentence
    if word == "Xid":
        return "either", "a fault that is not in the table of codes"
    code = next((code for code in _WORDED if event.code.startswith(code)), None)
    needed = _UNDER_WORDS.get(code or "", ("",))
    said = any(words in event.text for words in needed) and not any(words in event.text for words in _MENDED)
    if code is None or not said:
        return None
    return _WORDED[code]


def _link(incident: Incident, item: Timed[ev.GpuFault], kind: Class) -> tuple[Status, str]:
    """Whether a record concerns this server: by its process, and by its time.

    `UNKNOWN` where it does not: another day's, or what another program's kernel did wrong on its own channel (a card's
    fault is everybody's). `HYPOTHESIS` where it has no time of its own.
    """
    ours, stranger = _process(incident, item.event)
    when = _moment(incident)
    if stranger and kind != "hardware":
        return Status.UNKNOWN, stranger
    if when is None or item.at is None or not item.event.where.direct:
        return (Status.SUPPORTED, f"it names {ours}") if ours else (Status.HYPOTHESIS, "its time is not known")
    first, last = when
    late = _AFTER if kind == "hardware" else _SOON
    if not first.seconds - _BEFORE <= item.at.seconds <= last.seconds + late:
        return Status.UNKNOWN, "its time is not that of the server's end"
    if ours:
        return Status.ESTABLISHED, f"it names {ours}, at the moment of the server's end"
    if item.event.code in _ONLY_RECORDED and not incident.failures(*GPU_TOPICS):
        return Status.UNKNOWN, "it only records memory that was mended, and no error of a GPU is near"
    return Status.SUPPORTED, "it falls into the moment of the server's end"


def _process(incident: Incident, event: ev.GpuFault) -> tuple[str, str]:
    """What makes the process that a record names the server's, or else another's: at most one of the two is told.

    By its number, where a listing shows it or all ranks; else by its name, which others may have as well.
    """
    found = _PID.search(event.text)
    own, others, whole = _known(incident)
    pid = int(found[1]) if found else 0
    if pid in own:
        return f"the server's process {pid}", ""
    if pid in others or (pid and whole):
        return "", f"it names process {pid}, which is none of the server's"
    if any(name in event.text for name in (*_SGLANG, *_ANYBODYS)):
        return "a process of the server's name", ""
    return "", "it names another process" if _NAME.search(event.text) else ""


def _known(incident: Incident) -> tuple[frozenset[int], frozenset[int], bool]:
    """The numbers of the server's processes by the listings, those of others, and whether all ranks are among them.

    A Python that says no more of itself may be the server's.
    """
    rows = incident.of(ev.ProcessListed)
    listed = {t.event.pid: t.event.command for t in rows}
    listed |= {t.event.pid: t.event.command for t in incident.of(ev.GpuProcess) if t.event.pid not in listed}
    servers = frozenset(pid for pid, command in listed.items() if "sglang" in command)
    ranks = frozenset(t.event.pid for t in rows if "sglang::schedul" in t.event.command)
    own = own_pids(incident, rows) if ranks else servers
    beside = {pid for pid, command in listed.items() if not any(name in command for name in _PYTHONS)}
    return own, frozenset(beside | servers) - own, all_ranks(incident, ranks & own)


def _moment(incident: Incident) -> tuple[Instant, Instant] | None:
    """From the last progress to the first error or kill: a fault of the server's lies near one of them."""
    ended = endings.own_error(incident) or endings.kill(incident)
    signs = [s.at for s in (incident.timeline.progress,) if s is not None]
    ends = [ended.item.at] if ended is not None and ended.item.at is not None else []
    known = sorted((*signs, *ends), key=lambda at: at.seconds)
    return (known[0], known[-1]) if known else None


def who(incident: Incident, item: Timed[ev.Failure]) -> str:
    """The rank that an error line is from: its header's, else the one that the same line's text names."""
    if item.rank.label():
        return item.process
    here = record(item.ref)
    named = (t.event.rank_text for t in incident.of(ev.Failure) if t.event.rank_text and record(t.ref) == here)
    rank = item.event.rank_text or next(named, "")
    return f"{item.node}/rank {rank}" if rank else item.process
