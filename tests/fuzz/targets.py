"""What is fuzzed, and what must hold of it whatever comes in: each takes a text and raises where it does not."""

from __future__ import annotations

import importlib
from functools import cache
from typing import TYPE_CHECKING, Final

from analyzer.bundle import InMemory, Source
from analyzer.catalog import Catalog
from analyzer.evidence import Ref
from analyzer.layers import HEAD_LINES, Peeler, reader_for
from analyzer.parsers import parse
from analyzer.parsers.argv import command_line
from analyzer.parsers.block import Around, Text
from analyzer.parsers.moments import moment
from analyzer.parsers.traceback import exception
from analyzer.records import Reader
from analyzer.scan import Line, lines
from tests.parsers.snapshots import SAMPLES
from tests.parsers.variants import VARIANTS
from tests.samples import SAMPLES as FOLDER
from tests.wrapped import moments
from tests.wrappings import ONE

if TYPE_CHECKING:
    from collections.abc import Callable

    from analyzer.records import Record

_COMMANDS = (
    "",
    "free -g",
    "cat /sys/fs/cgroup/memory.max",
    "nvidia-smi --query-gpu=index,name",
    "env",
    "curl -v /health",
)
_LOGS = ("watchdog-during-warm-up", "illegal-access-through-ray", "collective-timeout", "shm-too-small-newest-first")
_COLLECTED = (
    "journal verbose",
    "journal export",
    "journal pretty",
    "explore csv",
    "azure csv",
    "cloud documents",
    "datadog csv",
    "fluent-bit",
    "ansible",
    "pdsh",
    "stern",
    "quoted",
)
_MARK = "\ue000"  # a letter that no log has, so that nothing of an input can pass for a mark
_SHOWN = 60  # lines of a sample's log that are a seed


@cache
def catalog() -> Catalog:
    """The patterns, read once."""
    return Catalog.load()


def seeds(target: str) -> list[str]:
    """What the inputs of a target are made of: its own sample and others', or stretches of logs."""
    snapshots = [text.strip("\n") for text in SAMPLES.values()]
    if target in SAMPLES:
        own = [text.strip("\n") for text in (SAMPLES[target], *VARIANTS.get(target, ()))]
        return own * (len(snapshots) // len(own)) + snapshots
    logs = [line for name in _LOGS for line in _stretches(name)]
    if target in {"parse", "layers"}:
        logs += _wrapped([line for text in logs[:2] for line in text.split("\n")][:40])
    return [*logs, *snapshots] if target == "parse" else logs


def _wrapped(lines: list[str]) -> list[str]:
    """The lines as collectors give them whose entries take several lines."""
    return [ONE[kind](lines, moments(lines)).data.decode() for kind in _COLLECTED]


def _stretches(sample: str) -> list[str]:
    texts = [path.read_bytes().decode("utf-8", "replace").split("\n") for path in sorted((FOLDER / sample).iterdir())]
    return ["\n".join(text[i : i + _SHOWN]) for text in texts for i in range(0, len(text), _SHOWN)]


def block_parser(name: str) -> Callable[[str], None]:
    """A parser of snapshots: it moves on, accounts for its lines, and points into them."""
    module = importlib.import_module(f"analyzer.parsers.{name}")

    def holds(text: str) -> None:
        given = _texts(text)
        for command in _COMMANDS:
            around = Around("snapshot.txt", command)
            claimed = module.claims(given[0].text, around)
            block = module.reads(given, around)
            assert 1 <= block.lines <= len(given)
            assert 0 <= block.understood <= block.lines
            assert all(1 <= event.where.ref.line <= block.lines for event in block.events)
            assert all(len(event.text) <= 400 for event in block.events)
            assert isinstance(claimed, bool)

    return holds


def records(text: str) -> None:
    """The record reader: no line is lost, none is said twice, and each record points at lines that are there."""
    for record in _read(text):
        assert 1 <= record.ref.line <= record.ref.last_line <= text.count("\n") + 1
        exception(record)
    marked = [f"{line}{_MARK}{number}." for number, line in enumerate(text.replace(_MARK, "").split("\n"))]
    said = "\n".join("\n".join([record.text, *record.more]) for record in _read("\n".join(marked)))
    assert [number for number in range(len(marked)) if said.count(f"{_MARK}{number}.") != 1] == []


def _read(text: str) -> list[Record]:
    reader = Reader()
    return [*(record for line in _texts(text) for record in reader.feed(line)), *reader.flush()]


def layers(text: str) -> None:
    """The peeler: it ends, and what it leaves is no longer than what it got. Each line counts with one entry."""
    given = text.split("\n")
    peeler = Peeler(given[:HEAD_LINES])
    for line in given:
        peeled = peeler.peel(line)
        assert len(peeled.text) <= max(len(line), 1)
    physical = [*lines(InMemory(text.encode("utf-8", "surrogatepass")).open())]
    make = reader_for([line.text for line in physical[:HEAD_LINES]], Line)
    if make:
        reader = make()
        pieces = [piece for line in physical for entry in reader.take(line) for piece in entry]
        pieces += [piece for entry in reader.flush() for piece in entry]
        counted = [number for piece in pieces for number in range(piece.first.number, piece.last.number + 1)]
        assert counted == [line.number for line in physical]


def scan(text: str) -> None:
    """The scanner: its lines are those of `sed -n`, and their bytes laid end to end are the file."""
    data = text.encode("utf-8", "surrogatepass")
    found = list(lines(InMemory(data).open()))
    at = 0
    for number, line in enumerate(found, 1):
        assert (line.number, line.start) == (number, at)
        at = line.end
    assert at == len(data)
    assert len(found) == data.count(b"\n") + (not data.endswith(b"\n") and bool(data)) or b"\0" in data


def words(text: str) -> None:
    """Readers of single lines: commands and times."""
    for line in text.split("\n"):
        command_line(line)
        moment(line)


def whole(text: str) -> None:
    """A source from its bytes to its events: never an error of our own."""
    data = text.encode("utf-8", "surrogatepass")
    parsed = parse(Source("server.log", len(data), InMemory(data)), catalog())
    assert not [error for error in parsed.errors if "bug" in error], parsed.errors
    assert 0 <= parsed.recognised <= parsed.lines


def _texts(text: str) -> list[Text]:
    return [Text(line, Ref("snapshot.txt", number, number)) for number, line in enumerate(text.split("\n"), 1)]


TARGETS: Final[dict[str, Callable[[str], None]]] = {
    **{name: block_parser(name) for name in SAMPLES},
    "records": records,
    "layers": layers,
    "scan": scan,
    "words": words,
    "parse": whole,
}
