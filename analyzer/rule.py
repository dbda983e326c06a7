"""What a rule is: a pure function from an incident to verdicts, registered under the finding it looks for."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from analyzer.immutable import immutable
from analyzer.vocabulary import FINDINGS, Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from analyzer.incident import Incident
    from analyzer.verdict import Verdict


@immutable
class Rule:
    """A registered rule; `doc` is its module's docstring, the page that `postmortem explain` prints."""

    id: str
    explains: tuple[str, ...]
    run: Callable[[Incident], Iterator[Verdict]]
    doc: str

    @property
    def kind(self) -> Kind:
        """The kind of the finding it looks for."""
        return FINDINGS[self.id].kind


RULES: dict[str, Rule] = {}


def rule(
    id_: str, explains: tuple[str, ...] = ()
) -> Callable[[Callable[[Incident], Iterator[Verdict]]], Callable[[Incident], Iterator[Verdict]]]:
    """Registers a function as the rule for the finding `id_`.

    `explains` names the findings that this one, when found, makes a symptom or collateral of itself.
    Raises `ValueError` for an id that the vocabulary does not know or that already has a rule.
    """
    unknown = [name for name in (id_, *explains) if name not in FINDINGS]
    if unknown or id_ in RULES:
        message = f"rule {id_}: {f'unknown finding {unknown[0]}' if unknown else 'registered twice'}"
        raise ValueError(message)

    def register(run: Callable[[Incident], Iterator[Verdict]]) -> Callable[[Incident], Iterator[Verdict]]:
        doc = sys.modules[run.__module__].__doc__ or ""
        RULES[id_] = Rule(id_, explains, run, doc)
        return run

    return register
