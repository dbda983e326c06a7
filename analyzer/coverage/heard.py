"""What the program hears in one message: the lines that it makes in a log, through records and patterns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from analyzer.coverage.filling import TRACE, filled
from analyzer.evidence import Ref, Where
from analyzer.parsers.block import Text
from analyzer.parsers.server_args import arguments
from analyzer.parsers.traceback import exception, process_of
from analyzer.parsers.unclaimed import looks_like_error
from analyzer.records import Reader

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.catalog import Catalog, Claim
    from analyzer.coverage.messages import Message
    from analyzer.coverage.wording import Wording
    from analyzer.events import ExceptionRaised
    from analyzer.records import Record

_HEADER: Final = "[2026-01-05 10:00:00 TP3] "
_ROOT: Final = "/usr/lib/python3/dist-packages/sglang/"
# Which process runs a module, by the beginning of its path: the head of its report of an exception, its own function.
_PROCESSES: Final = (
    ("srt/managers/detokenizer", "DetokenizerManager hit an exception: ", "run_detokenizer_process"),
    ("srt/managers/data_parallel", "DataParallelController hit an exception: ", "run_data_parallel_controller_process"),
    ("srt/managers/controller", "Exception in ControllerSingle: ", "start_controller_process"),
    ("srt/entrypoints/", "", "launch_server"),
    ("srt/server", "", "launch_server"),
    ("srt/arg_groups/", "", "prepare_server_args"),
    ("srt/configs/", "", "launch_server"),
    ("srt/", "Scheduler hit an exception: ", "run_scheduler_process"),
)
_KEPT: Final = 400  # characters that an event keeps of a message
_READ_IN_CODE: Final = "(read in code)"


class Heard(NamedTuple):
    """What became of a message's lines.

    `patterns` are the ids of those that claim it, or the one word for what is read in code (arguments, the head of a
    process's exception); `contested` are pairs of patterns of which neither expects the other; `raised` where an
    exception was read, for a raise with its own type, message and place; `shown` where a report would show it among
    the error lines that nothing explains.
    """

    patterns: tuple[str, ...] = ()
    contested: tuple[tuple[str, str], ...] = ()
    raised: bool = False
    shown: bool = False


def lines(message: Message, wording: Wording) -> list[str]:
    """The physical lines that a message makes in a server's log."""
    said = filled(wording)
    if message.usage:
        return [f"launch_server.py: error: argument --this: {said}"]
    if message.level == "raise":
        return _traceback(message, said)
    trace = f"\n{TRACE}" if message.traced else ""
    header = "" if message.level == "print" else _HEADER
    return f"{header}{said}{trace}".split("\n")


def _traceback(message: Message, said: str) -> list[str]:
    head, life = next((head, life) for path, head, life in _PROCESSES if message.module.startswith(path))
    raising = message.function.rpartition(".")[2] or "<module>"
    told = [f"{_HEADER if head else ''}{head}Traceback (most recent call last):"]
    for file, line, function in (("srt/life.py", 1, life), (message.module, message.line, raising)):
        told += [f'  File "{_ROOT}{file}", line {line}, in {function}', "    step()"]
    return [*told, *f"{message.type}: {said}".split("\n")]


def heard(catalog: Catalog, message: Message, wording: Wording) -> Heard:
    """What patterns and the readers of arguments and tracebacks make of the lines of a message."""
    said = filled(wording)
    found = [_of_record(catalog, record, message, said) for record in _records(lines(message, wording))]
    return Heard(
        tuple(dict.fromkeys(name for one in found for name in one.patterns)),
        tuple(dict.fromkeys(pair for one in found for pair in one.contested)),
        any(one.raised for one in found),
        any(one.shown for one in found),
    )


def _records(told: list[str]) -> Iterator[Record]:
    reader = Reader()
    for number, text in enumerate(told, 1):
        yield from reader.feed(Text(text, Ref("message", number, number)))
    yield from reader.flush()


def _of_record(catalog: Catalog, record: Record, message: Message, said: str) -> Heard:
    event = exception(record)
    raised = event is not None and (message.level != "raise" or _as_raised(event, message, said))
    steady = next((head.pattern.id for head in catalog.heads if record.text.startswith(head.text)), "")
    claims = [] if steady else catalog.matcher.claims(record.text, record.more)
    names = [steady] if steady else [claim.pattern.id for claim in claims]
    if not names and message.level != "raise" and (_arguments(record) or (raised and process_of(record.text))):
        names = [_READ_IN_CODE]
    return Heard(tuple(names), tuple(_contests(claims)), raised, not names and looks_like_error(record.text))


def _as_raised(event: ExceptionRaised, message: Message, said: str) -> bool:
    """Whether an exception was read with the type, the message, the function and (with a header) the rank it has."""
    headed = next(head for path, head, _ in _PROCESSES if message.module.startswith(path))
    first = said.partition("\n")[0].strip()[:_KEPT]
    function = message.function.rpartition(".")[2] or "<module>"
    place = f"{message.module.rpartition('/')[2]}:{function}"
    told = (event.type, event.message, event.frames[-1:], event.where.rank.tp)
    return told == (message.type, first, (place,), 3 if headed else None)


def _arguments(record: Record) -> bool:
    text = "".join((record.text, *record.more))
    return "server_args" in text[:160] and arguments(text, Where(record.ref)) is not None


def _contests(claims: list[Claim]) -> Iterator[tuple[str, str]]:
    """Pairs of patterns that say something of the same text; the head of a record and its exception are two texts."""
    known = {claim.pattern.id: claim for claim in claims}
    for first, one in known.items():
        for second, other in known.items():
            expected = second in one.pattern.also or first in other.pattern.also
            same = one.subject in other.subject or other.subject in one.subject
            if first < second and same and not expected:
                yield first, second
