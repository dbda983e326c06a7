"""Inputs out of inputs: lines cut, spoiled, moved, doubled and mixed, as transport and people do to logs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import random

# What breaks readers: signs that open and do not close, numbers beyond all bounds, line ends of every kind.
JUNK: Final = (
    *("", "\0", "\r", "\r\n", "\ufeff", "\ufffd", "\x1b[31m", "\x1b", "\u2028", "\x85", "\t", " " * 80, "…", "１２", "²"),
    *('"', "'", "[", "]", "{", "}", "(", ")", "\\", "\\n", "`", "%", "|", ":", "=", "#", "<", ">", "- ", ","),
    *("9" * 400, "-1", "0x", "1e999", "nan", "NaN", "inf", "1.2.3", "0" * 40, "2026-13-45 99:99:99", "..", "None"),
    *("Traceback (most recent call last):", '  File "/a.py", line 1, in f', "RuntimeError: x", "[2026-02-17 10:06:42 TP1] "),
    *("2026-02-17T10:06:42.000000000Z stderr P ", "sglang-1  | ", "> ", "12:", '{"log":"', "$ free -g", "=== free ==="),
)  # fmt: skip
_LONGEST = 200  # lines of an input


def mutated(seeds: list[str], dice: random.Random) -> str:
    """One of the seeds after up to eight changes, some of which bring in lines of another."""
    lines = dice.choice(seeds).split("\n")
    for _ in range(dice.randint(1, 8)):
        lines = _changed(lines, seeds, dice)[:_LONGEST]
    return dice.choice(("\n", "\n", "\n", "\r\n")).join(lines)


def _changed(lines: list[str], seeds: list[str], dice: random.Random) -> list[str]:
    at = dice.randrange(len(lines)) if lines else 0
    line = lines[at] if lines else ""
    begin = dice.randint(0, len(line))
    end = dice.randint(begin, min(len(line), begin + 12))
    other = dice.choice(seeds).split("\n")
    match dice.randrange(8):
        case 0:
            new = [line[:begin]]
        case 1:
            new = [line[:begin] + dice.choice(JUNK) + line[end:]]
        case 2:
            new = [line[:begin] + "".join(chr(dice.randrange(0x20, 0x250)) for _ in range(3)) + line[end:]]
        case 3:
            new = []
        case 4:
            new = [line] * dice.randint(2, 5)
        case 5:
            new = [line, dice.choice(other)]
        case 6:
            new = [line[:begin], line[begin:]]
        case _:
            new = [dice.choice(other)[:begin] + line[begin:]]
    return [*lines[:at], *new, *lines[at + 1 :]]
