"""`docker inspect`."""

from __future__ import annotations

from datetime import datetime

import pytest

from analyzer.events import CgroupMemory, CommandLine, ExitCode, ReleaseStated
from tests.parsers.build_blocks import GIB, claims, facts, of, read, value
from tests.parsers.snapshots import SAMPLES

RUNNING = '{"Status":"running","Running":true,"OOMKilled":true,"ExitCode":0,"FinishedAt":"0001-01-01T00:00:00Z"}'
COMMAND = """
    "Id": "3be1c0aa",
    "Path": "python3",
    "Args": [
      "-m",
      "sglang.launch_server",
      "--tp",
      "8"
    ],
    "Config": {
      "Image": "lmsysorg/sglang:v0.5.9-cu129"
    }
"""


@pytest.mark.parametrize(
    "line", ['{"Id": "a request", "text": "OOMKilled"}', '"Id": "chatcmpl-1",', '"State": "ready"', "["]
)
def test_other_json_is_not_its(line: str) -> None:
    assert not claims("docker_inspect", line)


def test_the_end_has_code_time_and_whether_memory_ran_out() -> None:
    (end,) = of(ExitCode, read("docker_inspect", SAMPLES["docker_inspect"]))
    assert (value(end.code), end.oom, end.container, end.reason) == (137, False, "sgl", "exited")
    assert end.where.stamp is not None
    assert end.where.stamp.moment == datetime(2025, 12, 2, 20, 44, 12, 700000)


def test_limits_are_bytes() -> None:
    block = read("docker_inspect", SAMPLES["docker_inspect"])
    (memory,) = of(CgroupMemory, block)
    assert (value(memory.limit), memory.said_by) == (100 * GIB, "docker inspect")
    assert facts(block)["docker.shm-size"] == str(32 * GIB)


def test_a_limit_of_zero_is_none() -> None:
    block = read("docker_inspect", SAMPLES["docker_inspect"].replace("107374182400", "0"))
    assert not of(CgroupMemory, block)
    assert facts(block)["docker.memory-limit"] == "unlimited"


def test_a_running_container_has_not_ended_though_something_in_it_was_killed() -> None:
    block = read("docker_inspect", RUNNING)
    assert not of(ExitCode, block)
    assert facts(block) == {"docker.oom-killed": "true"}


def test_the_command_and_the_image_are_read() -> None:
    block = read("docker_inspect", COMMAND)
    assert of(CommandLine, block)[0].argv == ("python3", "-m", "sglang.launch_server", "--tp", "8")
    assert of(ReleaseStated, block)[0].version == "0.5.9"


def test_the_images_digest_does_not_hide_its_tag() -> None:
    block = read("docker_inspect", COMMAND.replace('    "Config"', '    "Image": "sha256:05775a19",\n    "Config"'))
    assert of(ReleaseStated, block)[0].version == "0.5.9"


def test_several_containers_are_told_apart_by_name() -> None:
    text = SAMPLES["docker_inspect"].rstrip().removesuffix("]").rstrip()
    block = read("docker_inspect", f"{text},\n  {{\n{text.replace('/sgl', '/cache').replace('3be1c0', '3be1c1')}\n]")
    assert [memory.group for memory in of(CgroupMemory, block)] == ["sgl", "cache"]


def test_output_cut_in_the_middle_tells_what_it_has() -> None:
    cut = "\n".join(SAMPLES["docker_inspect"].strip("\n").split("\n")[:6])
    assert value(of(ExitCode, read("docker_inspect", cut))[0].code) == 137
