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


def test_nerdctl_prints_the_same_table() -> None:
    block = read(
        "docker_ps",
        """
CONTAINER ID    IMAGE                              COMMAND                CREATED         STATUS                       PORTS    NAMES
371ecb033c10    docker.io/library/alpine:latest    "sh -c nc -l -p 80"    34 hours ago    Up                                    alpine-371ec
a091b2be8eb0    docker.io/lmsysorg/sglang:v0.5.9   "python3 -m sglang…"   34 hours ago    Exited (137) 34 hours ago             sgl
""",
    )
    assert [(value(end.code), end.container) for end in of(ExitCode, block)] == [(137, "sgl")]
    assert facts(block)["container alpine-371ec"] == "Up"
