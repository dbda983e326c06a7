"""Findings, calculations and remedies as the contract has them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer import contract, units
from analyzer.diagnose.commands import exact
from analyzer.diagnose.judge import kind_of
from analyzer.units import Read
from analyzer.units.shown import both

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from analyzer import verdict
    from analyzer.diagnose.lines import Lines
    from analyzer.diagnose.roles import Placed
    from analyzer.incident import Incident
    from analyzer.units import Amount, Step


def finding(
    placed: Placed, incident: Incident, lines: Lines, collateral: list[contract.Collateral]
) -> contract.Finding:
    """One finding, written out."""
    found = placed.found
    return contract.Finding(
        id=placed.id,
        kind=kind_of(placed.id).value,
        role=placed.role.value,
        status=found.status.value,
        launch=incident.launch.id if incident.launch.shown else None,
        summary=found.summary,
        explanation=found.explanation,
        claims=[contract.Claim(c.part.value, c.text, c.status.value, lines.ids(c.lines)) for c in found.claims],
        calculation=calculation(found.numbers, lines),
        lines=lines.ids(found.lines),
        contradicting=lines.ids(found.contradicting),
        collateral=collateral,
        remedy=[remedy(r, lines) for r in found.remedy],
        confirm=[confirm(c, incident) for c in found.confirm],
        not_known=list(found.not_known),
        lose=found.lose,
        sum=found.sum,
    )


def confirm(item: verdict.Confirm, incident: Incident) -> contract.Confirm:
    """A command to run, as it can be typed for this launch."""
    return contract.Confirm(exact(incident)(item.command), item.where, item.read_only, item.decides)


def remedy(item: verdict.Remedy, lines: Lines) -> contract.Remedy:
    """Something to do, with the arithmetic behind its figure."""
    return contract.Remedy(
        kind=item.kind,
        action=item.action,
        argument=item.argument,
        from_=item.before,
        to=item.after,
        command_line=item.command_line,
        risk=item.risk,
        assumptions=list(item.assumptions),
        calculation=calculation(item.numbers, lines),
    )


def calculation(numbers: Sequence[Amount[Any]], lines: Lines) -> list[contract.Calculation]:
    """The named steps below these amounts; a step cites the steps it uses by id and the lines it read itself."""
    made = units.steps(numbers)
    ids = {step.name: f"S{i + 1}" for i, step in enumerate(made)}
    return [_step(step, ids, lines) for step in made]


def _step(step: Step, ids: dict[str, str], lines: Lines) -> contract.Calculation:
    amount = step.amount
    typed = None
    if isinstance(amount.origin, Read):
        number, _, unit = amount.origin.text.rpartition(" ")
        typed = contract.Typed(number, unit)
    return contract.Calculation(
        id=ids[step.name],
        name=step.name,
        expression=step.expression,
        op=step.op,
        of=[ids[name] for name in step.of] + lines.ids(step.lines[:8]),
        value=amount.number(),
        unit=amount.unit,
        shown=both(amount),
        typed=typed,
        note=step.note or None,
    )


def merged(groups: Iterable[list[contract.Finding]]) -> list[contract.Finding]:
    """The findings of all launches, roots first."""
    order = ["root", "contributing", "symptom", "collateral", "bystander"]
    everything = [f for group in groups for f in group]
    return sorted(everything, key=lambda f: order.index(f.role))
