"""Command lines that start a server, wherever somebody typed, echoed or listed one."""

from __future__ import annotations

import shlex

from analyzer.expression import lazy

# The program, up to where its options begin.
_SERVER = lazy(
    r"(?:^|[\s'\"=;&|(:`$#])"
    r"((?:[\w./~-]*/)?python[\d.]*(?:\s+-[uOBEsI]+)*\s+-m\s+"
    r"(?:sglang\.launch_server|sglang\.srt\.server|sglang_router\.launch_\w+|sglang_router)"
    r"|(?:[\w./~-]*/)?sglang\s+serve|(?:[\w./~-]*/)?sglang-router(?:\s+launch)?)(?:\s|$)"
)
_TRACES = ("launch_server", "sglang serve", "sglang_router", "sglang-router", "sglang.srt")
_SEARCHES = lazy(r"\b(?:grep|pgrep|pkill|kill|killall|awk|sed|Killed|Usage|usage|Example|example)\b")
_ENDS = frozenset({"&", "&&", "|", "||", ";", ">", ">>", "<", "2>", "2>&1", ")", "|&", "&>", "\\"})
_PLACEHOLDER = lazy(r"[<>]|^\.{3}$|^\[.*\]$|^\$[@*]$|^\"?\$\{?@")
_LONGEST = 16 * 1024


def may_hold_command(text: str) -> bool:
    """A cheap test before `command_line`."""
    return any(trace in text for trace in _TRACES)


def may_go_on(text: str) -> bool:
    """Whether the line may be a command's first of several."""
    return text.endswith("\\") or (text.endswith("-") and may_hold_command(text))


def continued(text: str, following: str) -> str | None:
    """The command with its next line: after a backslash, or where a terminal broke it inside an option's dashes."""
    if text.endswith("\\"):
        return f"{text[:-1]} {following}"
    if text.endswith("-") and following.startswith("-"):
        return text + following
    return None


def command_line(text: str) -> tuple[str, ...] | None:
    """The words of the server command inside `text` from the program on, or `None`.

    Lines that search for, kill, or explain such a command hold none, nor does one whose options are placeholders.
    """
    if not may_hold_command(text):
        return None
    text = text[:_LONGEST]
    found = _SERVER.search(text)
    if found is None or _SEARCHES.search(text, 0, found.start(1)):
        return None
    rest = text[found.end(1) :].strip()
    if rest and rest[0] not in "-&|;>2)":
        return None
    options = _words(rest)
    if any(_PLACEHOLDER.search(word) for word in options) or (
        not options and not found[1].split()[-1].startswith("sglang.")
    ):
        return None
    return (*found[1].split(), *options)


def _words(text: str) -> tuple[str, ...]:
    """The words as a shell splits them, up to a pipe, a redirection or the next command."""
    lexer = shlex.shlex(text, posix=True, punctuation_chars=False)
    lexer.whitespace_split = True
    lexer.commenters = ""
    words: list[str] = []
    try:
        words.extend(lexer)
    except ValueError:  # a quote that never closes, as in a listing cut at its width
        words = text.split()
    kept: list[str] = []
    for word in words:
        if word in _ENDS or word.startswith((">", "2>", "&>")):
            break
        if word.endswith(";"):
            kept.append(word[:-1])
            break
        kept.append(word)
    return tuple(kept)
