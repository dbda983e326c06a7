"""Of several containers, pods, units and jobs only the server's ends concern it; where none is told, nobody is accused."""

from __future__ import annotations

import json

import pytest

from analyzer.events import ExitCode, Fact, WeightLoadBegun
from analyzer.launches.ends import set_aside
from tests.build import launch, size, where
from tests.judging import accused, answer, read
from tests.launches.ends_told import DESCRIBED, DOCKER_EVENTS, INSPECTED, JOURNAL, KILLS, LOG, SACCT, blamed, judged
from tests.parsers.build_blocks import yaml

OTHERS = [
    ("sglang-0", "main", "lmsysorg/sglang:v0.5.9", "batch-etl-77", "etl", "vendor/etl:3"),
    ("llm-0", "main", "lmsysorg/sglang:v0.5.9", "batch-etl-77", "etl", "vendor/etl:3"),
    ("llm-0", "sglang", "vendor/llm:1", "batch-etl-77", "etl", "vendor/etl:3"),
    ("llm-0", "main", "vendor/llm:1", "batch-etl-77", "etl", "vendor/etl:3"),  # nothing tells: nobody
    ("llm-0", "main", "vendor/llm:1", "cache-0", "redis", "redis:7"),
]


@pytest.mark.parametrize("told", OTHERS, ids="-".join)
def test_what_befell_another_pod_did_not_befall_the_server(told: tuple[str, ...]) -> None:
    names = ("pod", "name", "image", "other", "inner", "beside")
    assert blamed(DESCRIBED.format(**dict(zip(names, told, strict=True)))) == set()


def test_a_pod_s_own_end_among_others_is_found() -> None:
    text = DESCRIBED.format(
        pod="etl-77", name="etl", image="vendor/etl:3", other="llm-0", inner="main", beside="lmsysorg/sglang:v0.5.9"
    )
    assert "host-oom-kill" in blamed(text)


@pytest.mark.parametrize(
    ("name", "image", "other", "beside"),
    [
        ("llm", "lmsysorg/sglang:v0.5.9", "etl", "vendor/etl:3"),
        ("sglang", "vendor/llm:1", "etl", "vendor/etl:3"),
        ("llm", "vendor/llm:1", "etl", "vendor/etl:3"),
        ("llm", "vendor/llm:1", "cache", "redis:7"),
    ],
)
def test_what_befell_another_container_did_not_befall_the_server(
    name: str, image: str, other: str, beside: str
) -> None:
    assert blamed(INSPECTED.format(name=name, image=image, other=other, beside=beside)) == set()


def test_a_container_s_own_end_among_others_is_found() -> None:
    text = INSPECTED.format(name="etl", image="vendor/etl:3", other="llm", beside="lmsysorg/sglang:v0.5.9")
    assert blamed(text) == {"host-oom-kill"}


@pytest.mark.parametrize(
    ("image", "name", "found"),
    [("redis:7", "cache", set()), ("lmsysorg/sglang:v0.5.9", "llm", {"host-oom-kill"})],
)
def test_docker_s_events_name_what_ran(image: str, name: str, found: set[str]) -> None:
    assert blamed(DOCKER_EVENTS.format(image=image, name=name)) == found


def test_of_two_containers_in_docker_s_events_the_server_s_counts() -> None:
    both = DOCKER_EVENTS.format(image="vendor/etl:3", name="etl") + DOCKER_EVENTS.format(
        image="vendor/llm:1", name="llm"
    ).replace("4b2f", "99ff")
    assert blamed(both) == set()


@pytest.mark.parametrize(
    ("unit", "found"),
    [
        ("snapd.service", set()),
        ("docker.service", set()),
        ("user@1000.service", set()),
        ("sglang.service", {"host-oom-kill"}),
        ("docker-sglang.service", {"host-oom-kill"}),
        ("sglang-router.service", set()),
    ],
)
def test_of_systemd_s_units_the_server_s_counts(unit: str, found: set[str]) -> None:
    assert blamed(JOURNAL.format(unit=unit)) == found


def test_a_unit_that_nothing_shows_to_be_the_server_s_is_not_taken_for_it_in_another_file() -> None:
    lines = JOURNAL.format(unit="llm.service").lstrip()
    assert blamed(lines) == set()
    assert "host-oom-kill" in accused(judged(server_log=LOG + lines)), "as journalctl -u llm prints both"
    status = (
        "● llm.service - A server\n     Active: failed (Result: oom-kill)\n   Main PID: 7 (code=killed, signal=KILL)\n"
    )
    assert "host-oom-kill" in blamed(status), "somebody asked for this one"


def test_of_a_compose_log_s_services_the_one_that_speaks_is_the_server() -> None:
    log = "".join(f"llm-1  | {line}\n" for line in LOG.splitlines())
    for name, found in (("etl-1", set()), ("redis-1", set()), ("llm-1", {"killed-by-unknown-sender"})):
        report = judged(server_log=f"{log}{name} exited with code 137\n")
        assert {f.id for f in report.findings} & KILLS == found


def test_states_without_names_are_nobody_s_where_there_are_two() -> None:
    state = (
        '{{"Status":"exited","Running":false,"OOMKilled":{oom},"ExitCode":137,"FinishedAt":"2026-02-17T10:06:20Z"}}\n'
    )
    assert blamed(state.format(oom="true")) == {"host-oom-kill"}
    assert blamed(state.format(oom="true") + state.format(oom="false")) == set()
    long = (
        '"State": {\n    "Status": "exited",\n    "Running": false,\n    "OOMKilled": true,\n    "ExitCode": 137\n}\n'
    )
    assert blamed(long) == {"host-oom-kill"}
    assert blamed(long + long) == set()


def test_a_unit_s_end_months_before_the_launch_is_of_another_one() -> None:
    assert blamed(JOURNAL.format(unit="sglang.service").replace("Feb 17", "Nov 17")) == set()


def test_of_two_units_of_which_none_is_the_server_s_none_is_accused() -> None:
    assert blamed(JOURNAL.format(unit="llm.service") + JOURNAL.format(unit="etl.service").lstrip()) == set()


@pytest.mark.parametrize("name", ["sglang", "llm   "])
def test_another_job_of_the_batch_system_is_none_of_the_server(name: str) -> None:
    assert blamed(SACCT.format(mine="88211", name=name)) == set()


def test_a_job_whose_end_was_months_before_is_another_one() -> None:
    early = "slurmstepd: error: *** JOB 4170 ON gpu-a1 CANCELLED AT 2025-09-02T10:12:41 DUE TO TIME LIMIT ***\n"
    assert blamed(early) == set()
    assert blamed(early.replace("2025-09-02T10:12:41", "2026-02-17T10:06:20")) == {"job-limit-reached"}


def test_ends_months_before_the_launch_are_of_earlier_ones() -> None:
    row = "88100            sglang OUT_OF_ME+    0:125 {day}T10:06:20\n"
    inspected = INSPECTED.format(name="etl", image="vendor/etl:3", other="llm", beside="lmsysorg/sglang:v0.5.9")
    for day, found in (("2025-09-17", set()), ("2026-02-17", {"host-oom-kill"})):
        assert blamed(SACCT.format(mine="88211", name="prep") + row.format(day=day)) == found
        assert blamed(inspected.replace("2026-02-17", day)) == found


def test_scontrol_names_the_job() -> None:
    told = "JobId=88212 JobName={name}\n   JobState=OUT_OF_MEMORY Reason=OutOfMemory\n   EndTime=2026-02-17T10:06:20 ExitCode=0:125\n"
    both = told.format(name="prep") + told.format(name="serve-sglang").replace("88212", "88213").replace(
        "OUT_OF_MEMORY Reason=OutOfMemory", "RUNNING Reason=None"
    ).replace("0:125", "0:0")
    assert blamed(both) == set()
    assert blamed(told.format(name="serve-sglang")) == {"host-oom-kill"}


def test_the_job_whose_log_it_is_is_the_server_s() -> None:
    other = """
JobID           JobName      State ExitCode                 End
88212         prep-data OUT_OF_ME+    0:125 2026-02-17T10:06:20
"""
    for name, found in (("slurm-4170.out", False), ("slurm-88212.out", True)):
        report = answer([read(name, LOG.encode()), read("sacct.txt", other.lstrip().encode())])
        assert ("host-oom-kill" in accused(report)) is found


def test_the_job_that_its_own_log_names_is_the_server_s_whatever_others_are_listed() -> None:
    cancelled = "slurmstepd: error: *** JOB 4170 ON gpu-a1 CANCELLED AT 2026-02-17T10:06:20 DUE TO TIME LIMIT ***\n"
    listed = SACCT.format(mine="4170 ", name="llm   ").lstrip()
    report = answer([read("server.log", (LOG + cancelled).encode()), read("sacct.txt", listed.encode())])
    assert accused(report) & KILLS == {"job-limit-reached"}


def test_of_two_servers_the_one_whose_log_it_is_counts() -> None:
    text = INSPECTED.format(
        name="chat", image="lmsysorg/sglang:v0.5.9", other="embed", beside="lmsysorg/sglang:v0.5.9"
    ).lstrip()
    for name, found in (
        ("chat.log", False),
        ("embed.log", True),
        ("server.log", False),
    ):  # whose the last is, nothing tells
        report = answer([read(name, LOG.encode()), read("told.txt", text.encode())])
        assert ("host-oom-kill" in accused(report)) is found


def test_what_starts_a_pod_tells_what_the_pod_runs() -> None:
    deployment = """
apiVersion: apps/v1
kind: Deployment
metadata:
  name: llm
spec:
  template:
    spec:
      containers:
      - name: main
        image: {image}
"""
    pods = """
NAME                    READY   STATUS      RESTARTS   AGE
etl-6f7d8c9b5d-q2w3e    1/1     Running     0          12m
llm-7d4f9c6b5-x2x9z     0/1     OOMKilled   0          12m
"""
    for image, found in (("lmsysorg/sglang:v0.5.9", {"host-oom-kill"}), ("vendor/llm:1", set())):
        report = judged(server_log=LOG, deployment_yaml=deployment.format(image=image), pods_txt=pods)
        assert accused(report) & KILLS == found


def test_what_is_done_to_a_container_beside_the_server_s_in_its_pod_is_not_done_to_it() -> None:
    pod = """
Name:             llm-0
Containers:
  main:
    Image:          lmsysorg/sglang:v0.5.9
    State:          Running
  envoy:
    Image:          envoy:v1
    State:          Running
"""
    events = """
LAST SEEN              TYPE     REASON    OBJECT      MESSAGE
2026-02-17T10:06:20Z   Normal   Killing   pod/llm-0   Container {name} failed liveness probe, will be restarted
"""
    for name, found in (("envoy", set()), ("main", {"probe-killed"})):
        report = judged(server_log=LOG, pod_txt=pod, events_txt=events.format(name=name))
        assert accused(report) & KILLS == found


def test_a_container_is_the_same_with_its_pod_s_name_and_without() -> None:
    described = """
Name:             llm-0
Containers:
  main:
    Image:          vendor/llm:1
    State:          Running
    Last State:     Terminated
      Reason:       OOMKilled
      Exit Code:    137
      Finished:     Tue, 17 Feb 2026 10:06:20 +0000
"""
    said = "Container main failed liveness probe, will be restarted\n"
    assert "host-oom-kill" in accused(judged(server_log=LOG, pod_txt=described, told_txt=said))


def test_replicas_of_one_set_are_one_workload() -> None:
    pods = """
NAME    READY   STATUS      RESTARTS   AGE
llm-0   0/1     OOMKilled   0          12m
llm-1   1/1     Running     0          12m
"""
    two = LOG.replace("tp_size=1", "tp_size=2, nnodes=2, node_rank=0")
    assert accused(judged(server_log=two, pods_txt=pods)) & KILLS == {"host-oom-kill"}
    assert accused(judged(server_log=two, pods_txt=pods.replace("llm-1", "etl-1"))) & KILLS == set()
    assert blamed(pods) == set(), "a server on one node is one pod, and the other serves beside it"


def test_of_leaders_groups_only_the_one_whose_log_it_is_counts() -> None:
    pods = """
NAME      READY   STATUS      RESTARTS   AGE
llm-0     1/1     Running     0          12m
llm-0-1   0/1     OOMKilled   0          12m
llm-1     1/1     Running     0          12m
llm-1-1   1/1     Running     0          12m
"""
    two = LOG.replace("tp_size=1", "tp_size=2, nnodes=2, node_rank=0").encode()
    for name, found in (("llm-0.log", True), ("llm-1.log", False)):
        report = answer([read(name, two), read("pods.txt", pods.lstrip().encode())])
        assert ("host-oom-kill" in accused(report)) is found


def test_of_an_array_of_jobs_each_task_is_one() -> None:
    tasks = """
JobID           JobName      State ExitCode                 End
4170_1              run OUT_OF_ME+    0:125 2026-02-17T10:06:20
4170_2              run    RUNNING      0:0             Unknown
"""
    for name, found in (("slurm-4170_1.out", True), ("slurm-4170_2.out", False)):
        report = answer([read(name, LOG.encode()), read("sacct.txt", tasks.lstrip().encode())])
        assert ("host-oom-kill" in accused(report)) is found


def test_the_pod_whose_log_it_is_is_the_server() -> None:
    pods = """
NAME    READY   STATUS      RESTARTS   AGE
llm-0   0/1     OOMKilled   0          12m
etl-1   1/1     Running     0          12m
"""
    report = answer([read("llm-0.log", LOG.encode()), read("pods.txt", pods.lstrip().encode())])
    assert "host-oom-kill" in accused(report)


def test_where_none_of_several_is_told_the_answer_is_unknown_and_says_what_would_tell() -> None:
    text = INSPECTED.format(name="llm", image="vendor/llm:1", other="etl", beside="vendor/etl:3")
    report = judged(server_log=LOG, told_txt=text)
    (unknown,) = [u for u in report.unknown if u.id == "host-oom-kill"]
    assert "which of the containers, units or jobs" in unknown.needs


@pytest.mark.parametrize("form", ["json", "yaml"])
@pytest.mark.parametrize(
    ("image", "beside", "found"),
    [
        ("lmsysorg/sglang:v0.5.9", "vendor/etl:3", set()),
        ("vendor/llm:1", "vendor/etl:3", set()),
        ("vendor/etl:3", "lmsysorg/sglang:v0.5.9", {"host-oom-kill"}),
    ],
)
def test_of_pods_in_one_list_the_server_s_counts(form: str, image: str, beside: str, found: set[str]) -> None:
    ended = {"exitCode": 137, "finishedAt": "2026-02-17T10:06:20Z", "reason": "OOMKilled"}
    states = {"one": {"running": {"startedAt": "2026-02-17T10:00:00Z"}}, "two": {"terminated": ended}}
    pods = [
        {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": name},
            "spec": {"containers": [{"image": runs, "name": "main", "resources": {"limits": {"memory": limit}}}]},
            "status": {"containerStatuses": [{"name": "main", "restartCount": 1, "state": states[name]}]},
        }
        for name, runs, limit in (("one", image, "64Gi"), ("two", beside, "1Gi"))
    ]
    shown = {"apiVersion": "v1", "items": pods, "kind": "List"}
    assert blamed(json.dumps(shown, indent=4) if form == "json" else yaml(shown)) == found


@pytest.mark.parametrize(("said_by", "aside"), [("compose", True), ("", False)])
def test_that_compose_says_it_is_told_by_the_event_and_not_by_its_words(said_by: str, *, aside: bool) -> None:
    words = "etl-1 exited with code 137"
    end = ExitCode(where=where(9, "10:08:00"), text=words, owner="etl-1", code=size("137 count"), said_by=said_by)
    speaks = WeightLoadBegun(where=where(3, "10:03:00", node="llm-1"))
    made = launch(speaks, outside=(end,))
    set_aside(made)
    assert isinstance(made.outside[0].event, Fact) is aside


FORCED = (
    "Feb 17 10:06:40 h dockerd[9]: "
    'level=info msg="Container failed to exit within 10s of signal 15 - using the force" container={id}'
)
STOPPING = (
    LOG + "[2026-02-17 10:06:30] SIGTERM received. signum=15 frame=None. Draining requests and shutting down...\n"
)


def test_a_container_that_docker_had_to_force_is_the_server_s_where_it_is_the_only_one() -> None:
    ids = ("1ab17352d91fb95b7bcdb39d2bc068bbee209b257154378bb3ad00ceccdf355d", "4dc52d08f25a" + "0" * 52)
    one, two = (FORCED.format(id=container) for container in ids)
    assert judged(server_log=STOPPING, journal_txt=f"{one}\n").verdict.outcome == "killed"
    assert judged(server_log=STOPPING, journal_txt=f"{one}\n{two}\n").verdict.outcome == "stopped", "either may be it"
    assert blamed(f"{one}\n") == set(), "a server that goes on was not told to stop"
