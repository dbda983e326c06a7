"""`docker events` and `podman events`."""

from __future__ import annotations

import json

import pytest

from analyzer.events import ExitCode, StopRequested, Workload
from tests.parsers.build_blocks import claims, facts, of, read
from tests.parsers.snapshots import SAMPLES

ID, OTHER = "3be1c0aabbcc" * 5, "77e1c0aabbcc" * 5


def row(act: str, attributes: str, number: str = ID) -> str:
    return f"2026-02-17T10:05:10.123456789Z container {act} {number} ({attributes})"


def kept(act: str, **attributes: str) -> str:
    told = {"Type": "container", "Action": act, "Actor": {"ID": ID, "Attributes": attributes}, "time": 1771322710}
    return json.dumps(told, separators=(",", ":"))


@pytest.mark.parametrize(
    "line",
    [
        "the container die 3be1c0aabbcc was seen",
        "[2026-02-17 10:05:10] container die 3be1c0aabbcc (exitCode=137) is what docker said",
        '{"text": "container die 3be1c0aabbcc (exitCode=137, name=sgl)"}',
        '{"Type":"container","Name":"sgl"}',
        '{"Type":"request","Action":"die","Actor":{}}',
        '{"Type":"container","Action":"die","Actor":' + "[" * 5000,
    ],
)
def test_words_about_containers_are_no_event(line: str) -> None:
    assert not claims("docker_events", line)


def test_a_stop_of_another_container_is_none_of_the_server_s() -> None:
    text = "\n".join(
        [
            row("kill", "image=redis, name=cache, signal=15", OTHER),
            row("die", "execDuration=9, exitCode=0, image=redis, name=cache", OTHER),
            row("start", "image=lmsysorg/sglang:v0.5.9, name=sgl"),
        ]
    )
    block = read("docker_events", text)
    assert not of(StopRequested, block)
    assert not of(ExitCode, block)
    assert facts(block) == {"docker.event cache": "kill 15", "docker.event sgl": "start"}


def test_a_signal_to_one_of_several_of_which_none_is_known_stops_nobody() -> None:
    text = row("kill", "image=a, name=b, signal=9") + "\n" + row("kill", "image=c, name=d, signal=15", OTHER)
    assert not of(StopRequested, read("docker_events", text))


@pytest.mark.parametrize("image", ["lmsysorg/sglang:v0.5.9", "registry/llm:3"])
def test_a_signal_to_the_server_or_to_the_only_container_is_a_request_to_stop(image: str) -> None:
    [stop] = of(StopRequested, read("docker_events", row("kill", f"image={image}, name=llm, signal=15")))
    assert stop.signal == "15"


def test_an_end_has_its_code_its_owner_and_its_time_as_text_and_as_json() -> None:
    for text in (
        row("die", "execDuration=189, exitCode=137, image=lmsysorg/sglang:v0.5.9, name=sgl"),
        kept("die", execDuration="189", exitCode="137", image="lmsysorg/sglang:v0.5.9", name="sgl"),
    ):
        block = read("docker_events", text)
        [end] = of(ExitCode, block)
        assert end.code is not None
        assert (end.code.number(), end.owner, end.image) == (137, "container sgl", "lmsysorg/sglang:v0.5.9")
        assert end.where.stamp is not None
        assert end.where.stamp.moment.replace(microsecond=0).isoformat() == "2026-02-17T10:05:10"
        assert [(w.owner, w.server) for w in of(Workload, block)] == [("container sgl", True)]


def test_running_out_of_memory_is_told() -> None:
    ends = of(ExitCode, read("docker_events", SAMPLES["docker_events"]))
    assert [(end.oom, end.code.number() if end.code else None) for end in ends] == [(True, None), (None, 137)]


def test_podman_tells_the_code_in_its_json() -> None:
    told = '{"ContainerExitCode":137,"ID":"3be1c0aabb","Image":"x/sglang:latest","Name":"sgl","Status":"died","Time":"2026-02-17T10:05:10.1Z","Type":"container","Attributes":null}'
    [end] = of(ExitCode, read("docker_events", told))
    assert end.code is not None
    assert (end.code.number(), end.owner) == (137, "container sgl")


def test_podman_s_text_tells_that_it_died() -> None:
    text = "2026-02-17 10:05:10.123456789 +0000 UTC container died 3be1c0aabbccdd (image=x/sglang:latest, name=sgl)"
    block = read("docker_events", text)
    assert facts(block) == {"docker.event sgl": "died"}
    assert not of(ExitCode, block)
