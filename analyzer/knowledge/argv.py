"""A server's command line as values by ServerArgs field, read the way argparse would."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from analyzer.knowledge.arguments import find
from analyzer.knowledge.release import UNKNOWN, Release

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.knowledge.arguments import Argument

_SUFFIXES = {"k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12, "Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40}
_MOST_DIGITS = 40


def parse_argv(argv: Sequence[str], release: Release = UNKNOWN) -> dict[str, Any]:
    """Field values that a command line gives, in the order given.

    Understands `--flag value`, `--flag=value`, switches, list flags and unique short forms; the last one of a repeated
    flag counts. What stands before the first flag (interpreter, module) is skipped, except the model of
    `sglang serve MODEL`. An unknown flag is kept under its own spelling, with its value or `True`. Values are int,
    float, bool, list or text as the argument takes them; text that does not fit its type is kept as text.
    """
    words = list(argv)
    values: dict[str, Any] = dict(_positional_model(words))
    at = 0
    while at < len(words):
        if not _is_flag(words[at]):
            at += 1
            continue
        flag, equals, inline = words[at].partition("=")
        following = [inline] if equals else _operands(words, at + 1)
        known = find(flag, release)
        name, value, used = _taken(flag, known, following)
        values.pop(name, None)
        values[name] = value
        at += 1 if equals else 1 + used
    return values


def value_of(text: str, takes: str) -> Any:
    """One operand as the type that an argument takes; the text itself where it does not fit."""
    kind = takes.removeprefix("list:")
    if kind == "int":
        return _integer(text)
    if kind == "float":
        try:
            return float(text)
        except ValueError:
            return text
    if kind == "json":
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return text
    return text


def _taken(flag: str, known: Argument | None, following: list[str]) -> tuple[str, Any, int]:
    """Name, value and how many words were used after the flag."""
    if known is None:
        return flag, following[0] if following else True, min(len(following), 1)
    if known.takes in {"switch", "negatable"}:
        return known.name, not flag.startswith("--no-"), 0
    if known.takes.startswith("list"):
        return known.name, [value_of(word, known.takes) for word in following], len(following)
    if not following:
        return known.name, None, 0
    return known.name, value_of(following[0], known.takes), 1


def _operands(words: list[str], start: int) -> list[str]:
    end = start
    while end < len(words) and not _is_flag(words[end]):
        end += 1
    return words[start:end]


def _is_flag(word: str) -> bool:
    return word.startswith("--") and len(word) > len("--")


def _positional_model(words: list[str]) -> dict[str, Any]:
    """The model of `sglang serve MODEL --flags`."""
    for at, word in enumerate(words[:-2]):
        if word.rsplit("/", 1)[-1] == "sglang" and words[at + 1] == "serve" and not words[at + 2].startswith("-"):
            return {"model_path": words[at + 2]}
    return {}


def _integer(text: str) -> Any:
    digits = text.strip().rstrip("kKMGTi")
    factor = _SUFFIXES.get(text.strip()[len(digits) :], 1 if digits == text.strip() else 0)
    plain = digits.removeprefix("-").replace(".", "", 1) if factor > 1 else digits.removeprefix("-")
    if not factor or not plain.isdecimal() or len(plain) > _MOST_DIGITS:
        return text
    return int(float(digits) * factor) if "." in digits else int(digits) * factor
