"""Joined tracebacks as facts: which process, which exception came first, through which functions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from analyzer.events import CRASH_STACK, ExceptionRaised, Fact
from analyzer.evidence import Where
from analyzer.expression import lazy
from analyzer.knowledge.functions import EVENT_LOOP, LIFE_OF
from analyzer.records.multiline import TRACEBACK, ends_traceback, is_frame

if TYPE_CHECKING:
    from analyzer.records import Record

# A traceback inside a JSON string that somebody copied out of it has kept the string's own escapes.
_FRAME = lazy(r'\s*File \\?"(?:[^"]*[/\\])?([^"/\\]+)\\?", line \d+, in (.{1,100})')
# A frame of Python's own dump of a process that crashed, the innermost first.
_DUMPED = lazy(r'\s*File "(?:[^"]*[/\\])?([^"/\\]+)", line \d+ in (\w{1,100})')
# The source lines by which a scheduler is made and enters its loop: all that is left of either where its frame is cut.
_ENTERS = lazy(r"\s*scheduler(?:\.((?:run_)?event_loop\w*)\(\)| = Scheduler\()")
_MADE = "__init__"
HIT = " hit an exception: "  # how a process of SGLang's begins its last words
_OUTER, _INNER = 6, 18  # where a deep traceback came from, and where it ended
_SHOWN = 400
_PROCESSES = (
    ("TpModelWorkerClient", "scheduler"),
    ("DataParallelController", "controller"),
    ("DetokenizerManager", "detokenizer"),
    ("TokenizerManager", "tokenizer"),
    ("Scheduler hit", "scheduler"),
    ("ModelTpServer", "scheduler"),
    ("run_tp_server", "scheduler"),
    ("ControllerSingle", "controller"),
    ("ControllerMulti", "controller"),
)
# Functions of SGLang's own code that only a scheduler runs, while it starts, and that nobody calls who goes on after an
# error; other programs have functions of the same names.
_STARTS = frozenset({"load_model", "get_model", "init_kv_buffer", "capture_one_batch_size"})
_OWN = ("/sglang/srt/", "\\sglang\\srt\\")
_IMPORTED = ("/sglang/__init__.py", "\\sglang\\__init__.py")  # by `python -m sglang.launch_server`, before all else
# Heads of writers that report an exception and go on.
_GOES_ON = (
    "Exception in ASGI application",
    "Exception in callback",
    "Exception ignored in",
    "Task exception was never retrieved",
)


@dataclass(slots=True)
class _Raised:
    """One exception of a chain."""

    type: str
    message: str
    frames: list[str] = field(default_factory=list)
    life: str = ""


def exception(record: Record) -> ExceptionRaised | None:
    """The exception that a record's joined traceback tells of, or `None` where it has none.

    Of a chain the first one raised is named; `text` holds the last. A traceback cut before its end has an empty type,
    and no frames where nothing but a head that names the process is left.
    """
    if (
        TRACEBACK not in record.text
        and HIT not in record.text
        and not is_frame(record.text)
        and not any(TRACEBACK in line for line in record.more[:3])
    ):
        return None
    named = process_of(record.text)
    chain = _chain([record.text, *record.more], frameless=bool(named))
    if not chain and not (named and _is_head(record.text)):
        return None
    chain = chain or [_Raised("", "")]
    root, final = chain[0], chain[-1]
    process = named or _life(chain)
    return ExceptionRaised(
        where=Where(record.ref, record.stamp, record.direct, record.rank, process, record.node),
        text=f"{final.type}: {final.message}".strip(": ")[:_SHOWN],
        process=process,
        type=root.type,
        message=root.message,
        frames=_kept(root.frames),
        handled=record.text.removeprefix("ERROR:").strip().startswith(_GOES_ON),
    )


def _is_head(text: str) -> bool:
    """Whether a text is a process's own head: no sentence of a person's that quotes one."""
    return text.startswith("Exception in ") or (HIT in f"{text} " and " " not in text.partition(HIT)[0])


def dump(record: Record) -> Fact | None:
    """Where a thread of the server stood when Python's own handler wrote down a crash, the outermost call first."""
    found = [(line, frame) for line in (record.text, *record.more) if (frame := _DUMPED.match(line))]
    if not any(_life_of(line, frame[1], frame[2]) for line, frame in found):
        return None
    frames = [f"{frame[1]}:{frame[2]}" for _, frame in reversed(found)]
    where = Where(record.ref, record.stamp, record.direct, record.rank, "", record.node)
    return Fact(where=where, text=record.text[:_SHOWN], name=CRASH_STACK, value="\n".join(_kept(frames)))


def _kept(frames: list[str]) -> tuple[str, ...]:
    """The outermost and the innermost frames; a scheduler's event loop between them is the last of the outer ones."""
    if len(frames) <= _OUTER + _INNER:
        return tuple(frames)
    outer, between, inner = frames[:_OUTER], frames[_OUTER:-_INNER], frames[-_INNER:]
    loops = [frame for frame in between if frame.rpartition(":")[2].startswith(EVENT_LOOP)]
    return tuple([*outer[:-1], loops[-1], *inner] if loops else [*outer, *inner])


def process_of(head: str) -> str:
    """Which kind of process a head such as `Scheduler hit an exception: ` names; empty where none."""
    if HIT not in f"{head} " and not head.startswith("Exception in "):
        return ""
    return next((process for name, process in _PROCESSES if name in head), "")


def _life(chain: list[_Raised]) -> str:
    """Which process's own function the exception of a traceback without a head passed through; empty where none."""
    return next((raised.life for raised in chain if raised.life), "")


def _life_of(line: str, file: str, function: str) -> str:
    """The process whose whole life, or whose start, a frame is; empty for others."""
    if any(own in line for own in _OWN) and function in _STARTS:
        return "scheduler"
    if any(imported in line for imported in _IMPORTED) and function == "<module>":
        return "main"
    return LIFE_OF.get(file) or LIFE_OF.get(function, "")


def _chain(lines: list[str], *, frameless: bool) -> list[_Raised]:
    """The exceptions in the order in which they were raised; one whose end is missing has no type.

    `frameless`: an exception counts without its frames, which a reporter cut out or another process's lines took.
    """
    chain: list[_Raised] = []
    raised = _Raised("", "")
    entered = ""
    for line in lines:
        found = _FRAME.match(line)
        if found:
            file, function = found[1], found[2].strip()
            raised.frames.append(f"{file}:{function}")
            raised.life = raised.life or _life_of(line, file, function)
        elif (raised.frames or frameless) and not line[:1].isspace() and ends_traceback(line):
            name, _, message = line.partition(":")
            raised.type, raised.message = name, message.strip()[:_SHOWN]
            chain.append(raised if raised.frames else _through(entered, raised))
            raised, entered = _Raised("", ""), ""
        else:
            loop = _ENTERS.match(line)
            entered = (loop[1] or _MADE) if loop else entered
    if raised.frames or entered:
        chain.append(_through(entered, raised))
    return chain


def _through(entered: str, raised: _Raised) -> _Raised:
    """The same with what was entered, where its own frame is missing."""
    if entered and not any(frame.rpartition(":")[2].startswith((EVENT_LOOP, _MADE, "init")) for frame in raised.frames):
        raised.frames.append(f"scheduler.py:{entered}")
        raised.life = raised.life or LIFE_OF.get(entered, "")
    return raised
