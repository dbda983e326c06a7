"""The command line that started the server, with an argument set to another value or taken out."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from analyzer import knowledge

if TYPE_CHECKING:
    from analyzer.incident import Incident


def with_argument(incident: Incident, field: str, value: str) -> str | None:
    """The whole command with one argument set; `None` where the command line is not known.

    A value that was typed is replaced in place, whatever spelling was used; else the argument is appended.
    """
    argv = _in_effect(incident)
    return shlex.join(_set(incident, argv, field, value)) if argv else None


def with_flag(incident: Incident, field: str) -> str | None:
    """The whole command with a switch turned on; `None` where the command line is not known."""
    argv = _in_effect(incident)
    if not argv:
        return None
    there = any(_means(incident, word) == field for word in argv)
    return shlex.join(argv if there else [*argv, _usual_flag(field)])


def without_arguments(incident: Incident, fields: tuple[str, ...]) -> str | None:
    """The whole command without these arguments and their values; `None` where the command line is not known."""
    argv = _in_effect(incident)
    if not argv:
        return None
    kept: list[str] = []
    skip = False
    for word in argv:
        flag, equals, _ = word.partition("=")
        if _means(incident, flag) in fields:
            skip = not equals
        elif not skip or word.startswith("-"):
            kept.append(word)
            skip = False
        else:
            skip = False
    return shlex.join(kept)


def _in_effect(incident: Incident) -> list[str]:
    """The words of the command line, with the values that the log says where it contradicts them."""
    argv = list(incident.arguments.argv)
    for said in incident.arguments.both(incident.launch.release) if argv else ():
        if said.note is not None and isinstance(said.value, str | int | float) and not isinstance(said.value, bool):
            argv = _set(incident, argv, said.name, str(said.value))
    return argv


def _set(incident: Incident, argv: list[str], field: str, value: str) -> list[str]:
    """The words with one argument set: in place where it is typed, in whatever spelling, else at the end."""
    for i, word in enumerate(argv):
        flag, equals, _ = word.partition("=")
        if _means(incident, flag) == field:
            new = [f"{flag}={value}"] if equals else [word, value]
            return [*argv[:i], *new, *argv[i + len(new) :]]
    return [*argv, _usual_flag(field), value]


def _means(incident: Incident, flag: str) -> str | None:
    """The field that a word of the command line sets, in any spelling that argparse takes."""
    known = knowledge.find(flag, incident.launch.release) if flag.startswith("--") else None
    return known.name if known is not None else None


def _usual_flag(field: str) -> str:
    return "--" + field.replace("_", "-")
