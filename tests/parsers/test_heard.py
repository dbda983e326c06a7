"""What many lines say is what each of them says by itself: the same events, exceptions, errors and counts."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from analyzer.bundle import InMemory
from analyzer.catalog import Catalog
from analyzer.evidence import NO_RANK, Rank, Ref, Stamp
from analyzer.folded import KEPT, Folded
from analyzer.parsers.heard import Listener
from analyzer.parsers.silent import Silent
from analyzer.parsers.steady import Steady
from analyzer.parsers.texts import Texts
from analyzer.parsers.traceback import exception
from analyzer.parsers.unclaimed import Unclaimed
from analyzer.recognise import Recogniser
from analyzer.records import Record
from analyzer.scan.run import Eventful, Heard, Said, Says, Spot, Unit

if TYPE_CHECKING:
    from collections.abc import Iterable

CATALOG = Catalog.load()
SOURCE = "server.log"
BEGUN = datetime(2026, 2, 17, 10, 2, 51)
COLUMN = len("[2026-02-17 10:02:51 TP1] ")
SIZE = 1000  # bytes of a line, so that line `n` begins at byte `1000 * n`
REQUEST = Said("Receive: obj=GenerateReqInput(", Rank(tp=1))
FAILURE = "Failed to initialize NVML: Driver/library version mismatch"
OPENING = "Traceback (most recent call last):"
FRAMES = ['  File "/opt/scheduler.py", line 28, in run', "    loop()"]
RAISED = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.96 GiB."


class Listening:
    """A listener with all that it tells."""

    def __init__(self) -> None:
        self.recogniser, self.in_code, self.unclaimed = Recogniser(CATALOG, SOURCE), Folded(), Unclaimed()
        silent = Silent(CATALOG)
        silent.on = True
        texts = Texts(SOURCE, InMemory(b"").open(), Steady(CATALOG), silent)
        self.listener = Listener(texts, self.recogniser, self.in_code, self.unclaimed)

    def told(self) -> list[str]:
        return [repr(each) for each in (*self.recogniser.finish(), *self.in_code.events(), *self.unclaimed.events())]


class OneByOne(Listening):
    """The same of records that are read by themselves."""

    def see(self, record: Record) -> None:
        seen = self.recogniser.see(record)
        raised = None if seen.private else exception(record)
        if raised:
            self.in_code.add((raised.type, record.rank, record.node), record.ref.line, lambda: raised)
        elif not seen.understood:
            self.unclaimed.see(record)


def stamp(line: int) -> Stamp:
    moment = BEGUN + timedelta(seconds=line)
    return Stamp(f"{moment:%Y-%m-%d %H:%M:%S}", moment)


def spots(lines: Iterable[int], text: str = "", size: int = 1, column: int = COLUMN) -> list[Spot]:
    return [
        Spot(line, SIZE * line, SIZE * (line + size), column, stamp(line), text.format(line).encode()) for line in lines
    ]


def record(line: int, text: str, *more: str, rank: Rank = NO_RANK, column: int = COLUMN) -> Record:
    """The record of lines; with a header that takes up the columns before the message."""
    ref = Ref(SOURCE, line, line + len(more), SIZE * line, SIZE * (line + 1 + len(more)), column)
    return Record(ref, text, list(more), stamp(line), bool(column), rank, "sglang" if column else "")


def ends(lines: list[int]) -> list[int]:
    """The first and the last hundred."""
    return lines[:KEPT] + lines[KEPT:][-KEPT:]


def heard(what: Said | Unit | Eventful, lines: list[int], text: str = "") -> Heard:
    headed = isinstance(what, Said) or what.headed
    given = spots(ends(lines), text, what.lines if isinstance(what, Unit) else 1, COLUMN if headed else 0)
    return Heard(what, given, len(lines) - len(given))


def unit(*lines: str, headed: bool = False, rank: Rank = NO_RANK) -> Unit:
    return Unit("".join(f"{line}\n" for line in lines).encode(), headed, len(lines), rank)


def claimed(text: str, *, headed: bool = False, rank: Rank = NO_RANK) -> Eventful:
    return Eventful(Says(tuple(claim.pattern.id for claim in CATALOG.matcher.claims(text))), headed, rank)


COUNTS = [1, KEPT, KEPT + 1, 2 * KEPT, 3 * KEPT]


@pytest.mark.parametrize("count", COUNTS)
def test_requests_are_those_of_their_lines(count: int) -> None:
    lines = [7 * n for n in range(1, count + 1)]
    many, one = Listening(), OneByOne()
    assert many.listener.take(heard(REQUEST, lines)) == (0, 0)
    for line in lines:
        one.see(record(line, REQUEST.text, rank=REQUEST.rank))
    assert many.told() == one.told()
    assert len(many.told()) == min(count, 2 * KEPT)


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("headed", [False, True])
def test_each_line_gives_its_own_digits(count: int, headed: bool) -> None:  # noqa: FBT001 - a parameter
    text, rank, column = RAISED.replace("1.96", "{}.96"), Rank(tp=3) if headed else NO_RANK, COLUMN if headed else 0
    lines = [10 * n for n in range(1, count + 1)]
    many, one = Listening(), OneByOne()
    assert many.listener.take(heard(claimed(RAISED, headed=headed, rank=rank), lines, text)) == (0, 0)
    for line in lines:
        one.see(record(line, text.format(line), rank=rank, column=column))
    assert many.told() == one.told()
    assert "10.96 GiB" in many.told()[0]


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("rank", [None, NO_RANK, Rank(tp=3)])
def test_tracebacks_are_events_and_exceptions_at_their_places(count: int, rank: Rank | None) -> None:
    opening = "Scheduler hit an exception: " + OPENING if rank else OPENING
    traceback = unit(opening, *FRAMES, RAISED, headed=rank is not None, rank=rank or NO_RANK)
    lines = [7 * n for n in range(1, count + 1)]
    many, one = Listening(), OneByOne()
    assert many.listener.take(heard(traceback, lines)) == (4 * count, count)
    for line in lines:
        at = 0 if rank is None else COLUMN
        one.see(record(line, opening, *FRAMES, RAISED, rank=rank or NO_RANK, column=at))
    assert many.told() == one.told()
    assert len(many.told()) == 2 * min(count, 2 * KEPT), "what a pattern claims, and the exception"


def test_a_traceback_that_no_pattern_claims_is_an_exception() -> None:
    many, one = Listening(), OneByOne()
    assert many.listener.take(heard(unit(OPENING, *FRAMES, "KeyError: 'a'"), [5, 15])) == (8, 2)
    for line in (5, 15):
        one.see(record(line, OPENING, *FRAMES, "KeyError: 'a'", column=0))
    assert many.told() == one.told()
    assert len(many.told()) == 2


def test_lines_of_several_voices_and_single_ones_are_one_sequence_whichever_was_taken_first() -> None:
    told = {
        FAILURE: claimed(FAILURE),
        FAILURE + " on host {}": claimed(FAILURE),
        OPENING: unit(OPENING, *FRAMES, "RuntimeError: " + FAILURE),
    }
    order = [text for n in range(400) for text in told if (n * n + len(text)) % 3 or n % 7 == 0]
    alone = {20 * n for n in range(len(order)) if n % 5 == 0}  # those that are read by themselves

    def see(one: OneByOne, line: int) -> None:
        text = order[line // 20]
        more = [*FRAMES, "RuntimeError: " + FAILURE] if text == OPENING else []
        one.see(record(line, text.format(line), *more, column=0))

    one, several = OneByOne(), [OneByOne(), OneByOne()]
    for line in range(0, 20 * len(order), 20):
        see(one, line)
    groups = [
        heard(what, [20 * n for n, each in enumerate(order) if each == text and 20 * n not in alone], text)
        for text, what in told.items()
    ]
    for many, chosen in zip(several, (groups, groups[::-1]), strict=True):
        for line in sorted(alone):
            see(many, line)
        for each in chosen:
            many.listener.take(each)
        assert many.told() == one.told()


def test_lines_that_look_like_errors_are_one_with_their_count_and_the_first_place() -> None:
    text = "the frobnicator {} failed"
    what = Eventful(Says((), error=True), headed=True, rank=Rank(tp=3))
    many, one = Listening(), OneByOne()
    many.listener.error(Heard(what, spots([7], text), 4))
    many.listener.error(Heard(what, spots([90], text), 0))
    for line in (7, 8, 9, 10, 11, 90):
        one.see(record(line, text.format(line), rank=Rank(tp=3)))
    assert many.told() == one.told()
    assert many.unclaimed.events()[0].count == 6


def test_a_pattern_without_a_name_gives_no_event() -> None:
    many = Listening()
    unnamed = Eventful(Says(("",)), headed=False, rank=NO_RANK)
    many.listener.take(Heard(unnamed, spots([5], FAILURE, column=0), 0))
    assert many.told() == []


def test_a_traceback_that_the_records_refuse_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(ValueError, match="no traceback"):
        Listening().listener.take(heard(unit(OPENING, "another line", "and another"), [5]))
