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
    argv = list(incident.arguments.argv)
    if not argv:
        return None
    for i, word in enumerate(argv):
        flag, equals, _ = word.partition("=")
        if _means(incident, flag) == field:
            if equals:
                argv[i] = f"{flag}={value}"
            elif i + 1 < len(argv):
                argv[i + 1] = value
            return shlex.join(argv)
    return shlex.join([*argv, _usual_flag(field), value])


def with_flag(incident: Incident, field: str) -> str | None:
    """The whole command with a switch turned on; `None` where the command line is not known."""
    argv = list(incident.arguments.argv)
    if not argv:
        return None
    there = any(_means(incident, word) == field for word in argv)
    return shlex.join(argv if there else [*argv, _usual_flag(field)])


def without_arguments(incident: Incident, fields: tuple[str, ...]) -> str | None:
    """The whole command without these arguments and their values; `None` where the command line is not known."""
    argv = list(incident.arguments.argv)
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


def _means(incident: Incident, flag: str) -> str | None:
    """The field that a word of the command line sets, in any spelling that argparse takes."""
    known = knowledge.find(flag, incident.launch.release) if flag.startswith("--") else None
    return known.name if known is not None else None


def _usual_flag(field: str) -> str:
    return "--" + field.replace("_", "-")
