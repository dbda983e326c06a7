"""Which server arguments a refusal speaks of, what was asked for, and which spelling was meant."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from analyzer import knowledge

if TYPE_CHECKING:
    from analyzer.incident import Incident
    from analyzer.units import Amount

_AROUND = "`'\"()[]{},.;:="
_NODES = ("number of nodes", "nnodes")


def fields_in(text: str) -> tuple[str, ...]:
    """The arguments a text names, by field: `--tp-size`, `tp_size`, `disable-radix-cache`; plain words are none."""
    found: dict[str, None] = {}
    for word in text.replace("=", " ").replace("/", " ").split():
        name = word.strip(_AROUND)
        if not name.startswith("--") and "_" not in name and "-" not in name:
            continue
        known = knowledge.argument(name.lower())
        if known is not None:
            found[known.name] = None
    if any(words in text for words in _NODES):
        found["nnodes"] = None
    return tuple(found)


def numbers_of(incident: Incident, fields: tuple[str, ...]) -> tuple[Amount[Any], ...]:
    """The whole numbers that were asked for with these arguments, each with its line."""
    counts = ((field, incident.arguments.amount(field, "count")) for field in fields if _whole(incident, field))
    return tuple(amount.called(field) for field, amount in counts if amount is not None)


def _whole(incident: Incident, field: str) -> bool:
    known = knowledge.argument(field)
    return known is not None and known.takes == "int" and incident.arguments.count(field) is not None


def switches(incident: Incident, fields: tuple[str, ...]) -> tuple[str, ...]:
    """Those of the arguments that are switches and turned on."""
    known = ((field, knowledge.argument(field)) for field in fields)
    return tuple(f for f, made in known if made is not None and made.takes == "switch" and incident.arguments.flag(f))


def meant(flag: str) -> str | None:
    """The known spelling nearest to one that no release knows; `None` where none is near."""
    spelled = sorted({flag for known in knowledge.arguments().values() for flag in known.flags})
    return next(iter(get_close_matches(flag, spelled, n=1, cutoff=0.7)), None)
