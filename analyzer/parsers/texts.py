"""A source's physical lines with their wrappers off, in the order in which they were written."""

from __future__ import annotations

from collections import Counter, deque
from itertools import chain, islice, pairwise
from typing import TYPE_CHECKING

from analyzer.evidence import Ref
from analyzer.layers import HEAD_LINES, UNTOLD, Peeled, Peeler, Piece, reader_for
from analyzer.parsers.block import Around, Text
from analyzer.parsers.blocks import claimant, may_begin_block
from analyzer.parsers.breaks_off import LOOKED_AT, breaks_off
from analyzer.parsers.hush import Hush
from analyzer.records import header_stamp
from analyzer.scan import Line, lines, silence
from analyzer.scan.run import Heard
from analyzer.scan.silence import Silence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from analyzer.bundle import Stream
    from analyzer.evidence import Stamp
    from analyzer.layers import Entries
    from analyzer.parsers.hush import Item, Said
    from analyzer.parsers.silent import Silent
    from analyzer.parsers.steady import Steady
    from analyzer.scan.run import Run

MAX_REVERSED = 2_000_000  # lines of a newest-first export that are turned round at once
_LAID_OUT_LINES = 3000
_MOST_ORIGINS = 4096
_FEW = 4
_MANY_TIMES = 5
_MAX_PARTS = 256
_LONG = 2000  # characters at either end by which a line is compared with those before it
_SHOWN = 40  # characters by which the inner text is found again in its line
_PART, _PADDED = "part", "padded"  # why a line may go on in the next
_BLANKS = " " * 8
_NARROW = 100  # characters; a terminal's full line is longer


class Texts:
    """Iterates over the lines of one source; the counts are complete when the iteration is.

    `explained` counts lines that are understood and say nothing by themselves: the header of a table, a host's name.
    `hosts` are those whose outputs stand here, `origins` all that wrappers name, in the order in which
    they were met.

    `said` gives text and claims of a line without a header that gives events, `units` what tracebacks are.
    """

    def __init__(self, name: str, stream: Stream, steady: Steady | None = None, silent: Silent | None = None) -> None:
        self.name = name
        self.lines = 0
        self.undecodable = 0
        self.cut = 0
        self.explained = 0
        self.hosts: set[str] = set()
        self.origins: dict[str, None] = {}
        self.newest_first = False
        self.units = steady.units if steady else None
        self.layers: Counter[str] = Counter()
        self._latest: deque[str | bytes] = deque(maxlen=LOOKED_AT)
        self.said: Said = silent.said if silent is not None else lambda raw: (raw.decode(), [])
        self._scanned: Iterator[Line | Run | Silence | Heard] = _scanned(stream, steady, silent)
        head = [line for line in islice(self._scanned, HEAD_LINES) if isinstance(line, Line)]
        make = reader_for([line.text for line in head], Line)
        self._peeler = Peeler([line.text for line in head] if make is None else [], _kind_of)
        if self._peeler.laid_out or make:  # one message takes many lines: see more of them before the order is told
            head += [line for line in islice(self._scanned, _LAID_OUT_LINES) if isinstance(line, Line)]
        self._entries: Entries[Line] | None = None
        if make:
            shown = [piece.peeled for line in _each(make(), head) for piece in line if piece.peeled]
            self._peeler = Peeler([peeled.text for peeled in shown[:HEAD_LINES]], _kind_of)
            self.newest_first = newest_first([self._stamp(peeled.text, peeled.stamp) for peeled in shown])
            self._entries = make()
        else:
            self.newest_first = newest_first([self._stamp(line.text) for line in head])
        self._raw = chain(head, self._scanned)
        self._steady = steady
        in_order = not self.newest_first and make is None
        wrapped = in_order and _wrapped([self._peeler.peel(line.text) for line in head])
        if steady:
            steady.on = in_order and (wrapped or not self._peeler.told)
        if silent is not None:
            silent.on = in_order and not self._peeler.told
        if steady and silent is not None and wrapped:
            steady.wear(self._peeler)
            silent.wear(self._peeler)

    @property
    def node(self) -> str:
        """The origin that the wrappers of lines name which were read in one go."""
        return self._steady.node if self._steady else ""

    def __iter__(self) -> Iterator[Item]:
        """Every line; a JSON message with line breaks gives several texts of one line.

        What a runtime or a terminal cut into several lines is one text again. Runs stand for lines that were read in
        one go.
        """
        texts = _whole(self._texts())
        return _turned(texts) if self.newest_first else texts

    def breaks_off(self, *, ended: bool) -> bool:
        """Whether what was written last is incomplete, once all lines have been read; `ended`: with a line end."""
        if self.newest_first:
            return False
        if self._entries:
            return self._entries.open
        latest = [text if isinstance(text, str) else _shortened(text.decode()) for text in self._latest]
        peeled = [self._peeler.peel(text).text for text in latest]
        if latest and latest[-1].endswith(" "):
            peeled[-1] += " "
        return breaks_off(peeled, ended=ended)

    def _alone(self, line: Line) -> Text:
        """A line of a silent run as the text that it would have been by itself."""
        peeled = self._peeler.peel(line.text)
        self._named(peeled.node)
        return self._whole_text(line, peeled)

    def _stamp(self, text: str, outer: Stamp | None = None) -> Stamp | None:
        peeled = self._peeler.peel(text)
        return header_stamp(peeled.text) or peeled.stamp or outer

    def _texts(self) -> Iterator[tuple[Item, str]]:
        if self._entries:
            yield from self._of_entries(self._entries)
            return
        cut = ""
        for line in self._raw:
            if isinstance(line, Line):
                self._count(line)
                for text, cut in self._peeled(line):
                    yield text, cut
            elif isinstance(line, Silence):
                self.lines += len(line)
                self._latest.extend(line.last(LOOKED_AT))
                self.layers.update({"ansi": line.coloured} if line.coloured else ())
                if cut:  # the first line may be the rest of the one before
                    yield self._alone(line.take()), ""
                    cut = ""
                yield Hush(line, self.said, self.name, self._alone), ""
            elif isinstance(line, Heard):
                yield line, ""
            else:
                self.lines += line.lines
                self._latest.clear()  # the lines of a run are whole, and what stood before it is not the end
                self.layers.update({"ansi": line.coloured} if line.coloured else ())
                self.layers.update(line.layers)
                yield line, ""

    def _of_entries(self, entries: Entries[Line]) -> Iterator[tuple[Item, str]]:
        """The lines of entries that take several each; nothing is read in one go here."""
        for entry in _each(entries, (line for line in self._raw if isinstance(line, Line)), self._count):
            for piece in reversed(entry) if self.newest_first else entry:
                yield from self._of_piece(piece) if piece.peeled else self._peeled(piece.line)

    def _of_piece(self, piece: Piece[Line]) -> Iterator[tuple[Text, str]]:
        outer = piece.peeled or Peeled("")
        self._named(outer.node)
        inner = self._peeler.peel(outer.text)
        self._wrapped(inner._replace(names=outer.names + inner.names, host=inner.host or outer.host))
        self.explained += not outer.text and piece.first == piece.last
        ref = self._ref(piece.line)._replace(line=piece.first.number, last_line=piece.last.number)
        cut = _PART if inner.partial or outer.partial else ""
        parts = [(part, each) for each in inner.each or (inner,) for part in each.text.split("\n")]
        for part, each in reversed(parts) if self.newest_first else parts:
            place = ref._replace(column=max(0, piece.line.text.find(part[:_SHOWN])))
            stamp, node = each.stamp or outer.stamp, each.node or outer.node
            yield Text(part.rstrip(), place, stamp, node, each.severe), cut

    def _peeled(self, line: Line) -> Iterator[tuple[Text, str]]:
        text = line.text
        if text[:3] == "[20" and text[11:12] == " " and "\x1b" not in text and not self._peeler.stamped:
            yield Text(text.rstrip(), self._ref(line)), _padding(text)
            return
        peeled = self._peeler.peel(text)
        if peeled.names:
            self._wrapped(peeled)
        if "\n" in peeled.text or peeled.each:
            parts = [(part, each) for each in peeled.each or (peeled,) for part in each.text.split("\n")]
            for part, each in reversed(parts) if self.newest_first else parts:  # all lines are turned round in the end
                yield Text(part.rstrip(), self._ref(line), each.stamp, each.node), ""
        else:
            yield self._whole_text(line, peeled), _PART if peeled.partial else _padding(text)

    def _wrapped(self, peeled: Peeled) -> None:
        self.layers.update(peeled.names)
        if peeled.host:
            self.hosts.add(peeled.host)
        self._named(peeled.host)
        for each in peeled.each or (peeled,):
            self._named(each.node)

    def _named(self, origin: str) -> None:
        if origin and len(self.origins) < _MOST_ORIGINS:
            self.origins[origin] = None

    def _whole_text(self, line: Line, peeled: Peeled) -> Text:
        ref = self._ref(line)
        if peeled.names:
            ref = ref._replace(column=max(0, line.text.find(peeled.text[:_SHOWN])))
        return Text(peeled.text, ref, peeled.stamp, peeled.node, peeled.severe)

    def _ref(self, line: Line) -> Ref:
        return Ref(self.name, line.number, line.number, line.start, line.end)

    def _count(self, line: Line) -> None:
        self.lines += 1
        self._latest.append(_shortened(line.text))
        self.undecodable += line.undecodable
        self.cut += line.cut


def _kind_of(text: str) -> str:
    """The kind of the snapshot that a line begins, wherever it stands; empty for any other line."""
    parser = claimant(text, Around("")) if may_begin_block(text) else None
    return parser.kind if parser else ""


def _each(
    entries: Entries[Line], lines: Iterable[Line], heard: Callable[[Line], None] | None = None
) -> Iterator[list[Piece[Line]]]:
    """Every entry of these lines, each of which is `heard` of before."""
    for line in lines:
        if heard:
            heard(line)
        yield from entries.take(line)
    yield from entries.flush()


def _scanned(stream: Stream, steady: Steady | None, silent: Silent | None) -> Iterator[Line | Run | Silence | Heard]:
    """The lines with runs in place of steady ones, where the fast reading is installed, or of silent ones."""
    if steady and silent is not None:
        try:
            from analyzer.scan import fast  # noqa: PLC0415 - needs numpy, which is an extra
        except ImportError:
            pass
        else:
            return fast.scan(stream, steady, silent, HEAD_LINES)
    return lines(stream) if silent is None else silence.scan(stream, silent, HEAD_LINES)


def _shortened(text: str) -> str:
    return text if len(text) <= _LONG else text[:_LONG] + text[-_LONG:]


def newest_first(stamps: Sequence[Stamp | None]) -> bool:
    """Whether the times of a file's head run backwards; one jump back (a second launch appended) is not that."""
    moments = [stamp.moment for stamp in stamps if stamp]
    steps = list(pairwise(moments))
    back = sum(later < earlier for earlier, later in steps)
    forth = sum(later > earlier for earlier, later in steps)
    return back >= _FEW and back > _MANY_TIMES * forth


def _wrapped(head: Sequence[Peeled]) -> bool:
    """Whether most lines with headers have them behind a wrapper that is the same whatever was read before."""
    headed = [set(line.names) - {"ansi", "padding"} for line in head if header_stamp(line.text) is not None]
    untold = any(not UNTOLD.isdisjoint(line.names) for line in head)
    return not untold and sum(map(bool, headed)) > len(headed) // 2


def _padding(text: str) -> str:
    return _PADDED if text.endswith(_BLANKS) and len(text) > _NARROW else ""


def _whole(texts: Iterable[tuple[Item, str]]) -> Iterator[Item]:
    """Joins the parts into which a container runtime or a terminal's width cut a line."""
    parts: list[Text] = []
    last = ""
    for text, cut in texts:
        if not isinstance(text, Text):  # its first line is nobody's rest
            yield from [_joined(parts)] if parts else []
            parts, last = [], ""
            yield text
            continue
        goes_on = last == _PART or (last == _PADDED and _breaks_off(parts[-1], text))
        if parts and not (goes_on and len(parts) < _MAX_PARTS):
            yield _joined(parts)
            parts = []
        if cut:
            parts.append(text)
        else:
            yield _joined([*parts, text]) if parts else text
            parts = []
        last = cut
    if parts:
        yield _joined(parts)


def _breaks_off(before: Text, text: Text) -> bool:
    """Whether a line that a copied terminal padded to its width goes on in the next, which is padded to the same."""
    same_width = before.ref.end - before.ref.start == text.ref.end - text.ref.start
    inside = before.text[-1:].isalnum() and text.text[:1].isalnum()
    return same_width and inside and len(before.text) > _NARROW


def _joined(parts: list[Text]) -> Text:
    first, last = parts[0], parts[-1]
    ref = first.ref._replace(last_line=last.ref.last_line, end=last.ref.end)
    return first._replace(text="".join(part.text for part in parts), ref=ref)


def _turned(texts: Iterator[Item]) -> Iterator[Item]:
    while block := list(islice(texts, MAX_REVERSED)):
        yield from reversed(block)
