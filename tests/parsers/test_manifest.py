"""Manifests of Kubernetes and of docker compose."""

from __future__ import annotations

import pytest

from analyzer.events import CgroupMemory, CommandLine, ExitCode, FilesystemListed, ProbeSettings, ReleaseStated
from tests.parsers.build_blocks import GIB, claims, facts, of, read, value
from tests.parsers.snapshots import SAMPLES

COMPOSE = """
services:
  llm:
    image: lmsysorg/sglang:v0.5.9
    command: >
      python3 -m sglang.launch_server
      --model-path /models/m --tp 8
    shm_size: "32gb"
    environment:
      - NCCL_DEBUG=WARN
      - HF_TOKEN=hf_secret
    deploy:
      resources:
        limits:
          memory: 400G
"""
ENDED = """
apiVersion: v1
kind: Pod
status:
  containerStatuses:
  - lastState:
      terminated:
        exitCode: 137
        finishedAt: "2026-02-17T10:12:41Z"
        reason: OOMKilled
    name: sglang
    restartCount: 3
    state:
      waiting:
        reason: CrashLoopBackOff
"""
SIDECAR = """
apiVersion: v1
spec:
  containers:
  - name: proxy
    image: envoy:v1
    resources:
      limits:
        memory: 1Gi
  - name: sglang
    image: lmsysorg/sglang:v0.5.9
    resources:
      limits:
        memory: 400Gi
"""


@pytest.mark.parametrize("line", ["apiVersion is missing", "services: down since noon", "kind: Pod"])
def test_sentences_are_no_manifest(line: str) -> None:
    assert not claims("manifest", line)


def test_a_sidecar_s_limit_is_none_of_the_server_s() -> None:
    (memory,) = of(CgroupMemory, read("manifest", SIDECAR))
    assert value(memory.limit) == 400 * GIB


def test_secrets_are_not_kept() -> None:
    assert facts(read("manifest", COMPOSE)) == {"env.NCCL_DEBUG": "WARN"}


def test_command_limit_release_and_probe_are_told() -> None:
    block = read("manifest", SAMPLES["manifest"])
    command = ("python3", "-m", "sglang.launch_server", "--model-path=/models/m", "--tp", "8")
    assert [event.argv for event in of(CommandLine, block)] == [command]
    assert [value(event.limit) for event in of(CgroupMemory, block)] == [400 * GIB]
    assert [event.version for event in of(ReleaseStated, block)] == ["0.5.9"]
    (probe,) = of(ProbeSettings, block)
    assert (probe.probe, value(probe.period), value(probe.failures), probe.delay) == ("startup", 10, 60, None)


def test_compose_counts_in_powers_of_1024() -> None:
    block = read("manifest", COMPOSE)
    assert [value(event.limit) for event in of(CgroupMemory, block)] == [400 * GIB]
    assert [(event.mount, value(event.total)) for event in of(FilesystemListed, block)] == [("/dev/shm", 32 * GIB)]
    assert [event.argv[3:] for event in of(CommandLine, block)] == [("--model-path", "/models/m", "--tp", "8")]


def test_kubernetes_counts_as_its_suffixes_say() -> None:
    block = read("manifest", SAMPLES["manifest"].replace("400Gi", "400G"))
    assert [value(event.limit) for event in of(CgroupMemory, block)] == [400 * 10**9]


def test_how_a_container_ended_is_told_with_its_time() -> None:
    block = read("manifest", ENDED)
    (end,) = of(ExitCode, block)
    assert (value(end.code), end.reason, end.oom, end.container) == (137, "OOMKilled", True, "sglang")
    assert end.where.stamp is not None
    assert end.where.stamp.text == "2026-02-17T10:12:41Z"
    assert facts(block) == {"pod.waiting": "CrashLoopBackOff", "pod.restart-count": "3"}


SERVER = """\
      containers:
      - name: llm
        {command}
        image: lmsysorg/sglang:v0.5.9
        resources:
          limits:
            memory: 400Gi
"""
ARGV = ("python3", "-m", "sglang.launch_server", "--model-path", "/models/m", "--tp", "8")


@pytest.mark.parametrize(
    "command",
    [
        "args:\n        - |\n          python3 -m sglang.launch_server \\\n            --model-path /models/m \\\n            --tp 8",
        'command: ["sh", "-c"]\n        args:\n        - |\n          # stop the old one first\n          pkill -f sglang || true\n          export NCCL_DEBUG=WARN\n          exec python3 -m sglang.launch_server --model-path /models/m \\\n            --tp 8 2>&1 | tee /log',
        'command: ["sh", "-c"]\n        args:\n          - >-\n            python3 -m sglang.launch_server\n            --model-path /models/m\n            --tp 8',
        'command: [\n          "python3", "-m", "sglang.launch_server",\n          "--model-path", "/models/m",\n          "--tp", "8",\n        ]',
        'command:\n        - bash\n        - -c\n        - "python3 -m sglang.launch_server --model-path /models/m\n          --tp 8"',
        'command: ["/bin/bash", "-lc", "cd /work && python3 -m sglang.launch_server --model-path /models/m --tp 8"]',
    ],
    ids=["literal", "script", "folded", "brackets", "quoted", "flow"],
)
def test_the_command_is_read_in_every_spelling_and_so_is_what_stands_below(command: str) -> None:
    text = "apiVersion: apps/v1\nkind: Deployment\nspec:\n  template:\n    spec:\n" + SERVER.format(command=command)
    block = read("manifest", text)
    assert [event.argv for event in of(CommandLine, block)] == [ARGV]
    assert [event.version for event in of(ReleaseStated, block)] == ["0.5.9"]
    assert [value(event.limit) for event in of(CgroupMemory, block)] == [400 * GIB]
    assert block.lines == text.rstrip().count("\n") + 1
