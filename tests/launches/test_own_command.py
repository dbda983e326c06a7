"""The log is of the one server whose command line agrees with the arguments that it prints."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.events import Workload
from analyzer.launches.own_command import with_the_command_of
from tests.build import launch, where

MADE = {"port": 30000, "model_path": "/models/m", "tp_size": 8}


def own(values: dict[str, Any] | None, **commands: str) -> set[str]:
    shown = [Workload(where=where(1), owner=f"container {n}", argv=tuple(c.split())) for n, c in commands.items()]
    return {place.owner for place in with_the_command_of(launch(outside=shown, values=values))}


SERVE = "python3 -m sglang.launch_server --model-path /models/m --tp 8"


@pytest.mark.parametrize(
    ("values", "commands"),
    [
        (None, {"a": SERVE, "b": f"{SERVE} --port 30001"}),  # the log does not print its arguments
        (MADE, {"a": SERVE}),  # nothing to choose from
        (MADE, {"a": SERVE, "b": SERVE}),  # both agree: another network, another GPU
        (MADE, {"a": f"{SERVE} --port 9", "b": f"{SERVE} --port 8"}),  # neither
        (MADE, {"a": SERVE, "b": f"{SERVE} --port ${{PORT}}"}),  # a variable may be anything
    ],
)
def test_what_does_not_tell_one_tells_none(values: dict[str, Any] | None, commands: dict[str, str]) -> None:
    assert own(values, **commands) == set()


@pytest.mark.parametrize("other", [f"{SERVE} --port 30001", SERVE.replace("/m ", "/n "), SERVE.replace("8", "4")])
def test_the_one_that_agrees_is_told_by_port_model_or_ranks(other: str) -> None:
    assert own(MADE, a=SERVE, b=other) == {"container a"}
