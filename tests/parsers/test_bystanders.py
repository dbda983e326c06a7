"""In lists of containers, pods and jobs the ends of those beside the server are nobody's here; where none is named, any may be it."""

from __future__ import annotations

import pytest

from analyzer.events import ExitCode, OrchestratorAct
from analyzer.parsers.bystanders import serves
from tests.parsers.build_blocks import facts, of, read

CONTAINERS = """
CONTAINER ID   IMAGE                     COMMAND                  CREATED       STATUS                     PORTS   NAMES
aa11bb22cc33   {image}   "python3 -m launch"      7 minutes ago Up 7 minutes                       web
dd44ee55ff66   postgres:16               "docker-entrypoint.s…"   2 days ago    Exited (137) 3 hours ago           pg
"""
JOBS = """
JobID           JobName      State ExitCode     Elapsed
88211            {name}    RUNNING      0:0    00:07:11
88211.0         python3 OUT_OF_ME+    0:125    00:07:11
88212         prep-data OUT_OF_ME+    0:125    02:11:40
"""
EVENTS = """
LAST SEEN   TYPE      REASON         OBJECT             MESSAGE
2m          Normal    Killing        pod/{name}         Stopping container main
3m          Warning   Evicted        pod/batch-etl-77   The node was low on resource: memory.
4m          Normal    NodeNotReady   node/gpu-12        Node gpu-12 status is now: NodeNotReady
"""


@pytest.mark.parametrize(("image", "ended"), [("lmsysorg/sglang:v0.5.13", []), ("vendor/llm:1          ", ["pg"])])
def test_another_container_s_end_is_none_of_the_server(image: str, ended: list[str]) -> None:
    block = read("docker_ps", CONTAINERS.format(image=image))
    assert [end.container for end in of(ExitCode, block)] == ended
    assert facts(block)["container pg"] == "Exited (137) 3 hours ago"
    assert block.lines == block.understood == 3


@pytest.mark.parametrize(("name", "ended"), [("sglang", ["88211.0"]), ("server", ["88211.0", "88212"])])
def test_another_job_s_end_is_none_of_the_server_but_its_own_steps_are(name: str, ended: list[str]) -> None:
    assert [end.container for end in of(ExitCode, read("slurm", JOBS.format(name=name)))] == ended


@pytest.mark.parametrize(
    ("name", "acts"), [("sglang-0", ["killed", "evicted"]), ("llm-0", ["killed", "evicted", "evicted"])]
)
def test_what_is_done_to_another_pod_is_not_done_to_the_server_but_to_a_node_it_is(name: str, acts: list[str]) -> None:
    block = read("kubectl_get", EVENTS.format(name=name))
    assert [act.act for act in of(OrchestratorAct, block)] == acts
    assert block.lines == block.understood == 4


def test_a_router_is_no_server() -> None:
    text = CONTAINERS.format(image="lmsysorg/sglang-router:1")
    assert [end.container for end in of(ExitCode, read("docker_ps", text))] == ["pg"]


@pytest.mark.parametrize(
    ("name", "image", "command", "told"),
    [
        ("llm", "lmsysorg/sglang:v0.5.9", "", True),
        ("llm", "registry.example:5000/ours:7", "python3 -m sglang.launch_server --tp 8", True),
        ("sglang", "", "", True),
        ("docker-sglang.service", "", "", True),
        ("llm", "vendor/llm:1", "", None),
        ("cache", "docker.io/library/redis:7@sha256:05775a19", "", False),
        ("sglang-redis-1", "redis:7", "", False),
        ("sglang-router", "lmsysorg/sglang:v0.5.9", "", False),
        ("bench", "lmsysorg/sglang:v0.5.9", "python3 -m sglang.bench_serving", False),
        ("snapd.service", "", "", False),
        ("redis", "sha256:05775a19aa05775a19aa", "", False),
        ("sglang", "bea2d277eb715", "", True),
    ],
)
def test_image_and_command_tell_before_the_name(name: str, image: str, command: str, told: bool | None) -> None:  # noqa: FBT001
    assert serves(name, image, command) is told
