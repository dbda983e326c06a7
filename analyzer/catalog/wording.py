"""Regular expressions as pattern files may use them: no look-around, no back-reference, a known first word."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

import regex

# Constructs whose cost or meaning is not local; each with the name a person knows it by.
_FORBIDDEN: Final = {
    "(?=": "look-ahead",
    "(?!": "look-ahead",
    "(?<=": "look-behind",
    "(?<!": "look-behind",
    "(?P=": "a back-reference",
    "(?P>": "recursion",
    "(?&": "recursion",
    "(?R": "recursion",
    "(?(": "a conditional",
}
_ATOM: Final = re.compile(
    r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?(?:P?<\w+>|P[=>]|<[=!]|[=!&R(]|[a-zA-Z]+\)|[a-z-]*:)?|.", re.DOTALL
)
_COUNTED: Final = re.compile(r"(?<!\\)\{\d*,?\d*\}")
_DIGITS: Final = "0123456789"
_NAME: Final = re.compile(r"\(\?P?<(\w+)>")
_QUANTIFIERS: Final = frozenset("?*+{")
_SPECIAL: Final = frozenset("^$.|()[]{}?*+\\")


@cache
def compiled(pattern: str) -> regex.Pattern[str]:
    """The expression, compiled once."""
    return regex.compile(pattern)


def atoms(pattern: str) -> list[str]:
    """The expression cut into escapes, character classes, group openings and single characters."""
    return _ATOM.findall(pattern)


def names(pattern: str) -> set[str]:
    """The names of the captures."""
    return {found[1] for atom in atoms(pattern) if (found := _NAME.match(atom))}


def objection(pattern: str) -> str:
    """What is not allowed in the expression, in words; empty where it may be used."""
    for atom in atoms(pattern):
        for opening, name in _FORBIDDEN.items():
            if atom.startswith(opening):
                return f"{name} is not allowed"
        if len(atom) > 1 and atom[0] == "\\" and (atom[1] in "123456789gG"):
            return "a back-reference is not allowed"
    try:
        compiled(pattern)
    except regex.error as error:
        return f"no regular expression: {error}"
    return ""


@cache
def takes_digits_alike(pattern: str) -> bool:
    """Whether a text that has other digits in the same places matches as well; false where that is not plain to see."""
    return all(map(_alike, atoms(_COUNTED.sub("", pattern))))


def _alike(atom: str) -> bool:
    if atom[0] == "[" or (atom[0] == "\\" and len(atom) > 1):
        try:
            return len({compiled(atom).fullmatch(digit) is None for digit in _DIGITS}) == 1
        except regex.error:  # a part of a class in a class
            return False
    return len(atom) > 1 or atom not in _DIGITS  # a group's opening may have a number in its name


def first_text(pattern: str) -> str:
    """The fixed text that every match begins with; empty where there is none."""
    parts = atoms(pattern)
    flags = {atom for atom in parts if atom.startswith("(?") and atom.endswith(")")}
    if any("i" in flag for flag in flags) or _alternative(parts):
        return ""
    verbose = any("x" in flag for flag in flags)
    found: list[str] = []
    for atom in parts:
        if atom in flags or (verbose and atom.isspace()):
            continue
        plain = "" if verbose and atom == "#" else _plain(atom)
        if not plain:
            if atom[0] in _QUANTIFIERS and atom[0] != "+":
                found = found[:-1]
            break
        found.append(plain)
    return "".join(found)


def _alternative(parts: list[str]) -> bool:
    depth = 0
    for atom in parts:
        if atom == "|" and depth == 0:
            return True
        if atom[0] == "(" and not atom.endswith(")"):
            depth += 1
        elif atom == ")":
            depth -= 1
    return False


def _plain(atom: str) -> str:
    if len(atom) == 2 and atom[0] == "\\":  # noqa: PLR2004 - a backslash and what it escapes
        return "" if atom[1].isalnum() else atom[1]
    return atom if len(atom) == 1 and atom not in _SPECIAL else ""
