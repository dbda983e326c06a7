"""The JSON of log stores' answers, walked through piece by piece: the entries in it, and the lines that stand around.

Nothing is held but the entry that is being read. What is damaged is counted, and what follows it is read.
"""

from __future__ import annotations

import codecs
import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from analyzer.bundle.encoding import encoding_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.bundle.stream import Stream

_READ = 256 * 1024
_DROPPED = 64 * 1024  # characters that have been read, from which on they are dropped
_LONGEST = 16 * 1024 * 1024  # characters of one entry; what is longer is no log line
_LONGEST_LINE = 64 * 1024  # characters that are kept of a line outside
_LOOK = 1000  # characters by which an answer's beginning is known
_NEAR_END = 64  # characters behind a token that must be known, and by which an error may be due to what is missing
_LINES_BEFORE = 5  # an echoed command, a status
_DEEPEST = 100  # brackets within brackets of an entry; Elasticsearch takes 20 unless told
_MOST_LOST = 10  # labels that cannot be read, after which none are looked for

_BLANKS = re.compile(r"\s*+")
_ANSWER = re.compile(
    # Entries in a list alone, on one line: what Grafana and Datadog let one download, and what `jq -c -s` prints.
    r'\[\{(?:"(?:line|log)"\s*+:\s*+"|"id"\s*+:\s*+"[^"]{0,200}+"\s*+,\s*+"content"\s*+:\s*+\{)'
    r'|(?:\{\s*+"(?:rawResponse|responses)"\s*+:\s*+(?:\[\s*+)?)?\{\s*+(?:'
    r'(?:"(?:_scroll_id|pit_id)"\s*+:\s*+"[^"]*+"\s*+,\s*+)*+"took"\s*+:\s*+\d++\s*+,'
    r'|"hits"\s*+:\s*+\{.{0,200}?"hits"\s*+:\s*+\['
    r'|"status"\s*+:\s*+"success"\s*+,\s*+"data"\s*+:\s*+\{\s*+"resultType"\s*+:\s*+"streams"'
    r'|"data"\s*+:\s*+\{\s*+"resultType"\s*+:\s*+"streams"'
    r'|"streams"\s*+:\s*+\[\s*+\{\s*+"stream"\s*+:'
    r'|"events"\s*+:\s*+\[\s*+\{\s*+"(?:logStreamName|timestamp|message|eventId)"\s*+:'
    r'|"data"\s*+:\s*+\[\s*+\{\s*+"id"\s*+:\s*+"[^"]{0,200}+"\s*+,\s*+"type"\s*+:\s*+"log"'
    r'|"results"\s*+:\s*+\[\s*+\[\s*+\{\s*+"field"\s*+:\s*+"@)',
    re.DOTALL,
)
_IN_QUOTES = r'[^"\\]*+(?:\\.[^"\\]*+)*+'
_TOKEN = re.compile(
    r'"(?P<list>hits|values|events|data|results)"\s*+:\s*+\[|"(?P<labels>stream)"\s*+:\s*+(?=\{)'
    rf'|(?P<string>"{_IN_QUOTES}(?P<close>"?))|(?P<open>[{{\[])|[}}\]]',
    re.DOTALL,
)
_REST = re.compile(rf'{_IN_QUOTES}(?P<close>"?)', re.DOTALL)  # of a string that began before
_BRACKET = re.compile(rf'"{_IN_QUOTES}"?|(?P<open>[{{\[])|[}}\]]', re.DOTALL)
_VALUE = re.compile(r"[^\s,]")
# An entry behind a damaged one.
_NEXT = re.compile(r'\{\s*+"(?:_index|logStreamName|line|id)"\s*+:|\[\s*+"\d{10,19}"\s*+,\s*+"')
_DECODER = json.JSONDecoder()
_OUTERMOST = ("data", "results")  # lists of entries only where they stand in the document itself
_LOST, _TOO_DEEP, _END = object(), object(), object()


class Found(NamedTuple):
    """An entry, or a line outside (`outside`), with the number of the list that it is from."""

    part: int
    value: Any
    outside: bool = False


def begins(head: bytes) -> bool:
    """Whether an answer to a query for log entries begins in the first lines of what begins with `head`."""
    text = head.decode(encoding_of(head), "replace").removeprefix("\ufeff")
    at = 0
    for _ in range(_LINES_BEFORE):
        if _answer_at(text, at):
            return True
        at = text.find("\n", at) + 1
        if not at:
            return False
    return False


def _answer_at(text: str, at: int) -> bool:
    """Whether an answer begins here, behind blanks."""
    blanks = _BLANKS.match(text, at)
    return _ANSWER.match(text, blanks.end() if blanks else at) is not None


class Document:
    """The text, of which what has been read is dropped; `damage` is complete when the entries have been taken."""

    def __init__(self, stream: Stream) -> None:
        self.damage = ""
        self._stream = stream
        self._decoder: codecs.IncrementalDecoder | None = None
        self._text = ""
        self._at = 0
        self._ended = False
        self._part = 0
        self._lost = 0
        self._labels: dict[str, Any] = {}
        self._unlabelled = 0
        self._looked_at = 0  # characters of a value that was lost, in which no other one begins

    def found(self) -> Iterator[Found]:
        """Every entry of every answer, and every line between them, in the order of the text."""
        while (indent := self._indent()) is not None:
            if _ANSWER.match(self._text, self._at + indent):
                self._at += indent
                yield from self._list() if self._text[self._at] == "[" else self._answer()
            else:
                yield from self._line()
        if self._lost and not self.damage:
            lost = f"{self._lost} {'entry' if self._lost == 1 else 'entries'}"
            self.damage = f"damaged: {lost} of the answer cannot be read"

    def _indent(self) -> int | None:
        """Passes over blank lines; the blanks before the text that follows, of which enough is there to know it by.

        `None` at the end.
        """
        while True:
            blanks = _BLANKS.match(self._text, self._at)
            first = blanks.end() if blanks else self._at
            self._at = max(self._at, self._text.rfind("\n", self._at, first) + 1)
            if first < len(self._text):
                indent = first - self._at
                self._known(indent + _LOOK)
                return indent
            if first - self._at > _LONGEST_LINE:
                self._at = first
            if not self._more():
                return None

    def _line(self) -> Iterator[Found]:
        """A line outside the answers, as far as it is kept; a blank one says nothing."""
        kept = ""
        while (end := self._text.find("\n", self._at)) < 0:
            kept = (kept + self._text[self._at :])[:_LONGEST_LINE]
            self._at = len(self._text)
            if not self._more():
                break
        stop = end if end >= 0 else len(self._text)
        kept = (kept + self._text[self._at : stop])[:_LONGEST_LINE]
        self._at = stop + (end >= 0)
        if kept.strip():
            yield Found(self._part, kept.rstrip("\r"), outside=True)

    def _list(self) -> Iterator[Found]:
        """The entries of a list alone."""
        self._at += 1
        self._part += 1
        yield from self._entries("")

    def _answer(self) -> Iterator[Found]:
        """The entries of one answer, up to its last bracket."""
        depth = 0
        while (token := self._token()) is not None:
            self._at = token.end()
            if token["list"] and (depth == 1 or token["list"] not in _OUTERMOST):
                self._part += 1
                yield from self._entries(token["list"])
            elif token["labels"] and self._unlabelled < _MOST_LOST:
                labels = self._value()
                self._labels = labels if isinstance(labels, dict) else {}
                self._unlabelled += labels is _LOST
            elif not token["string"]:
                depth += 1 if token["open"] or token["list"] else -1
                if depth <= 0:
                    return
        self._at = len(self._text)
        self.damage = self.damage or "cut off: the answer ends before its last bracket"

    def _token(self) -> re.Match[str] | None:
        """What comes next in the text around the entries; `None` at the end."""
        while True:
            token = _TOKEN.search(self._text, self._at)
            if self._ended or (token and token.end() <= len(self._text) - _NEAR_END):
                return token
            self._at = token.start() if token else len(self._text)
            if token and token["string"] and not token["close"] and token.end() - token.start() > _NEAR_END:
                self._at = token.end()
                self._pass_string()
            else:
                self._more()

    def _pass_string(self) -> None:
        """Passes over the rest of a string that begins before the text that is held; what it says is of no use."""
        while self._more():
            rest = _REST.match(self._text)
            self._at = rest.end() if rest else 0
            if rest and rest["close"]:
                return
        self._at = len(self._text)

    def _entries(self, kind: str) -> Iterator[Found]:
        """The values of the list that was opened; one that cannot be read is counted."""
        while (value := self._element()) is not _END:
            if value is not _LOST and value is not _TOO_DEEP:
                yield Found(self._part, self._whole(value, kind))
                continue
            self._lost += 1
            if value is _LOST and not self._found_next():
                return

    def _element(self) -> Any:
        while not (found := _VALUE.search(self._text, self._at)):
            self._at = len(self._text)
            if not self._more():
                return _END
        self._at = found.start() + (found[0] == "]")
        return _END if found[0] in "]}" else self._value()

    def _value(self) -> Any:
        """The value that begins here, read on until it is whole; `_LOST` where it is none."""
        if self._at > _DROPPED:  # an error counts the lines before it, whatever comes of them
            self._text, self._at = self._text[self._at :], 0
        while True:
            try:
                value, end = _decoded(self._text, self._at)
            except json.JSONDecodeError as error:
                self._looked_at = max(1, error.pos - _NEAR_END - self._at)
                within = error.pos < len(self._text) - _NEAR_END and not error.msg.startswith("Unterminated")
                size = len(self._text) - self._at
                if within or size > _LONGEST:
                    return _LOST
                if self._ended or not self._more():
                    self.damage = "cut off: the answer ends inside an entry"
                    return _LOST
                self._known(2 * size)  # twice as much each time: no text is read over and over
            except RecursionError:
                self._looked_at = max(1, _deep_at(self._text, self._at, len(self._text)) - self._at)
                return _LOST
            else:
                deep = _deep_at(self._text, self._at, end)
                self._at = end
                return _TOO_DEEP if deep else value

    def _found_next(self) -> bool:
        """Passes on to where the next entry seems to begin, behind what was looked at already."""
        self._at += self._looked_at
        while not (found := _NEXT.search(self._text, self._at)):
            self._at = max(self._at, len(self._text) - _NEAR_END)
            if not self._more():
                self._at = len(self._text)
                return False
        self._at = found.start()
        return True

    def _known(self, count: int) -> bool:
        """Whether there is any text left, of which so many characters are there if it has them."""
        while len(self._text) - self._at < count and self._more():
            pass
        return self._at < len(self._text)

    def _more(self) -> bool:
        data = b"" if self._ended else self._stream.read(_READ)
        if self._decoder is None:
            self._decoder = codecs.getincrementaldecoder(encoding_of(data))("replace")
        self._text = self._text[self._at :] + self._decoder.decode(data, final=not data)
        self._at = 0
        self._ended = not data
        return not self._ended

    def _whole(self, value: Any, kind: str) -> Any:
        """An entry with what its list tells of it."""
        if kind == "results" and isinstance(value, list):
            return {str(each.get("field")): each.get("value") for each in value if isinstance(each, dict)}
        return self._labelled(value) if kind == "values" else value

    def _labelled(self, value: Any) -> Any:
        """A line of Loki's with the labels of its stream, and its own where it has some."""
        if not isinstance(value, list) or len(value) < 2:  # noqa: PLR2004 - time and line
            return value
        further = value[2] if len(value) > 2 and isinstance(value[2], dict) else {}  # noqa: PLR2004 - the metadata
        return {"timestamp": value[0], "labels": {**self._labels, **further}, "line": value[1]}


def _decoded(text: str, at: int) -> tuple[Any, int]:
    """The value that begins here and where it ends; a number with more digits than Python takes is a text."""
    try:
        return _DECODER.raw_decode(text, at)
    except json.JSONDecodeError:
        raise
    except ValueError:
        return _LENIENT.raw_decode(text, at)


def _number(digits: str) -> int | str:
    try:
        return int(digits)
    except ValueError:
        return digits


def _deep_at(text: str, at: int, end: int) -> int:
    """Where more brackets are open than an entry of a log has; 0 where there are never so many."""
    if text.count("[", at, end) + text.count("{", at, end) <= _DEEPEST:
        return 0
    depth = 0
    for found in _BRACKET.finditer(text, at, end):
        if not found[0].startswith('"'):
            depth += 1 if found["open"] else -1
        if depth > _DEEPEST:
            return found.start()
        if depth <= 0:
            return 0
    return 0


_LENIENT = json.JSONDecoder(parse_int=_number)
