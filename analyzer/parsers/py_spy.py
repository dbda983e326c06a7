"""A stack dump by `py-spy dump`: one process, its threads, their frames with the innermost first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.events import Fact
from analyzer.expression import lazy
from analyzer.parsers.block import Block

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.parsers.block import Around, Text

KIND = "py-spy"
HEADS = ("Process ",)

_HEAD = lazy(r"Process (\d{1,10}): (\S.{0,300})$")
_THREAD = lazy(r'Thread (?:0x)?[0-9A-Fa-f]{1,20} \([\w+ ]{1,30}\)(?:: "(.{1,80})")?')
_FRAME = lazy(r"\s+\S.{0,300} \(.{1,300}\)$")
_LOCALS = " " * 8  # under a frame, where `--locals` shows them
_PYTHON = lazy(r"Python v\d")
_KEPT = 12  # innermost frames of a thread


def claims(head: str, _around: Around) -> bool:
    """The line that names the process."""
    return _HEAD.match(head[:320]) is not None


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One fact for the main thread: `stack` and the process's title, its innermost frames a line each.

    Without a thread called MainThread, the first one stands for it.
    """
    head = _HEAD.match(lines[0].text[:320])
    used = 1
    threads: list[tuple[str, list[str]]] = []
    for number, line in enumerate(lines[1:], 2):
        text = line.text.rstrip()[:620]
        thread = _THREAD.match(text)
        if thread:
            threads.append((thread[1] or "", []))
        elif threads and _FRAME.match(text):
            threads[-1][1].append(text.strip())
        elif text and not _PYTHON.match(text) and not (threads and text.startswith(_LOCALS)):
            break
        used = number if text else used
    main = next((frames for name, frames in threads if name == "MainThread"), threads[0][1] if threads else [])
    if head is None or not main:
        return Block(1, 0)
    title = head[2].split(" ")[0].rpartition("/")[2]
    fact = Fact(where=around.at(lines[0]), text=lines[0].quoted, name=f"stack {title}", value="\n".join(main[:_KEPT]))
    return Block(used, used, [fact])
