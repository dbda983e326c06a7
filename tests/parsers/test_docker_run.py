"""A `docker run` command."""

from __future__ import annotations

import pytest

from analyzer.events import CgroupMemory, CommandLine, ReleaseStated
from tests.parsers.build_blocks import GIB, claims, facts, of, read, value
from tests.parsers.snapshots import SAMPLES


@pytest.mark.parametrize(
    "line",
    ["docker run failed", "we use docker run with --memory=100g", "docker run exits with 137", "the docker run -m 4g"],
)
def test_sentences_on_it_are_no_command(line: str) -> None:
    assert not claims("docker_run", line)


def test_its_memory_is_a_binary_limit() -> None:
    (memory,) = of(CgroupMemory, read("docker_run", SAMPLES["docker_run"]))
    assert [value(a) for a in (memory.limit, memory.swap_limit)] == [100 * GIB, 100 * GIB]
    assert memory.said_by == "docker run"


def test_python_s_own_m_is_no_size() -> None:
    line = "docker run --gpus all lmsysorg/sglang:latest python3 -m sglang.launch_server --tp 2"
    assert not of(CgroupMemory, read("docker_run", line))


def test_the_command_goes_on_over_backslashes() -> None:
    block = read("docker_run", SAMPLES["docker_run"])
    assert block.lines == 2
    assert of(CommandLine, block)[0].argv[:3] == ("python3", "-m", "sglang.launch_server")
    assert of(CommandLine, block)[0].where.ref.last_line == 2
    assert of(ReleaseStated, block)[0].version == "0.5.9"


def test_shared_memory_and_ipc_are_facts() -> None:
    assert facts(read("docker_run", SAMPLES["docker_run"])) == {"docker.shm-size": "32g", "docker.ipc": "host"}


def test_a_prompt_may_stand_before_it_and_a_quote_may_be_cut() -> None:
    assert of(CgroupMemory, read("docker_run", "$ sudo docker run --memory 64g -e 'A=b"))[0].limit is not None
