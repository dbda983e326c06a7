"""The table of `docker ps`."""

from __future__ import annotations

import pytest

from analyzer.events import ExitCode, ReleaseStated
from tests.parsers.build_blocks import claims, facts, of, read, value
from tests.parsers.snapshots import SAMPLES


@pytest.mark.parametrize("line", ["CONTAINER ID   NAME      CPU %     MEM USAGE / LIMIT", "CONTAINER ID of the server"])
def test_other_tables_of_containers_are_not_its(line: str) -> None:
    assert not claims("docker_ps", line)


def test_a_container_that_ended_has_a_code() -> None:
    block = read("docker_ps", SAMPLES["docker_ps"])
    (end,) = of(ExitCode, block)
    assert (value(end.code), end.container, end.oom) == (137, "sgl", None)
    assert facts(block)["container cache"] == "Up 2 hours (healthy)"


def test_the_image_states_the_release() -> None:
    assert of(ReleaseStated, read("docker_ps", SAMPLES["docker_ps"]))[0].version == "0.5.9"
