"""Peeled lines to records: glued headers split, tracebacks and multi-line messages joined, times carried over."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from analyzer.evidence import NO_RANK
from analyzer.names import Latest
from analyzer.records import headers, multiline
from analyzer.records.record import Record
from analyzer.records.tangled import untangled
from analyzer.scan import reach

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from analyzer.evidence import Ref, Stamp

    Settled = Callable[[Stamp | None], None]

_FIRST, _LAST = 50, 350
_HEAD = 80
_MAX_TWINS = 64
_SAME_CLOCK = 5.0  # seconds between a wrapper's time and the header inside it

# A request or an answer printed into the log: a header further on is a user's text.
_DUMPS = ("Receive: ", "Finish: ", "obj=GenerateReqInput(", '"request.received"', '"request.finished"')


class Physical(Protocol):
    """A line with its wrappers peeled off; `stamp` is the wrapper's time."""

    @property
    def text(self) -> str:
        """What the process wrote."""
        ...

    @property
    def ref(self) -> Ref:
        """Where it stands."""
        ...

    @property
    def stamp(self) -> Stamp | None:
        """The wrapper's time."""
        ...

    @property
    def node(self) -> str:
        """The wrapper's origin."""
        ...

    @property
    def severe(self) -> bool:
        """Whether the wrapper gave it the level of an error."""
        ...


class Quiet(Protocol):
    """Lines in a row without header and wrapper, none of which opens or ends anything."""

    def __len__(self) -> int: ...

    @property
    def opens_apart(self) -> bool:
        """Whether the first line goes on no message before it."""
        ...

    @property
    def apart(self) -> bool:
        """Whether no line goes on what was said before it."""
        ...

    @property
    def mute(self) -> bool:
        """Whether no line gives events."""
        ...

    def take(self) -> Physical:
        """The first line, which the run then no longer has."""
        ...


class Waiting(NamedTuple):
    """A run that may still be a part of what was said before it, and who is told when it is not."""

    run: Quiet
    settled: Settled


class Piece(NamedTuple):
    """A line, or the part of a line that one process wrote; `column` is where its message begins."""

    text: str
    column: int
    header: headers.Header | None


class Reader:
    """Reads the lines of one source in their order; every node that a wrapper names is read by itself.

    That holds for the thousand that spoke last. `stamp` is the time that a line without one would have now.
    """

    def __init__(self) -> None:
        self.stamp: Stamp | None = None
        self._joiners: dict[str, _Joiner] = {}
        self._latest = Latest()
        self._time_only = False

    def feed(self, line: Physical) -> Iterator[Record]:
        """The records that are complete once this line is known."""
        yield from self._let_go(line.node)
        joiner = self._joiner(line.node)
        for piece in self._pieces(line.text):
            yield from joiner.take(piece, line)
        self.stamp = joiner.stamp

    def flush(self) -> Iterator[Record]:
        """What was waiting for more lines (at a gap, before a snapshot, at the end)."""
        for joiner in self._joiners.values():
            yield from joiner.flush()

    def may_pass(self, run: Quiet) -> bool:
        """Whether silent lines that come now are records of their own that nobody reads."""
        joiner = self._joiners.get("")
        return joiner is None or joiner.may_pass(run)

    def pass_by(self, run: Quiet, settled: Settled) -> Iterator[Record]:
        """Takes in a run that `may_pass`, gives what it ends, and tells `settled` when it is known to be apart."""
        joiner = self._joiner("")
        yield from joiner.pass_by(run, settled)
        self.stamp = joiner.stamp

    def passed(self, latest: Stamp, node: str = "", *, agrees: bool | None = None) -> Iterator[Record]:
        """Takes note of records with headers that were read elsewhere, the first one dated, the last at this time.

        `agrees`: whether the clock of their wrappers, if they tell the time, is that of the headers. Gives what their
        first header ends.
        """
        yield from self._let_go(node)
        joiner = self._joiner(node)
        yield from joiner.flush()
        joiner.wrapper_agrees = joiner.wrapper_agrees if agrees is None else agrees
        self.stamp = joiner.stamp = latest
        self._time_only = False

    def _joiner(self, node: str) -> _Joiner:
        joiner = self._joiners.get(node)
        if joiner is None:
            joiner = self._joiners[node] = _Joiner(node)
        return joiner

    def _let_go(self, node: str) -> Iterator[Record]:
        """Takes note that a node speaks; what one was waiting for that was silent while a thousand others spoke."""
        gone = self._latest.meet(node)
        if gone is not None and (joiner := self._joiners.pop(gone, None)) is not None:
            yield from joiner.flush()

    def _pieces(self, text: str) -> list[Piece]:
        first = headers.at_start(text)
        if first and first.stamp:
            self._time_only = not first.stamp.dated
        begin = first.end if first else 0
        if not _may_hold_header(text, begin, time_only=self._time_only):
            return [Piece(text[begin:], begin, first)]
        return self._split(text, first, begin)

    def _split(self, text: str, first: headers.Header | None, begin: int) -> list[Piece]:
        pieces: list[Piece] = []
        while True:
            rest = headers.inside(text, begin, dated=not self._time_only)
            said = text[begin : rest.start if rest else None]
            if rest is None or any(dump in said for dump in _DUMPS):
                pieces.append(Piece(text[begin:], begin, first))
                return pieces
            if said.strip() or (first and first.rank != NO_RANK):
                pieces.append(Piece(said.rstrip(), begin, first))
            first, begin = rest, rest.end


def goes_on(message: str, latest: str, text: str) -> bool:
    """Whether a line without a header belongs to a message, the last of whose further lines is `latest`, if any."""
    return multiline.continues(message[:_HEAD] + latest if latest else message, text)


def _may_hold_header(text: str, begin: int, *, time_only: bool) -> bool:
    return text.find("[" if time_only else "[2", begin) >= 0


class _Joiner:
    """Joins the lines of one node."""

    def __init__(self, node: str) -> None:
        self.node = node
        self.stamp: Stamp | None = None
        self._pending: Record | None = None
        self._last: Ref | None = None
        self._state = _Idle
        self._held: list[tuple[str, Physical] | Waiting] = []
        self._waiting = 0  # lines that are held
        self._strangers = 0
        self._twins: list[Record] = []  # tracebacks opened before the pending one, none of their lines seen yet
        self._ends = 0
        self.wrapper_agrees = True

    def take(self, piece: Piece, line: Physical) -> Iterator[Record]:
        """The records that this piece completes."""
        if piece.header:
            if (
                self._pending
                and self._state is _Frames
                and not self._pending.more
                and len(self._twins) < _MAX_TWINS
                and multiline.begins_traceback(piece.text)
            ):
                self._twins.append(self._pending)  # two ranks write their tracebacks at once
                self._pending = None
            else:
                yield from self.flush()
            self._begin(self._headed_record(piece, piece.header, line), line.ref)
        elif self._state is _Frames:
            yield from self._in_traceback(piece.text, line, piece.column)
        elif self._state is _Ended:
            yield from self._after_traceback(piece.text, line)
        else:
            yield from self._loose(piece.text, line, piece.column)

    def may_pass(self, run: Quiet) -> bool:
        """Whether no line of the run goes on what is pending, or all of them wait with it."""
        if self._pending is None or self._state is _Ended:
            return True
        if self._state is _Said:
            return run.opens_apart and not multiline.is_cut(self._pending.text)
        if multiline.precedes_source((self._pending.more or [self._pending.text])[-1]):
            return False
        return run.apart and (run.mute or self._strangers + len(run) <= reach.STRANGERS)

    def pass_by(self, run: Quiet, settled: Settled) -> Iterator[Record]:
        """Gives what the run ends: a message at once, a traceback when it is too long to be something in between."""
        if self._state is _Ended:
            self._held.append(Waiting(run, settled))
            self._waiting += len(run)
            if self._waiting > reach.HELD:
                yield from self._release()
            return
        if self._state is _Frames:
            self._strangers += len(run)
        if self._state is not _Frames or self._strangers > reach.STRANGERS:
            yield from self.flush()
        settled(self.stamp)

    def flush(self) -> Iterator[Record]:
        """Everything that was waiting."""
        while self._pending:
            yield from self._release()

    def _release(self) -> Iterator[Record]:
        """The pending record, and the lines that were held in case its traceback goes on; they may begin another."""
        record, held, last, twins = self._pending, self._held, self._last, self._twins
        self._pending, self._held, self._state, self._strangers, self._waiting = None, [], _Idle, 0, 0
        self._twins, self._ends = [], 0
        if record:
            parts = untangled(record.more, len(twins) + 1)[::-1] if twins else [record.more]  # the first is the last's
            for each, more in zip((*twins, record), parts, strict=True):
                if more and last:
                    each.ref = _span(each.ref, last)
                each.more = _bounded(more)
                yield each
        for item in held:
            if isinstance(item, Waiting):
                yield from self.flush()
                item.settled(self.stamp)
            else:
                yield from self._loose(*item, 0)

    def _begin(self, record: Record, ref: Ref) -> None:
        self._pending, self._last = record, ref
        self._state = _Frames if multiline.begins_traceback(record.text) or multiline.is_frame(record.text) else _Said

    def _join(self, text: str, ref: Ref) -> None:
        if self._pending:
            self._pending.more.append(text)
            self._last = ref
            if len(self._pending.more) > 2 * reach.MORE:
                self._pending.more = _bounded(self._pending.more)

    def _headed_record(self, piece: Piece, header: headers.Header, line: Physical) -> Record:
        if header.stamp:
            if line.stamp and header.stamp.dated:
                apart = (header.stamp.moment - line.stamp.moment).total_seconds()
                self.wrapper_agrees = abs(apart) < _SAME_CLOCK
            self.stamp = header.stamp
        elif line.stamp and self.wrapper_agrees:
            self.stamp = line.stamp
        direct = header.stamp is not None or (line.stamp is not None and self.stamp is line.stamp)
        ref = line.ref._replace(column=line.ref.column + piece.column)
        return Record(ref, piece.text, [], self.stamp, direct, header.rank, header.name, self.node)

    def _plain(self, text: str, line: Physical, column: int) -> Record:
        """A record without a header: at the wrapper's time if that is the headers' clock, else at the time before."""
        year = self.stamp.moment.year if self.stamp and self.stamp.dated else None
        other = headers.of_other_writer(text, year)
        stamp, direct, name = self.stamp, False, ""
        if other:
            name, stamp, direct = other[0], other[1], True
            if self.stamp and self.stamp.moment < stamp.moment:
                self.stamp = stamp
        elif line.stamp and self.wrapper_agrees:
            self.stamp = stamp = line.stamp
            direct = True
        ref = line.ref._replace(column=line.ref.column + column) if column else line.ref
        return Record(ref, text, [], stamp, direct, NO_RANK, name, self.node, severe=line.severe)

    def _loose(self, text: str, line: Physical, column: int) -> Iterator[Record]:
        pending = self._pending
        opens = multiline.begins_traceback(text)
        if pending and self._state is _Said and text:
            further = goes_on(pending.text, pending.more[-1] if pending.more else "", text)
            joins = multiline.expects_traceback(pending.text) if opens else further
            if joins and len(pending.more) < reach.FURTHER:
                self._join(text, line.ref)
                self._state = _Frames if opens else _Said
                return
        if pending and not text and any(line.startswith("Thread ") for line in pending.more[:4]):
            return  # py-spy leaves a blank line between threads
        yield from self.flush()
        if not text:
            return
        record = self._plain(text, line, column)
        if opens or multiline.is_frame(text):
            self._begin(record, line.ref)
        else:
            yield record

    def _in_traceback(self, text: str, line: Physical, column: int) -> Iterator[Record]:
        if not text or multiline.is_inner(text) or multiline.begins_traceback(text):
            self._join(text, line.ref)
        elif multiline.ends_traceback(text):
            self._join(text, line.ref)
            self._ends += 1
            self._state = _Ended if self._ends > len(self._twins) else _Frames
        elif self._pending and multiline.precedes_source((self._pending.more or [self._pending.text])[-1]):
            self._join(text, line.ref)
        else:
            yield self._plain(text, line, column)
            self._strangers += 1
            if self._strangers > reach.STRANGERS:
                yield from self.flush()

    def _after_traceback(self, text: str, line: Physical) -> Iterator[Record]:
        if multiline.is_chain(text):
            for item in self._held:
                for held, other in _lines(item.run) if isinstance(item, Waiting) else [item]:
                    self._join(held, other.ref)
            self._held, self._waiting = [], 0
            self._join(text, line.ref)
            self._state = _Frames
            return
        if not self._held and multiline.is_below(text):
            self._join(text, line.ref)
            return
        self._held.append((text, line))
        self._waiting += 1
        if self._waiting > reach.HELD or multiline.begins_traceback(text):
            yield from self._release()


def _lines(run: Quiet) -> list[tuple[str, Physical]]:
    lines = [run.take() for _ in range(len(run))]
    return [(line.text, line) for line in lines]


def _span(first: Ref, last: Ref) -> Ref:
    """From the first line to the last, also where an export lists the newest line first."""
    if last.line < first.line:
        return first._replace(line=last.line, last_line=first.last_line, start=last.start, end=first.end, column=0)
    return first._replace(last_line=max(first.last_line, last.last_line), end=max(first.end, last.end))


def _bounded(more: list[str]) -> list[str]:
    while more and not more[-1].strip():
        more.pop()
    return more if len(more) <= reach.MORE else more[:_FIRST] + more[-_LAST:]


# What the pending record is waiting for.
_Idle, _Said, _Frames, _Ended = "idle", "said", "frames", "ended"
