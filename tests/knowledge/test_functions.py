"""The tables of SGLang's functions agree with each other."""

from __future__ import annotations

from analyzer.knowledge.functions import EVENT_LOOP, LAUNCH_STEPS, LIFE_OF, PHASE_OF, SERVING_STEPS
from analyzer.vocabulary import Phase

STEPS = [step for steps in LAUNCH_STEPS.values() for step in steps]


def test_no_step_of_a_launch_is_one_of_serving() -> None:
    assert not any(step.startswith(SERVING_STEPS) for step in STEPS)
    assert not any(PHASE_OF.get(step) is Phase.SERVING for step in STEPS)


def test_a_scheduler_s_steps_are_its_life() -> None:
    phases = {name: PHASE_OF[name] for name in LIFE_OF if name in PHASE_OF}
    assert {LIFE_OF[name] for name in phases} == {"scheduler"}
    assert {LIFE_OF[name] for name in LIFE_OF if name.startswith(EVENT_LOOP)} == {"scheduler"}
