"""Of what earlyoom, systemd-oomd and a node's events tell of, only what is the server's counts."""

from __future__ import annotations

import pytest

from analyzer.vocabulary import Role
from tests.launches.ends_told import LOG, blamed, judged

OOMD = (
    "h systemd-oomd[8]: Killed {} due to memory pressure for /system.slice being 63.28% > 60.00% for > 20s with reclaim"
    " activity"
)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ('h earlyoom[81]: sending SIGTERM to process 29 uid 0 "sglang::schedul": badness 99, VmRSS 2396 MiB', True),
        ('h earlyoom[81]: sending SIGTERM to process 29 uid 0 "python3": badness 99, VmRSS 2396 MiB', False),
        ('h earlyoom[81]: sending SIGTERM to process 29 uid 0 "java": badness 99, VmRSS 2396 MiB', False),
        (OOMD.format("/system.slice/sglang.service"), True),
        (OOMD.format("/user.slice/user-0.slice/user@0.service/app.slice/app-code-9.scope"), False),
        ("h systemd[1]: sglang.service: systemd-oomd killed 312 process(es) in this unit.", True),
        ("h systemd[1]: snapd.service: systemd-oomd killed 2 process(es) in this unit.", False),
    ],
)
def test_of_what_daemons_end_for_memory_the_server_s_counts(line: str, *, found: bool) -> None:
    assert blamed(f"Feb 17 10:06:20 {line}\n") == ({"host-oom-kill"} if found else set())
    assert blamed(f"Nov 17 10:06:20 {line}\n") == set(), "months away"


@pytest.mark.parametrize(
    ("process", "found"), [("sglang::schedul", {"host-oom-kill"}), ("python3", set()), ("postgres", set())]
)
def test_of_what_a_node_s_events_tell_the_server_s_counts(process: str, found: set[str]) -> None:
    kill = f"Memory cgroup out of memory: Killed process 123 ({process}) total-vm:9kB, anon-rss:8kB, file-rss:0kB"
    system = f"System OOM encountered, victim process: {process}, pid: 123"
    table = (
        "LAST SEEN              TYPE      REASON       OBJECT       MESSAGE\n"
        f"2026-02-17T10:06:20Z   Warning   OOMKilling   node/gpu-1   {kill}\n"
        f"2026-02-17T10:06:20Z   Warning   SystemOOM    node/gpu-1   {system}\n"
    )
    described = (
        "Name:               gpu-1\nRoles:              <none>\nEvents:\n"
        "  Type     Reason      Age    From            Message\n"
        "  ----     ------      ----   ----            -------\n"
        f"  Warning  OOMKilling  3m56s  kernel-monitor  {kill}\n"
        f"  Warning  SystemOOM   3m57s (x2 over 4m)  kubelet  {system}\n"
    )
    assert blamed(table) == blamed(described) == found


def test_the_sigterm_that_earlyoom_sends_is_no_wish_of_anybody_s() -> None:
    stop = "[2026-02-17 10:06:21] SIGTERM received. signum=None frame=None. Draining requests and shutting down...\n"
    sent = "Feb 17 10:06:20 h earlyoom[81]: sending SIGTERM to process 29 uid 0 {}: badness 99, VmRSS 2396 MiB\n"
    for process, root in (('"sglang::schedul"', "host-oom-kill"), ('"java"', "stopped-on-request")):
        report = judged(server_log=LOG + stop, told_txt=sent.format(process))
        assert [f.id for f in report.findings if f.role == Role.ROOT] == [root]


DOCKER = """
2026-02-17T10:06:19.000000000Z container oom 4b2f7d9e8c11 (image=lmsysorg/sglang:v0.5.9, name=sglang-a)
2026-02-17T10:06:20.000000000Z container die 4b2f7d9e8c11 (execDuration=9, exitCode=137, image=lmsysorg/sglang:v0.5.9, name=sglang-a)
"""
CLUSTER = """
LAST SEEN   TYPE      REASON       OBJECT            MESSAGE
5m          Warning   OOMKilling   node/gpu-1        Memory cgroup out of memory: Killed process 123 (sglang::schedul) total-vm:9kB, anon-rss:8kB, file-rss:0kB
5m          Warning   BackOff      pod/sglang-0      Back-off restarting failed container main in pod sglang-0
"""
KERNEL = "Feb 17 10:06:20 h kernel: Out of memory: Killed process 123 (sglang::schedul) total-vm:9kB, anon-rss:8kB, file-rss:0kB\n"


@pytest.mark.parametrize("told", [DOCKER, CLUSTER, KERNEL], ids=["docker events", "kubectl get events", "kernel"])
def test_what_tells_of_ends_alone_makes_no_launch_and_proves_no_kill_of_a_server(told: str) -> None:
    report = judged(events_txt=told)
    assert report.launches == []
    assert report.verdict.launch is None
    [kill] = [f for f in report.findings if f.id == "host-oom-kill"]
    assert (kill.status, kill.launch, kill.role) == ("supported", None, Role.ROOT)
    assert any("sglang" in c.command for c in kill.confirm), "what would tell whether it was the server"
    assert any("no log" in note for note in report.coverage.notes)


def test_a_listing_of_the_server_beside_them_shows_one() -> None:
    rows = "USER PID PPID STAT RSS COMMAND\nroot 100 1 S 900 python3 -m sglang.launch_server --model-path /models/m\n"
    assert len(judged(events_txt=DOCKER, ps_txt=rows).launches) == 1


def test_events_of_other_programs_alone_are_nobody_s_kill() -> None:
    report = judged(events_txt=DOCKER.replace("sglang-a", "redis").replace("lmsysorg/sglang:v0.5.9", "redis:7"))
    assert report.launches == []
    assert not any(f.id == "host-oom-kill" and f.role == Role.ROOT for f in report.findings)
