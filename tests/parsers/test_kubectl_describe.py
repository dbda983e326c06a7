"""`kubectl describe pod`."""

from __future__ import annotations

from datetime import datetime

import pytest

from analyzer.events import (
    CgroupMemory,
    CommandLine,
    ExitCode,
    HostNote,
    OrchestratorAct,
    ProbeFailed,
    ProbeSettings,
    ReleaseStated,
    Workload,
)
from tests.parsers.build_blocks import GIB, claims, facts, of, read, value
from tests.parsers.snapshots import SAMPLES

COMMAND = """
Containers:
  sglang:
    Command:
      python3
      -m
      sglang.launch_server
    Args:
      --model-path
      /models/m
    State:          Running
"""
DEPLOYMENT = """
Name:                   llm
Namespace:              default
CreationTimestamp:      Tue, 17 Feb 2026 09:00:00 +0000
Selector:               app=llm
Replicas:               1 desired | 1 updated | 1 total | 0 available | 1 unavailable
StrategyType:           RollingUpdate
MinReadySeconds:        0
RollingUpdateStrategy:  25% max unavailable, 25% max surge
Pod Template:
  Containers:
   sglang:
    Image:      lmsysorg/sglang:v0.5.9
    Port:       30000/TCP
    Command:
      python3
      -m
      sglang.launch_server
    Args:
      --model-path
      /models/m
      --tp
      8
    Limits:
      memory:          400Gi
      nvidia.com/gpu:  8
    Requests:
      memory:     200Gi
    Liveness:     http-get http://:30000/health delay=600s timeout=10s period=10s #success=1 #failure=3
    Environment:  <none>
  Volumes:
   shm:
    Type:          EmptyDir (a temporary directory that shares a pod's lifetime)
    Medium:        Memory
    SizeLimit:     32Gi
Conditions:
  Type           Status  Reason
  ----           ------  ------
  Progressing    True    NewReplicaSetAvailable
  Available      False   MinimumReplicasUnavailable
OldReplicaSets:  llm-5d4f8c (0/0 replicas created)
NewReplicaSet:   llm-7d4f8c (1/1 replicas created)
Events:
  Type    Reason             Age   From                   Message
  ----    ------             ----  ----                   -------
  Normal  ScalingReplicaSet  12m   deployment-controller  Scaled up replica set llm-7d4f8c to 1
"""
JOB = """
Name:             llm
Namespace:        default
Selector:         batch.kubernetes.io/controller-uid=0a1b
Parallelism:      1
Completions:      1
Completion Mode:  NonIndexed
Suspend:          false
Backoff Limit:    0
Start Time:       Tue, 17 Feb 2026 09:00:00 +0000
Active Deadline Seconds:  600s
Pods Statuses:    0 Active (0 Ready) / 0 Succeeded / 1 Failed
Pod Template:
  Containers:
   sglang:
    Image:      lmsysorg/sglang:v0.5.9
    Port:       <none>
    Environment:   <none>
  Volumes:         <none>
Events:
  Type     Reason            Age   From            Message
  ----     ------            ----  ----            -------
  Normal   SuccessfulCreate  12m   job-controller  Created pod: llm-abcde
  Warning  DeadlineExceeded  2m    job-controller  Job was active longer than specified deadline
"""
EVICTED = """
Name:             llm-0
Status:           Failed
Reason:           Evicted
Message:          The node was low on resource: memory.
"""


@pytest.mark.parametrize(
    "line", ["Name:\tpython3", "Name: sglang", "Name:  the server", "Events: none seen", "Limits: none"]
)
def test_other_lines_with_its_keys_are_no_pod(line: str) -> None:
    assert not claims("kubectl_describe", line)


def test_the_memory_limit_is_binary_with_an_i_and_decimal_without() -> None:
    text = SAMPLES["kubectl_describe"]
    assert value(of(CgroupMemory, read("kubectl_describe", text))[0].limit) == 64 * GIB
    decimal = text.replace("64Gi", "64G")
    assert value(of(CgroupMemory, read("kubectl_describe", decimal))[0].limit) == 64 * 10**9


def test_the_last_state_tells_how_the_container_ended_and_when() -> None:
    (end,) = of(ExitCode, read("kubectl_describe", SAMPLES["kubectl_describe"]))
    assert (value(end.code), end.oom, end.reason, end.container) == (137, True, "OOMKilled", "sglang")
    assert end.where.stamp is not None
    assert end.where.stamp.moment == datetime(2025, 12, 18, 5, 4, 51)


def test_another_reason_does_not_exclude_that_memory_ran_out() -> None:
    text = SAMPLES["kubectl_describe"].replace("OOMKilled", "Error")
    assert of(ExitCode, read("kubectl_describe", text))[0].oom is None


def test_the_probe_s_settings_are_read() -> None:
    (probe,) = of(ProbeSettings, read("kubectl_describe", SAMPLES["kubectl_describe"]))
    assert probe.probe == "liveness"
    assert [value(a) for a in (probe.delay, probe.timeout, probe.period, probe.failures)] == [600, 25, 30, 4]


def test_events_are_read_with_their_counts() -> None:
    block = read("kubectl_describe", SAMPLES["kubectl_describe"])
    (failed,) = of(ProbeFailed, block)
    assert (failed.probe, failed.count) == ("liveness", 4)
    assert of(OrchestratorAct, block)[0].act == "killed"


def test_image_restarts_and_waiting_are_kept() -> None:
    block = read("kubectl_describe", SAMPLES["kubectl_describe"])
    assert of(ReleaseStated, block)[0].version == "0.5.6.post2"
    assert facts(block) == {"pod.waiting": "CrashLoopBackOff", "pod.restart-count": "4"}


def test_command_and_arguments_make_one_command_line() -> None:
    (command,) = of(CommandLine, read("kubectl_describe", COMMAND))
    assert command.argv == ("python3", "-m", "sglang.launch_server", "--model-path", "/models/m")


def test_an_evicted_pod_is_an_act() -> None:
    (act,) = of(OrchestratorAct, read("kubectl_describe", EVICTED))
    assert (act.act, act.reason) == ("evicted", "The node was low on resource: memory.")


def test_an_excerpt_begins_with_its_section() -> None:
    text = "    Last State:     Terminated\n      Reason:       Error\n      Exit Code:    143"
    assert value(of(ExitCode, read("kubectl_describe", text))[0].code) == 143


def test_the_next_pod_is_a_block_of_its_own() -> None:
    assert read("kubectl_describe", f"{EVICTED.strip()}\n{EVICTED.strip()}").lines == 4


BESIDE = """
Containers:
  proxy:
    Image:         envoy:v1
    Limits:
      memory:          1Gi
  llm:
    Image:         registry.example/ours:7
    Limits:
      memory:          400Gi
      nvidia.com/gpu:  8
"""


def test_a_sidecar_s_limit_is_none_of_the_server_s() -> None:
    (memory,) = of(CgroupMemory, read("kubectl_describe", BESIDE))
    assert value(memory.limit) == 400 * GIB


def test_among_containers_of_which_none_is_known_no_limit_is_the_server_s() -> None:
    block = read("kubectl_describe", BESIDE.replace("nvidia.com/gpu:  8", "cpu:             8"))
    assert not of(CgroupMemory, block)
    assert facts(block) == {"pod.memory-limit proxy": "1Gi", "pod.memory-limit llm": "400Gi"}


NODE = """
Name:               gpu-1
Roles:              <none>
CreationTimestamp:  Thu, 18 Dec 2025 04:50:00 +0000
Conditions:
  Type             Status  LastHeartbeatTime                 LastTransitionTime                Reason  Message
  ----             ------  -----------------                 ------------------                ------  -------
  MemoryPressure   True    Thu, 18 Dec 2025 05:04:51 +0000   Thu, 18 Dec 2025 05:04:51 +0000   Short   has too little
  DiskPressure     False   Thu, 18 Dec 2025 05:04:51 +0000   Thu, 18 Dec 2025 05:04:51 +0000   Enough  has enough
Capacity:
  cpu:                128
  memory:             2113396804Ki
Allocatable:
  memory:             2100000000Ki
"""


def test_a_node_has_its_memory_and_says_what_it_is_short_of() -> None:
    block = read("kubectl_describe", NODE)
    (note,) = of(HostNote, block)
    assert (note.host, value(note.memory)) == ("gpu-1", 2113396804 * 1024)
    assert list(facts(block)) == ["node.MemoryPressure"]
    assert block.lines == block.understood == NODE.strip().count("\n") + 1


WITH_A_PROXY = """
Name:             {pod}
Containers:
  {name}:
    State:          Running
    Restart Count:  0
  envoy:
    State:          Running
    Last State:     Terminated
      Reason:       OOMKilled
      Exit Code:    137
    Restart Count:  1
Events:
  Type     Reason     Age   From     Message
  ----     ------     ----  ----     -------
  Normal   Killing    12m   kubelet  Container envoy failed liveness probe, will be restarted
  Normal   Killing    2m    kubelet  Stopping container {name}
"""


@pytest.mark.parametrize(("name", "ends", "acts"), [("sglang", 0, 1), ("main", 1, 2)])
def test_a_container_beside_the_server_ends_for_itself(name: str, ends: int, acts: int) -> None:
    block = read("kubectl_describe", WITH_A_PROXY.format(pod="llm-0", name=name))
    assert (len(of(ExitCode, block)), len(of(OrchestratorAct, block))) == (ends, acts)


@pytest.mark.parametrize("name", ["sglang-router", "bench"])
def test_what_is_no_server_though_its_image_is_sglang_s_leaves_the_limit_to_the_one_that_is(name: str) -> None:
    """Nothing but the word for the router, and the program of the other one, tells it from the server."""
    text = BESIDE.replace("proxy", name).replace("envoy:v1", "lmsysorg/sglang:v0.5.9")
    text = text.replace(
        "    Limits:\n", "    Command:\n      python3\n      -m\n      sglang.bench_serving\n    Limits:\n", 1
    )
    (memory,) = of(CgroupMemory, read("kubectl_describe", text))
    assert value(memory.limit) == 400 * GIB


def test_a_deployment_tells_of_its_pods_what_a_pod_tells_and_how_many_there_are() -> None:
    block = read("kubectl_describe", DEPLOYMENT)
    assert block.understood == len(DEPLOYMENT.strip("\n").split("\n"))
    assert [(m.group, value(m.limit)) for m in of(CgroupMemory, block)] == [("llm/sglang", 400 * GIB)]
    assert [value(probe.delay) for probe in of(ProbeSettings, block)] == [600]
    assert of(CommandLine, block)
    told = facts(block)
    assert told["workload.replicas"].startswith("1 desired")
    assert told["workload.condition Available"] == "False MinimumReplicasUnavailable"


def test_a_job_that_ran_too_long_was_ended_and_its_pods_go_by_other_names() -> None:
    limited = JOB.replace("    Environment:", "    Limits:\n      memory:  400Gi\n    Environment:")
    block = read("kubectl_describe", limited)
    assert [(act.act, act.owner) for act in of(OrchestratorAct, block)] == [("timed-out", "")]
    assert [(m.group, value(m.limit)) for m in of(CgroupMemory, block)] == [("", 400 * GIB)]
    assert facts(block)["workload.pods"] == "0 Active (0 Ready) / 0 Succeeded / 1 Failed"
    assert not of(Workload, block)


def test_the_limit_of_a_job_that_is_not_known_to_serve_is_a_fact() -> None:
    limited = JOB.replace("    Environment:", "    Limits:\n      memory:  4Gi\n    Environment:").replace(
        "sglang", "work"
    )
    assert not of(CgroupMemory, read("kubectl_describe", limited))


def test_the_limit_of_another_program_s_only_container_is_a_fact() -> None:
    text = "Containers:\n  cache:\n    Image:  redis:7\n    Limits:\n      memory:  4Gi"
    block = read("kubectl_describe", text)
    assert not of(CgroupMemory, block)
    assert facts(block)["pod.memory-limit cache"] == "4Gi"
