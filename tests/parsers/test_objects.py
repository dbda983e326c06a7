"""A pod is the same, whether it is described, or shown as YAML, as JSON, or as JSON in one line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from analyzer.events import CgroupMemory, ExitCode, Fact, HostNote, OomKill, OrchestratorAct, ProbeFailed, Workload
from tests.parsers.build_blocks import GIB, facts, of, read, value, yaml

if TYPE_CHECKING:
    from analyzer.events import Event
    from analyzer.parsers.block import Block

DESCRIBED = """
Name:             llm-0
Namespace:        default
Node:             gpu-1/10.0.0.1
Start Time:       Thu, 18 Dec 2025 04:50:00 +0000
Status:           Running
Containers:
  envoy:
    Image:         envoyproxy/envoy:v1.30
    State:         Running
      Started:     Thu, 18 Dec 2025 04:50:02 +0000
    Last State:    Terminated
      Reason:      Error
      Exit Code:   1
      Finished:    Thu, 18 Dec 2025 04:59:00 +0000
    Restart Count: 1
    Limits:
      memory:  1Gi
  main:
    Image:         lmsysorg/sglang:v0.5.6.post2
    Command:
      python3
      -m
      sglang.launch_server
    Args:
      --model-path
      /models/m
      --tp
      8
    State:         Waiting
      Reason:      CrashLoopBackOff
    Last State:    Terminated
      Reason:      OOMKilled
      Exit Code:   137
      Finished:    Thu, 18 Dec 2025 05:04:51 +0000
    Restart Count: 4
    Limits:
      memory:          64Gi
      nvidia.com/gpu:  8
    Liveness:  http-get http://:30000/health delay=600s timeout=25s period=30s #success=1 #failure=4
"""

PROBE = {"initialDelaySeconds": 600, "timeoutSeconds": 25, "periodSeconds": 30, "failureThreshold": 4}
POD: dict[str, Any] = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "llm-0", "namespace": "default"},
    "spec": {
        "containers": [
            {"image": "envoyproxy/envoy:v1.30", "name": "envoy", "resources": {"limits": {"memory": "1Gi"}}},
            {
                "args": ["--model-path", "/models/m", "--tp", "8"],
                "command": ["python3", "-m", "sglang.launch_server"],
                "image": "lmsysorg/sglang:v0.5.6.post2",
                "livenessProbe": PROBE,
                "name": "main",
                "resources": {"limits": {"memory": "64Gi", "nvidia.com/gpu": "8"}},
            },
        ],
        "nodeName": "gpu-1",
    },
    "status": {
        "conditions": [{"status": "True", "type": "Ready"}],
        "containerStatuses": [
            {
                "image": "docker.io/envoyproxy/envoy:v1.30",
                "lastState": {
                    "terminated": {"exitCode": 1, "finishedAt": "2025-12-18T04:59:00Z", "reason": "Error"},
                },
                "name": "envoy",
                "restartCount": 1,
                "state": {"running": {"startedAt": "2025-12-18T04:50:02Z"}},
            },
            {
                "image": "docker.io/lmsysorg/sglang:v0.5.6.post2",
                "lastState": {
                    "terminated": {"exitCode": 137, "finishedAt": "2025-12-18T05:04:51Z", "reason": "OOMKilled"},
                },
                "name": "main",
                "restartCount": 4,
                "state": {"waiting": {"message": "back-off", "reason": "CrashLoopBackOff"}},
            },
        ],
        "phase": "Running",
    },
}


SHOWN = {
    "yaml": ("manifest", yaml(POD)),
    "json": ("kubectl_json", json.dumps(POD, indent=4).removeprefix("{\n")),
    "one line": ("kubectl_json", json.dumps(POD, separators=(",", ":"))),
    "list": ("kubectl_json", json.dumps({"apiVersion": "v1", "items": [POD], "kind": "List"}, indent=4)[2:]),
    "list as yaml": ("manifest", yaml({"apiVersion": "v1", "items": [POD], "kind": "List"})),
}


def told(block: Block) -> list[tuple[str, ...]]:
    """What a block says, without where and by whom."""
    return sorted(_told(event) for event in block.events)


def _told(event: Event) -> tuple[str, ...]:
    fields = {name: getattr(event, name) for kind in type(event).__mro__ for name in getattr(kind, "__slots__", ())}
    shown = {name: value(held) if hasattr(held, "slack") else held for name, held in fields.items()}
    stamp = event.where.stamp.moment.isoformat() if event.where.stamp else ""
    kept = (f"{name}={held}" for name, held in sorted(shown.items()) if name not in {"where", "text", "said_by"})
    return (type(event).__name__, stamp, *kept)


@pytest.mark.parametrize("shown", SHOWN)
def test_the_same_pod_says_the_same(shown: str) -> None:
    assert told(read(*SHOWN[shown])) == told(read("kubectl_describe", DESCRIBED))


@pytest.mark.parametrize("shown", SHOWN)
def test_of_the_pod_s_containers_only_the_server_s_limit_and_end_count(shown: str) -> None:
    block = read(*SHOWN[shown])
    assert [value(memory.limit) for memory in of(CgroupMemory, block)] == [64 * GIB]
    (end,) = of(ExitCode, block)
    assert (value(end.code), end.oom, end.container, end.owner) == (137, True, "main", "pod llm-0/main")
    assert [(one.owner, one.server) for one in of(Workload, block)] == [
        ("pod llm-0/envoy", False),
        ("pod llm-0/main", True),
    ]


@pytest.mark.parametrize("shown", SHOWN)
def test_every_line_is_understood(shown: str) -> None:
    parser, text = SHOWN[shown]
    block = read(parser, text)
    assert block.lines == block.understood == text.count("\n") + 1


def test_what_is_cut_tells_what_it_has() -> None:
    whole = SHOWN["json"][1]
    cut = whole[: whole.index('"phase"')]
    (end,) = of(ExitCode, read("kubectl_json", cut))
    assert value(end.code) == 137


@pytest.mark.parametrize("parser", ["manifest", "kubectl_json"])
def test_an_evicted_pod_says_why(parser: str) -> None:
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "llm-0"},
        "status": {"message": "The node was low on resource: memory.", "phase": "Failed", "reason": "Evicted"},
    }
    (act,) = of(OrchestratorAct, read(parser, yaml(pod) if parser == "manifest" else json.dumps(pod)))
    assert (act.act, act.reason, act.owner) == ("evicted", "The node was low on resource: memory.", "pod llm-0")


KILLED = "Memory cgroup out of memory: Killed process 12345 (python3) total-vm:753508kB, anon-rss:58776kB, file-rss:29400kB, shmem-rss:0kB"
EVENTS = {
    "apiVersion": "v1",
    "items": [
        {
            "apiVersion": "v1",
            "count": count,
            "involvedObject": {"fieldPath": "spec.containers{main}", "kind": kind, "name": name},
            "kind": "Event",
            "lastTimestamp": "2025-12-18T05:04:51Z",
            "message": message,
            "reason": reason,
            "type": "Warning",
        }
        for count, kind, name, reason, message in (
            (1, "Node", "gpu-1", "OOMKilling", KILLED),
            (4, "Pod", "llm-0", "Unhealthy", "Liveness probe failed: timeout"),
            (2, "Pod", "llm-0", "Killing", "Container main failed liveness probe, will be restarted"),
        )
    ],
    "kind": "List",
}


@pytest.mark.parametrize("parser", ["manifest", "kubectl_json"])
def test_events_are_read_with_their_counts_times_and_owners(parser: str) -> None:
    block = read(parser, yaml(EVENTS) if parser == "manifest" else json.dumps(EVENTS, indent=4)[2:])
    (kill,), (failed,), (act,) = of(OomKill, block), of(ProbeFailed, block), of(OrchestratorAct, block)
    assert (kill.pid, kill.command, kill.scope, value(kill.anon)) == (12345, "python3", "cgroup", 58776 * 1024)
    assert (failed.probe, failed.count, failed.owner) == ("liveness", 4, "pod llm-0/main")
    assert (act.act, act.count, act.owner) == ("killed", 2, "pod llm-0/main")
    assert {event.where.stamp.text for event in block.events if event.where.stamp} == {"2025-12-18T05:04:51Z"}


def test_a_node_has_its_memory_and_says_what_it_is_short_of() -> None:
    node = {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": "gpu-1"},
        "status": {
            "capacity": {"memory": "2113396804Ki"},
            "conditions": [
                {"message": "has too little", "status": "True", "type": "MemoryPressure"},
                {"message": "has enough", "status": "False", "type": "DiskPressure"},
            ],
        },
    }
    block = read("kubectl_json", json.dumps(node))
    (note,) = of(HostNote, block)
    assert (note.host, value(note.memory)) == ("gpu-1", 2113396804 * 1024)
    assert facts(block) == {"node.MemoryPressure": "MemoryPressure True has too little"}


def test_another_object_says_nothing() -> None:
    assert not read("kubectl_json", '{"apiVersion":"v1","kind":"Service","spec":{"type":"ClusterIP"}}').events
    assert not of(Fact, read("kubectl_json", '{"apiVersion":"v1","kind":"Pod"}'))


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("sglang-router", ["python3", "-m", "sglang_router.launch_router"]),
        ("b", ["python3", "-m", "sglang.bench_serving"]),
    ],
)
def test_a_router_and_a_benchmark_are_no_servers_though_their_image_is_sglang_s(name: str, command: list[str]) -> None:
    beside = {
        "command": command,
        "image": "lmsysorg/sglang:v0.5.9",
        "name": name,
        "resources": {"limits": {"memory": "1Gi"}},
    }
    server = {
        "image": "registry.example/ours:7",
        "name": "llm",
        "resources": {"limits": {"memory": "64Gi", "nvidia.com/gpu": "8"}},
    }
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "llm-0"}, "spec": {"containers": [beside, server]}}
    block = read("manifest", yaml(pod))
    assert [value(memory.limit) for memory in of(CgroupMemory, block)] == [64 * GIB]
