"""A `docker run` (or `podman run`) command: the memory it allows, its shared memory, its image, and what it starts."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from analyzer.events import CgroupMemory, CommandLine, Fact
from analyzer.expression import lazy
from analyzer.parsers.argv import command_line
from analyzer.parsers.block import Block
from analyzer.parsers.images import release
from analyzer.parsers.sizes import size

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analyzer.events import Event
    from analyzer.parsers.block import Around, Text

KIND = "docker-run"
HEADS = ("docker run", "podman run", "nerdctl run", "container run")

_COMMAND = lazy(
    r"(?:\S{0,80}[$#>] |\++ )?(?:sudo (?:-\w+ )*)?(?:docker|podman|nerdctl) (?:container )?run (?:-|\S+[/:])"
)
_MOST_LINES = 100
_FACTS = {"--shm-size": "docker.shm-size", "--ipc": "docker.ipc", "--ulimit": "docker.ulimit"}
_NAMES = {"-m": "--memory"}


def claims(head: str, _around: Around) -> bool:
    """The command with its options, after a prompt or alone on its line."""
    return _COMMAND.match(head.strip()[:600]) is not None


def reads(lines: Sequence[Text], around: Around) -> Block:
    """The command, whose line may be continued by backslashes."""
    used = 1
    while used < min(len(lines), _MOST_LINES) and lines[used - 1].text.rstrip().endswith("\\"):
        used += 1
    joined = " ".join(line.text.rstrip().removesuffix("\\") for line in lines[:used])[: 16 * 1024]
    first = lines[0]._replace(ref=lines[0].ref._replace(last_line=lines[used - 1].ref.last_line))
    return Block(used, used, list(_events(joined, first, around)))


def _events(command: str, line: Text, around: Around) -> Iterator[Event]:
    try:
        words = shlex.split(command)
    except ValueError:  # a quote that never closes
        words = command.split()
    told = dict(reversed(list(_options(words))))  # an option of docker comes before its namesake of the program
    where = around.at(line)
    limit = size(told.get("--memory", ""), line.ref)
    if limit is not None:
        swap = size(told.get("--memory-swap", ""), line.ref)
        yield CgroupMemory(where=where, text=line.quoted, limit=limit, swap_limit=swap, said_by="docker run")
    for option, name in _FACTS.items():
        if option in told:
            amount = size(told[option], line.ref)
            yield Fact(where=where, text=line.quoted, name=name, value=told[option], amount=amount)
    yield from (event for word in words for event in release(word, where))
    argv = command_line(command)
    if argv is not None:
        yield CommandLine(where=where, text=line.quoted, argv=argv)


def _options(words: list[str]) -> Iterator[tuple[str, str]]:
    """`--memory=100g`, `--memory 100g`, `-m 100g`; in the image's own command `-m` is Python's and no size."""
    for word, following in zip(words, [*words[1:], ""], strict=False):
        name, equals, value = word.partition("=")
        name = _NAMES.get(name, name)
        if name in _FACTS or name.startswith("--memory"):
            yield name, value if equals else following
