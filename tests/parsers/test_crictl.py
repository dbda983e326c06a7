"""`crictl ps` and `crictl inspect`."""

from __future__ import annotations

from datetime import datetime

import pytest

from analyzer.events import CgroupMemory, CommandLine, ExitCode, ReleaseStated, Workload
from tests.parsers.build_blocks import GIB, claims, facts, of, read, value
from tests.parsers.snapshots import SAMPLES

INSPECTED = """
  "status": {
    "id": "98ad5842a62844f62d4468c52dbfcc081a08ba25c95c842a967de7058f60dd24",
    "metadata": {
      "attempt": 3,
      "name": "main"
    },
    "state": "CONTAINER_EXITED",
    "createdAt": "2026-02-17T09:57:26.038813532Z",
    "startedAt": "2026-02-17T09:57:26.235406355Z",
    "finishedAt": "2026-02-17T10:12:41.523559866Z",
    "exitCode": 137,
    "image": {
      "image": "docker.io/lmsysorg/sglang:v0.5.9"
    },
    "imageRef": "docker.io/lmsysorg/sglang@sha256:6654db6d",
    "reason": "OOMKilled",
    "message": "",
    "labels": {
      "io.kubernetes.container.name": "main",
      "io.kubernetes.pod.name": "llm-0"
    },
    "mounts": []
  },
  "info": {
    "sandboxID": "e1c83b0b8d481",
    "pid": 0,
    "runtimeSpec": {
      "process": {
        "args": [
          "python3",
          "-m",
          "sglang.launch_server",
          "--tp",
          "8"
        ],
        "env": [
          "HF_TOKEN=hf_secret"
        ]
      },
      "linux": {
        "resources": {
          "memory": {
            "limit": 107374182400
          }
        }
      }
    }
  }
}
"""


@pytest.mark.parametrize(
    "line",
    [
        "CONTAINER ID   IMAGE   COMMAND   CREATED   STATUS   PORTS   NAMES",
        "CONTAINER           CPU %               MEM                 DISK              INODES",
        '  "status": "ok",',
        '"info": [',
    ],
)
def test_other_tables_and_sections_are_not_its(line: str) -> None:
    assert not claims("crictl", line)


def test_a_sandbox_and_the_runtime_s_own_state_are_no_containers() -> None:
    sandbox = '  "status": {\n    "id": "e1c8",\n    "state": "SANDBOX_READY"\n  }\n}'
    runtime = '  "status": {\n    "conditions": [\n      {\n        "type": "RuntimeReady"\n      }\n    ]\n  }\n}'
    for text in (sandbox, runtime):
        block = read("crictl", text)
        assert (block.lines, block.understood, block.events) == (1, 0, [])


def test_the_end_has_code_reason_time_and_owner() -> None:
    (end,) = of(ExitCode, read("crictl", INSPECTED))
    assert (value(end.code), end.oom, end.reason, end.container) == (137, True, "OOMKilled", "main")
    assert end.owner == "pod llm-0/main"
    assert end.where.stamp is not None
    assert end.where.stamp.moment == datetime(2026, 2, 17, 10, 12, 41, 523559)


def test_another_reason_does_not_exclude_that_memory_ran_out() -> None:
    assert of(ExitCode, read("crictl", INSPECTED.replace("OOMKilled", "Error")))[0].oom is None


def test_a_container_that_runs_has_not_ended() -> None:
    assert not of(ExitCode, read("crictl", INSPECTED.replace("CONTAINER_EXITED", "CONTAINER_RUNNING")))


def test_limit_command_release_and_restarts_are_read_and_no_secret() -> None:
    block = read("crictl", INSPECTED)
    (memory,) = of(CgroupMemory, block)
    assert (value(memory.limit), memory.group) == (100 * GIB, "llm-0/main")
    assert of(CommandLine, block)[0].argv == ("python3", "-m", "sglang.launch_server", "--tp", "8")
    assert of(ReleaseStated, block)[0].version == "0.5.9"
    assert facts(block) == {"container main": "CONTAINER_EXITED", "pod.restart-count": "3"}
    assert block.lines == block.understood == INSPECTED.strip("\n").count("\n") + 1


def test_the_info_may_stand_before_the_status() -> None:
    status, info = INSPECTED.strip("\n").split('\n  "info"')
    text = '  "info"' + info.removesuffix("\n}") + ",\n" + status.rstrip(",") + "\n}"
    assert [end.owner for end in of(ExitCode, read("crictl", text))] == ["pod llm-0/main"]


def test_the_table_says_what_runs_and_whose_it_is() -> None:
    block = read("crictl", SAMPLES["crictl"])
    assert facts(block) == {"container sglang": "Exited", "container envoy": "Running"}
    assert [(one.owner, one.server) for one in of(Workload, block)] == [
        ("pod llm-0/sglang", True),
        ("pod llm-0/envoy", False),
    ]
    assert block.lines == block.understood == 3


def test_the_table_without_pods_names_containers() -> None:
    text = """
CONTAINER ID        IMAGE               CREATED             STATE               NAME                ATTEMPT             POD ID
9f7a48803a2f5       9f76b554c615d       3 days ago          Running             vms                 0                   3f075e72dfa28
"""
    assert [one.owner for one in of(Workload, read("crictl", text))] == ["container vms"]
