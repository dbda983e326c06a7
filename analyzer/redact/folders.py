"""The private folders of a path: those between its root and its last part that say whose it is, not what lies there."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from analyzer.redact.numbering import Key

# What a text becomes: parts that stay, and keys that get a stand-in.
Pieces = tuple["str | Key", ...]
_DEEPEST = 40
_HOMES = frozenset({"home", "users"})


def folders(path: str, kept: Callable[[str, str], bool], *, whole: bool) -> dict[str, Pieces]:
    """Each beginning of an absolute path that ends in a private folder, in lower case, with what it becomes.

    The last part always stays. `whole` looks at every other part, as of a model's path; else at those right below a
    home, up to the first that is known, so that the paths of modules stay readable. `kept` judges (kind, part).
    """
    parts = path.rstrip("/").split("/")[:_DEEPEST]
    pieces: list[str | Key] = []
    found: dict[str, Pieces] = {}
    below_home = False
    for number, part in enumerate(parts[:-1]):
        pieces += ["/"] if number else []
        of_home = number > 0 and parts[number - 1].lower() in _HOMES
        stays = not part or kept("user" if of_home else "folder", part)
        pieces.append(part if stays else ("user" if of_home else "folder", part.lower()))
        if not stays and not of_home and (whole or below_home):
            found["/".join(parts[: number + 1]).lower()] = tuple(pieces)
        if below_home and stays and not whole:
            break
        below_home = below_home or of_home or part == "root"
    return found
