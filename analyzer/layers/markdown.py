"""What people put around a program's lines when they paste them into a thread: quote marks, code marks, a title.

Each function takes a line and gives what is left of it, or `None` where there is nothing to take off.
"""

from __future__ import annotations

from analyzer.expression import lazy_regex
from analyzer.layers.peeled import Peeled

_NAMES = ("markdown",)
_RAISED = r"(?:[A-Za-z_]\w*\.)*(?:[A-Z]\w*)?(?:Error|Exception|OutOfResources): "
_SAID = rf"\[\d{{4}}-\d\d-\d\d[ T]\d\d:\d\d:\d\d|Traceback \(most recent|{_RAISED}"  # how a program's own line begins

_QUOTED = lazy_regex(r"(?:> ?)+")
_CITED = lazy_regex(rf"(?:> ?)+({_SAID})")
_MARKUP = lazy_regex(r"(?:```\w*|</?(?:details|summary|pre|code|br)[^<>]*>|<summary>.{0,200}</summary>)\s*$")
_FENCED = lazy_regex(r"(?:`([^`]+)`|```([^`]+)```)[.,;:]?\s*$")
_PROGRAM_S = lazy_regex(rf"`(?:{_SAID})")
_OPENED = lazy_regex(r"`([^`\s][^`]*)$")
_FATAL = r"(?:ptxas|nvcc) fatal|(?:CUDA|HIP|NCCL) error: |Fatal Python error"
_TITLED = lazy_regex(rf"(?:#{{1,6}} +)?\[(?i:bug)\] ?:? *(?=\S)|#{{1,6}} +(?={_RAISED}|{_FATAL})")
_LED = lazy_regex(rf"(?i:error(?: message| log)?) ?: *`({_RAISED}[^`]+)`[.,;]?\s*$")


def quoted(text: str) -> Peeled | None:
    """Markdown's quote marks; ambiguous, so only where many lines of a file have them."""
    found = _QUOTED.match(text)
    return found and Peeled(text[found.end() :], None, "", _NAMES)


def cited(text: str) -> Peeled | None:
    """Quote marks before a line that only a program writes: one such line is enough."""
    found = _CITED.match(text)
    return found and Peeled(text[found.start(1) :], None, "", _NAMES)


def markup(text: str) -> Peeled | None:
    """A line of Markdown or HTML that only frames a pasted log."""
    return Peeled("", None, "", _NAMES) if _MARKUP.match(text) else None


def coded(text: str) -> Peeled | None:
    """The code marks around a whole line, or one that opens a text of several lines; a program's may hold others."""
    if _PROGRAM_S.match(text):
        return Peeled(text[1:].removesuffix("`"), None, "", _NAMES)
    found = _FENCED.match(text) or _OPENED.match(text)
    return found and Peeled(next(filter(None, found.groups())), None, "", _NAMES)


def titled(text: str) -> Peeled | None:
    """A thread's title: `# [Bug] ` before whatever follows, `# ` before the name of an exception."""
    found = _TITLED.match(text)
    return found and Peeled(text[found.end() :], None, "", _NAMES)


def led(text: str) -> Peeled | None:
    """An exception in code marks behind nothing but the word error."""
    found = _LED.match(text)
    return found and Peeled(found[1], None, "", _NAMES)
