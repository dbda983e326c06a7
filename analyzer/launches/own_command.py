"""Which of the listed servers printed the log: the one whose command line agrees with what the log says it was made of.

Values that a command line leaves out, or gives by a shell's variable, do not contradict.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer import events as ev
from analyzer import knowledge
from analyzer.launches.control_groups import Place

if TYPE_CHECKING:
    from analyzer.launches.model import Launch

# What two servers of one host differ in, with what SGLang takes where the command line does not say.
_TELLING: dict[str, Any] = {"port": 30000, "model_path": None, "served_model_name": None, "tp_size": 1}


def with_the_command_of(launch: Launch) -> set[Place]:
    """The one owner whose command line agrees, where every other server that is shown was started otherwise."""
    made = launch.arguments.made
    shown = {
        Place(t.node, t.event.owner): t.event.argv
        for t in launch.outside
        if isinstance(t.event, ev.Workload) and t.event.argv
    }
    if not made or len(shown) < 2:  # noqa: PLR2004 - nothing to choose from
        return set()
    agreeing = {place for place, argv in shown.items() if _agrees(knowledge.parse_argv(argv), made)}
    return agreeing if len(agreeing) == 1 else set()


def _agrees(typed: dict[str, Any], made: dict[str, Any]) -> bool:
    return all(
        name not in made or value is None or "$" in str(value) or value == made[name]
        for name, value in ((name, typed.get(name, usual)) for name, usual in _TELLING.items())
    )
