"""Which lines go together: the parts of a traceback, and the further lines of SGLang's own messages."""

from __future__ import annotations

import re

TRACEBACK = "Traceback (most recent call last):"
_CHAINED = (
    "During handling of the above exception, another exception occurred:",
    "The above exception was the direct cause of the following exception:",
)
_FRAME = re.compile(r'\s*File \\?"[^"]{1,400}", line \d+')
_ENDING = re.compile(r"(?:[A-Za-z_<][\w<>]*\.)*[A-Za-z_]\w*: |(?:[A-Za-z_]\w*\.)*[A-Z]\w*:?$")
_LEVELS = ("INFO: ", "WARNING: ", "ERROR: ", "DEBUG: ", "CRITICAL: ", "INFO:", "WARNING:")
_EXPECTS_TRACEBACK = re.compile(r"(?:[Ee]xception|[Ee]rror|failed|[Tt]raceback)\b.{0,80}$|:$")

_MAY_EXPECT = re.compile(r"[Ee]xception|[Ee]rror|failed|[Tt]raceback|:\d*$")

# Messages of SGLang that hold line breaks; what follows them has no header.
_LONG_HEADS = ("Pyspy dump for PID", "Try to lower your batch size", "memory leak detected", "Possible solutions")
_FURTHER = re.compile(
    r"\s+\S|Possible solutions:|\d{1,2}\. |Try to allocate |Ava(?:li|il)able tokens|[\w.]+(?:\(\))?=|Process \d+: "
    r"|Python v\d|Thread (?:0x)?[0-9A-Fa-f]+ "
)
# What torch, SGLang and gloo add below the line that names an exception.
_BELOW = re.compile(
    r"(?:CUDA|HIP) kernel errors might|For debugging consider|Compile with `|Device-side assertion|Search for `"
    r"|Possible solutions:|\d{1,2}\. |Open an issue|Try to allocate |Ava(?:li|il)able tokens|[\w.]+(?:\(\))?="
    r"|Last error:"
)
_ARGUMENTS = ("server_args=ServerArgs(", "server_args={")
_ARGUMENT = re.compile(r"\w=.{0,400}, \w+=|': .{0,400}, '\w+'|\w+=[^=]{1,200}[)}]$")
_NEAR = 2000
_BAR = re.compile(r"%\||it/s\]|s/it\]|\?it/s")


def begins_traceback(text: str) -> bool:
    """Whether the line opens a traceback, at its start or (after a bar, after a message) at its end."""
    return text.rstrip().endswith(TRACEBACK)


def is_frame(text: str) -> bool:
    """Whether the line is a traceback's `File "…", line N`, as the first one left of a traceback whose head is lost."""
    return _FRAME.match(text) is not None


def is_inner(text: str) -> bool:
    """Whether a line inside a traceback is one of its frames, source lines or marks."""
    return text[:2] == "  " or text[:1] == "\t" or is_frame(text) or is_chain(text)


def precedes_source(text: str) -> bool:
    """Whether a frame lost its indentation on the way: the source line after it has lost it as well."""
    return text.startswith('File "') and is_frame(text)


def is_chain(text: str) -> bool:
    """Whether the line links two tracebacks."""
    return text.startswith(_CHAINED)


def ends_traceback(text: str) -> bool:
    """Whether a line inside a traceback is its `Type: message`."""
    return _ENDING.match(text) is not None and not text.startswith(_LEVELS)


def is_below(text: str) -> bool:
    """Whether a line right after a `Type: message` is a further line of the message."""
    return _BELOW.match(text) is not None


def expects_traceback(text: str) -> bool:
    """Whether a message is one that a traceback follows."""
    return _EXPECTS_TRACEBACK.search(text[-200:]) is not None


def may_expect_traceback(text: str) -> bool:
    """Whether a message, or one with other digits, may be one that a traceback follows."""
    return _MAY_EXPECT.search(text) is not None


def is_bar(text: str) -> bool:
    """Whether a line is a progress bar's, and no part of a traceback: nobody's further line."""
    return _BAR.search(text) is not None and not is_inner(text) and not ends_traceback(text)


def is_indented(text: str) -> bool:
    """Whether a line goes on every message but one that is cut, as it begins with a blank and is no bar."""
    return text[:1].isspace() and bool(text.strip()) and not _BAR.search(text)


def is_cut(head: str) -> bool:
    """Whether a message is an argument list that a terminal broke."""
    return head.startswith(_ARGUMENTS) and head[-1:] not in ")}"


def continues(head: str, text: str) -> bool:
    """Whether a line without a header belongs to the message before it."""
    if _BAR.search(text):
        return False
    if is_cut(head):
        return _ARGUMENT.search(text[:_NEAR]) is not None
    return _FURTHER.match(text) is not None and (text[:1].isspace() or any(long in head for long in _LONG_HEADS))
