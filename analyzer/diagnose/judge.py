"""Runs every rule on one incident, and survives the one that breaks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from analyzer import rules  # noqa: F401 - importing the package registers the rules
from analyzer.rule import RULES
from analyzer.verdict import Cleared, Found, Unknown
from analyzer.vocabulary import FINDINGS, Kind

if TYPE_CHECKING:
    from analyzer.incident import Incident


@dataclass(slots=True)
class Judged:
    """The verdicts of all rules on one launch, each with the id of its finding."""

    found: list[tuple[str, Found]]
    cleared: list[tuple[str, Cleared]]
    unknown: list[tuple[str, Unknown]]


def judge(incident: Incident) -> Judged:
    """Every rule's verdicts; a rule that raises becomes an unknown that names the bug."""
    judged = Judged([], [], [])
    for rule in RULES.values():
        try:
            verdicts = list(rule.run(incident))
        except Exception as error:  # noqa: BLE001 - one broken rule must not cost the others' answers
            text = f"the rule itself failed ({type(error).__name__}: {error}); please report this"
            judged.unknown.append((rule.id, Unknown(text)))
            continue
        for verdict in verdicts:
            if isinstance(verdict, Found):
                judged.found.append((rule.id, verdict))
            elif isinstance(verdict, Cleared):
                judged.cleared.append((rule.id, verdict))
            else:
                judged.unknown.append((rule.id, verdict))
    _one_answer(judged)
    return judged


def _one_answer(judged: Judged) -> None:
    """What was found is neither cleared nor unknown, whatever another host of the same launch says."""
    found = {id_ for id_, _ in judged.found}
    judged.cleared = [(i, v) for i, v in judged.cleared if i not in found]
    judged.unknown = [(i, v) for i, v in judged.unknown if i not in found]


def kind_of(id_: str) -> Kind:
    """The kind of a finding."""
    return FINDINGS[id_].kind
