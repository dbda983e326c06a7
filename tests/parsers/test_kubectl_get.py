"""`kubectl get events` and `kubectl get pods`."""

from __future__ import annotations

from datetime import datetime

import pytest

from analyzer.events import ExitCode, OomKill, OrchestratorAct, ProbeFailed
from tests.parsers.build_blocks import claims, facts, of, read
from tests.parsers.snapshots import SAMPLES

PODS = """
NAME    READY   STATUS      RESTARTS      AGE
llm-0   1/1     Running     0             53m
llm-1   0/1     OOMKilled   4 (41s ago)   12m
llm-2   0/1     Evicted     0             2h
"""


@pytest.mark.parametrize(
    "line",
    [
        "Normal shutdown of the server",
        "Warning Unhealthy pod",
        "READY to serve",
        "WARNING  Killing  the pod/llm-0 now",
        "LAST SEEN 5m",
    ],
)
def test_sentences_with_its_words_are_no_table(line: str) -> None:
    assert not claims("kubectl_get", line)


def test_events_are_read_under_their_header() -> None:
    block = read("kubectl_get", SAMPLES["kubectl_get"])
    assert of(ProbeFailed, block)[0].probe == "startup"
    assert of(OrchestratorAct, block)[0].reason == "Container sglang failed startup probe, will be restarted"


def test_a_row_alone_may_begin_with_its_time() -> None:
    row = "2026-05-16T12:46:50Z  Normal  Killing  pod/llm-0  Stopping container sglang"
    (act,) = of(OrchestratorAct, read("kubectl_get", row))
    assert act.where.stamp is not None
    assert (act.where.stamp.moment, act.where.direct) == (datetime(2026, 5, 16, 12, 46, 50), True)


@pytest.mark.parametrize("before", ["", "serving   4m10s (x4 over 5m40s)   ", "<unknown>   "])
def test_a_row_is_known_by_its_object(before: str) -> None:
    assert of(OrchestratorAct, read("kubectl_get", f"{before}Normal   Killing   pod/llm-0   Stopping container"))


def test_pods_tell_their_state() -> None:
    block = read("kubectl_get", PODS)
    assert facts(block) == {"pod llm-0": "1/1 Running", "pod llm-1": "0/1 OOMKilled", "pod llm-2": "0/1 Evicted"}
    assert [(end.container, end.oom) for end in of(ExitCode, block)] == [("llm-1", True)]
    assert [act.act for act in of(OrchestratorAct, block)] == ["evicted"]


WIDE = """
LAST SEEN   TYPE      REASON       OBJECT       SUBOBJECT                    SOURCE                  MESSAGE                                                                                  FIRST SEEN   COUNT   NAME
3m          Warning   OOMKilling   node/gpu-1                                kernel-monitor, gpu-1   Memory cgroup out of memory: Killed process 123 (python3) total-vm:9kB, anon-rss:8kB     3m           1       gpu-1.17683ea4
2m          Warning   Unhealthy    pod/sgl-0    spec.containers{sglang}      kubelet, gpu-1          Liveness probe failed: timeout                                                           9m           4       sgl-0.17683ea5
1m          Normal    Killing      pod/sgl-0    spec.containers{sglang}      kubelet, gpu-1          Stopping container sglang                                                                1m           1       sgl-0.17683ea6
"""


def test_the_wide_table_says_the_same() -> None:
    block = read("kubectl_get", WIDE)
    (kill,), (failed,), (act,) = of(OomKill, block), of(ProbeFailed, block), of(OrchestratorAct, block)
    assert (kill.pid, kill.command, kill.scope, kill.node) == (123, "python3", "cgroup", "gpu-1")
    assert (failed.probe, failed.count, failed.detail) == ("liveness", 4, "Liveness probe failed: timeout")
    assert failed.owner == "pod sgl-0/sglang"
    assert (act.act, act.reason, act.owner) == ("killed", "Stopping container sglang", "pod sgl-0/sglang")
    assert block.lines == block.understood == 4
