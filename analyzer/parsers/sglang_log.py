"""Drives one text source: lines to snapshots' blocks and to records, records to events and rows."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from analyzer.events import ClockRead, CommandLine
from analyzer.evidence import Where
from analyzer.folded import Folded
from analyzer.names import Latest
from analyzer.parsers import argv
from analyzer.parsers.around import Surroundings
from analyzer.parsers.block import Text
from analyzer.parsers.blocks import claimant, may_begin_block, read_block
from analyzer.parsers.heard import Listener
from analyzer.parsers.hush import Hush
from analyzer.parsers.orphans import adopted
from analyzer.parsers.rows import Rows
from analyzer.parsers.server_args import arguments
from analyzer.parsers.traceback import HIT, dump, exception
from analyzer.parsers.unclaimed import Unclaimed
from analyzer.parsers.window import Window
from analyzer.recognise import Recogniser
from analyzer.records import Reader, Record, is_header, left_out
from analyzer.scan.run import Heard

if TYPE_CHECKING:
    from analyzer.catalog import Catalog
    from analyzer.events import Event
    from analyzer.evidence import Ref, Stamp
    from analyzer.parsers.block import Block
    from analyzer.parsers.blocks import Parser
    from analyzer.parsers.texts import Texts
    from analyzer.scan.run import Run

KIND_OF_LOG = "sglang-log"
_MAX_CONTINUED = 80
_SHOWN = 400
_PLAIN = ""  # the node of lines that no wrapper gives one


class LogReader:
    """Reads one source to its end; the results are the attributes."""

    def __init__(self, texts: Texts, catalog: Catalog, rows: Rows | None = None) -> None:
        self.events: list[Event] = []
        self.errors: list[str] = []
        self.recognised = 0
        self.left_out = 0
        self.kinds: Counter[str] = Counter()
        self.first: Stamp | None = None
        self.last: Stamp | None = None
        self.rows = Rows() if rows is None else rows
        self._texts = texts
        self._window = Window(iter(texts))
        self._records = Reader()
        self._recogniser = Recogniser(catalog, texts.name)
        self._unclaimed = Unclaimed()
        self._in_code = Folded()
        self._listener = Listener(texts, self._recogniser, self._in_code, self._unclaimed)
        self._surroundings: dict[str, Surroundings] = {}  # of each node
        self._latest = Latest()
        self._counted = (0, 0)
        self._tried = 0

    @property
    def unknown_keys(self) -> Counter[str]:
        """Keys of steady-state lines that no column takes."""
        return self._recogniser.unknown_keys

    def read(self) -> None:
        """Reads every line."""
        while (line := self._window.take()) is not None:
            if isinstance(line, Hush):
                self._hush(line)
            elif isinstance(line, Heard):
                explained, tracebacks = self._listener.take(line)
                self.recognised += explained
                self.kinds[KIND_OF_LOG] += tracebacks
            elif not isinstance(line, Text):
                self._run(line)
            else:
                self._recogniser.names.key(
                    line.node
                )  # before its records come, which may be later than those of others
                self._line(line)
        self._flush()
        self.events += [*self._recogniser.finish(), *self._in_code.events(), *self._unclaimed.events()]
        backwards = -1 if self._texts.newest_first else 1
        self.events.sort(key=lambda event: (event.where.ref.line * backwards, event.where.ref.column))
        self.events = adopted(self.events)

    def _line(self, line: Text) -> None:
        if is_header(line.text):
            self._around(line.node).logged()
            self._log_line(line)
        elif lines := left_out(line.text):
            self._flush()  # nothing goes on over lines that are not there
            self.left_out += lines
            self.recognised += 1
        elif not line.text or not self._outside(line):
            self._log_line(line)

    def _around(self, node: str) -> Surroundings:
        """What a node's lines stand in; it is forgotten of one that was silent while a thousand others spoke."""
        gone = self._latest.meet(node)
        if gone is not None:
            self._surroundings.pop(gone, None)
        found = self._surroundings.get(node)
        if found is None:
            found = self._surroundings[node] = Surroundings(self._texts.name)
        return found

    def _run(self, run: Run) -> None:
        """Takes over what lines gave that were read in one go."""
        self._recogniser.names.key(run.node)
        self._around(run.node).logged()
        for record in self._records.passed(run.latest, run.node, agrees=run.agrees):
            self._record(record)
        self.first = self.first or run.earliest
        for error in run.errors:
            self._listener.error(error)
        self.last = run.latest
        self.recognised += run.known
        self.kinds[KIND_OF_LOG] += run.headed
        self._counted = (run.number, run.number)

    def _hush(self, run: Hush) -> None:
        """Passes over lines that say nothing, or nothing but events, as far as none belongs to what was said before."""

        def settled(stamp: Stamp | None) -> None:
            self.recognised += run.known
            for text, claims, ref in run.eventful():
                self._recogniser.take(claims, Record(ref, text, stamp=stamp))

        while len(run):
            if self._around(_PLAIN).echoed_above(run.number):
                self._line(run.take())
            elif self._records.may_pass(run):
                for record in self._records.pass_by(run, settled):
                    self._record(record)
                return
            else:
                self._log_line(run.take())

    def _log_line(self, line: Text) -> None:
        for record in self._records.feed(line):
            self._record(record)

    def _flush(self) -> None:
        for record in self._records.flush():
            self._record(record)

    def _outside(self, line: Text) -> bool:
        """Whether the line is no part of a log: an echo, a banner, a snapshot, a continued command."""
        text = line.text
        seen = self._around(line.node).see(line)
        if seen:
            self._flush()
            self._count(line.ref)
            if seen.stamp:
                where = Where(line.ref, seen.stamp, node=line.node)
                self._in_code.add(
                    "clock", line.ref.line, partial(ClockRead, where=where, text=text[:_SHOWN], label=seen.label)
                )
        if self._block(line):
            return True
        if argv.may_go_on(text) and line.ref.line > self._tried and self._continued(line):
            return True
        return seen is not None and not argv.may_hold_command(text)

    def _block(self, line: Text) -> bool:
        if not may_begin_block(line.text) and not self._around(line.node).echoed_just_now(line):
            return False
        try:
            found = self._claimed(line)
        except Exception as error:  # noqa: BLE001 - one parser's bug must not cost the rest of the log
            self.errors.append(f"{line.ref}: a snapshot could not be read ({error!r}); this is a bug, please report it")
            return False
        if found is None:
            return False
        parser, block = found
        self.recognised += block.understood
        self.kinds[parser.kind] += block.lines
        self.events += block.events
        for event in block.events:
            if isinstance(event, ClockRead):  # `date` above a snapshot dates it
                self._around(line.node).dated(event.where.stamp)
        return True

    def _claimed(self, line: Text) -> tuple[Parser, Block] | None:
        surroundings = self._around(line.node)
        around = surroundings.around(line, self._records.stamp)
        if not around.command and line.node in self._texts.hosts:  # `ansible all -a 'free -g'` stands above all hosts
            around = replace(around, command=self._around(_PLAIN).command)
        parser = claimant(line.text, around, asked=surroundings.echoed_just_now(line))
        if parser is None:
            return None
        self._flush()
        return parser, read_block(parser, line, self._window, around)

    def _continued(self, line: Text) -> bool:
        """A command over several lines, by backslashes or because a terminal broke it."""
        whole = line.text
        parts = [line]
        for following in self._window.peek(_MAX_CONTINUED, line.node):
            longer = argv.continued(whole, following.text)
            if longer is None:
                break
            whole = longer
            parts.append(following)
        words = argv.command_line(whole) if len(parts) > 1 else None
        if words is None:
            self._tried = parts[-1].ref.line
            return False
        self._flush()
        ref = line.ref._replace(last_line=parts[-1].ref.last_line, end=parts[-1].ref.end)
        self._command(words, Where(ref, line.stamp, node=line.node), line.text)
        self._window.skip(len(parts) - 1, line.node)
        self.recognised += len(parts)
        return True

    def _command(self, words: tuple[str, ...], where: Where, text: str) -> None:
        self._in_code.add(words, where.ref.line, partial(CommandLine, where=where, text=text[:_SHOWN], argv=words))

    def _record(self, record: Record) -> None:
        if record.direct:
            self.first = self.first or record.stamp
            self.last = record.stamp
        seen = self._recogniser.see(record)
        if seen.row:
            self.rows.add(*seen.row, record)
        in_code = not seen.row and not seen.private and self._read_in_code(record)
        self.kinds[KIND_OF_LOG] += bool(record.header or record.more)
        if in_code or seen.understood:
            self._count(record.ref)
        else:
            self._unclaimed.see(record)

    def _read_in_code(self, record: Record) -> bool:
        """Reads what no pattern can (arguments, tracebacks, command lines); whether there was any."""
        text = record.text
        if "server_args" in text[:160] and (printed := arguments("".join((text, *record.more)), _where(record))):
            self._in_code.add("arguments", record.ref.line, lambda: printed)
            return True
        if (record.more or "File " in text or HIT in text) and (raised := exception(record)):
            key = raised.type, record.rank, self._recogniser.names.key(record.node)
            self._in_code.add(key, record.ref.line, lambda: raised)
            return True
        if 'File "' in text and (stood := dump(record)):
            self._in_code.add((stood.name, record.rank), record.ref.line, lambda: stood)
            return True
        if argv.may_hold_command(text) and not record.more and (words := argv.command_line(text)):
            self._command(words, _where(record), text)
            return True
        return False

    def _count(self, ref: Ref) -> None:
        """Counts lines as understood, one that holds several records once."""
        first, last = self._counted
        shared = ref.line in {first, last} or ref.last_line in {first, last}
        self.recognised += ref.last_line - ref.line + 1 - shared
        self._counted = (ref.line, ref.last_line)


def _where(record: Record) -> Where:
    return Where(record.ref, record.stamp, record.direct, record.rank, node=record.node)
