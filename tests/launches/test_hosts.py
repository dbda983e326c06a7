"""Whose outputs are here, by their lines and by the names of files; of several hosts' kills none is surely the server's."""

from __future__ import annotations

import pytest

from analyzer.launches.hosts import host_of, hosts_told
from analyzer.parsers.parsed import Parsed
from analyzer.vocabulary import Role
from tests.judging import answer, read
from tests.launches.ends_told import LOG


@pytest.mark.parametrize(
    "name",
    [
        "dmesg.txt",
        "dmesg-1.txt",  # the first look
        "free.2.txt",
        "rank0.txt",
        "gpu0/nvidia-smi.txt",  # a card
        "snapshot-3/ps.txt",
        "run-2/dmesg.txt",
        "server1.log",
        "2026-02-17/dmesg.txt",
        "slurm-4170.out",
    ],
)
def test_what_is_numbered_otherwise_is_no_host(name: str) -> None:
    assert host_of(name) == ""


@pytest.mark.parametrize(
    ("name", "host"),
    [
        ("gpu-11/dmesg.txt", "gpu-11"),
        ("bundle.tar.gz!logs/node2.example.org/ps.txt", "node2"),
        ("dmesg-gpu-11.txt", "gpu-11"),
        ("node1.dmesg.txt", "node1"),
        ("h100-03/after/free.txt", "h100-03"),
    ],
)
def test_folders_and_files_are_called_after_hosts(name: str, host: str) -> None:
    assert host_of(name) == host


def test_one_name_with_a_number_is_nobody_s_fleet() -> None:
    assert hosts_told([Parsed("node1/dmesg.txt"), Parsed("node1/free.txt"), Parsed("free.txt")]) == frozenset()
    assert hosts_told([Parsed("node1/dmesg.txt"), Parsed("node2/free.txt")]) == {"node1", "node2"}
    assert hosts_told([Parsed("kern.txt", layers=["syslog"], origins=["alpha.example.org"])]) == {"alpha"}
    assert hosts_told([Parsed("pods.txt", layers=["kubectl"], origins=["llm-0", "llm-1"])]) == frozenset()


KILL = "Out of memory: Killed process 2233 ({}) total-vm:9kB, anon-rss:8kB, file-rss:0kB, shmem-rss:0kB"
QUIET = "usb 1-1: reset high-speed USB device number 2 using xhci_hcd"
LISTED = "USER PID PPID STAT RSS COMMAND\nroot 2233 1 S 900 sglang::scheduler_TP0\n"


def told(form: str, process: str = "sglang::schedul") -> dict[str, str]:
    """A kill on gpu-11 and nothing on gpu-12, as it may be collected."""
    kill, quiet = KILL.format(process), QUIET
    if form == "syslog":
        return {"kern.txt": f"Feb 17 10:06:20 gpu-11 kernel: {kill}\nFeb 17 10:06:20 gpu-12 kernel: {quiet}\n"}
    at = "[Tue Feb 17 10:06:20 2026] "
    if form == "ansible":
        return {"all.txt": f"gpu-11 | CHANGED | rc=0 >>\n{at}{kill}\ngpu-12 | CHANGED | rc=0 >>\n{at}{quiet}\n"}
    named = "{}/dmesg.txt" if form == "folders" else "dmesg-{}.txt"
    return {named.format("gpu-11"): f"{at}{kill}\n", named.format("gpu-12"): f"{at}{quiet}\n"}


def status(form: str, log: str, **more: str) -> tuple[str, str] | None:
    """How firmly the kill is the server's, and what would tell."""
    files = {log: LOG, **told(form), **{name.replace("_", "."): text for name, text in more.items()}}
    report = answer([read(name, text.encode()) for name, text in files.items()])
    [kill] = [f for f in report.findings if f.id == "host-oom-kill" and f.role == Role.ROOT] or [None]
    return (kill.status, kill.confirm[0].command) if kill else None


FORMS = pytest.mark.parametrize("form", ["syslog", "ansible", "folders", "files"])


@FORMS
def test_a_kill_on_one_of_several_hosts_is_the_server_s_at_most_perhaps(form: str) -> None:
    assert status(form, "server.log") == ("supported", "pgrep -af sglang")
    assert status(form, "server.log", ps_txt=LISTED) == ("supported", "pgrep -af sglang"), "whose pid, on which host?"


@FORMS
def test_a_log_that_names_its_host_decides(form: str) -> None:
    found = status(form, "sglang-gpu-11.log")
    assert found is not None
    assert found[0] == "established"
    assert status(form, "sglang-gpu-12.log") is None


def test_the_kernel_s_log_of_one_host_is_the_server_s() -> None:
    one = f"Feb 17 10:06:20 gpu-11 kernel: {KILL.format('sglang::schedul')}\n"
    report = answer([read("server.log", LOG.encode()), read("kern.txt", one.encode())])
    assert [f.status for f in report.findings if f.id == "host-oom-kill"] == ["established"]
