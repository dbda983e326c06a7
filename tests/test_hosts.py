"""What several hosts say in one file is what they say in files of their own, and no host's memory is another one's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from analyzer.layers import HEAD_LINES
from analyzer.pipeline import analyse
from analyzer.redact import Private, leaks, redact
from tests.samples import SAMPLES
from tests.wrapped import moments

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from analyzer.contract import Report

TWO = "two-nodes-rank-zero"
SUM = "hicache-300-per-rank"
HOSTS = ("alpha", "beta")
Lines = tuple[list[str], list[str]]


def lines_of(path: Path) -> list[str]:
    return path.read_text("utf-8").removesuffix("\n").split("\n")


def mixed(lines: Lines) -> list[str]:
    """pdsh: each line when it was written, as far as that is known."""
    timed = [(time, n, text) for n, texts in enumerate(lines) for time, text in zip(moments(texts), texts, strict=True)]
    return [f"{HOSTS[n]}: {text}" for _, n, text in sorted(timed, key=lambda entry: entry[:2])]


def in_turn(lines: Lines) -> list[str]:
    """Pdsh behind `sort`, or one ssh after the other."""
    return [f"{host}: {text}" for host, texts in zip(HOSTS, lines, strict=True) for text in texts]


def below(head: str) -> Callable[[Lines], list[str]]:
    """All lines of a host below its name."""
    return lambda lines: [
        text for host, texts in zip(HOSTS, lines, strict=True) for text in [*head.format(host).split("\n"), *texts, ""]
    ]


ANSIBLE = below("{} | CHANGED | rc=0 >>")
LOOP = below("root@head:~# ssh {0} cat out\n==> {0} <==")


def verdict(report: Report) -> tuple[object, ...]:
    told = report.verdict
    found = [(finding.id, finding.role, finding.status) for finding in report.findings]
    return told.outcome, told.phase, told.finding, told.status, found


@pytest.mark.parametrize("written", [mixed, in_turn, ANSIBLE, LOOP], ids=["mixed", "in turn", "ansible", "loop"])
def test_two_nodes_in_one_file_are_two_nodes(written: Callable[[Lines], list[str]], tmp_path: Path) -> None:
    lines = lines_of(SAMPLES / TWO / "host-a.log"), lines_of(SAMPLES / TWO / "host-b.log")
    (tmp_path / "hosts.log").write_text("".join(f"{line}\n" for line in written(lines)), "utf-8")
    (tmp_path / "date.txt").write_bytes((SAMPLES / TWO / "date.txt").read_bytes())
    report = analyse([str(tmp_path)])
    assert verdict(report) == verdict(analyse([str(SAMPLES / TWO)]))


def test_a_host_whose_log_comes_behind_a_long_one_is_told_apart(tmp_path: Path) -> None:
    """The second log begins behind the lines from which a file's wrappers are told."""
    lines = lines_of(SAMPLES / TWO / "host-a.log"), lines_of(SAMPLES / TWO / "host-b.log")
    longer = [*lines[0], *(f"{lines[0][-1][:21]}] chatter {n}" for n in range(2 * HEAD_LINES))], lines[1]
    (tmp_path / "hosts.log").write_text("".join(f"{line}\n" for line in in_turn(longer)), "utf-8")
    report = analyse([str(tmp_path)])
    assert report.verdict.finding == analyse([str(SAMPLES / TWO)]).verdict.finding


def with_hosts(folder: Path, log: str, written: Callable[[Lines], list[str]]) -> Report:
    """The sample whose host has 449 GiB, with a second host of 3,900 GiB in the file that tells the memory."""
    for path in (SAMPLES / SUM).iterdir():
        if path.name in {"server.log", "ps.txt"}:
            (folder / path.name.replace("server.log", log)).write_bytes(path.read_bytes())
    free = [
        "               total        used        free      shared  buff/cache   available",
        "Mem:             449         439           8           0           0           9",
        "Swap:              0           0           0",
    ]
    other = [line.replace(" 449 ", "3900 ").replace("  9", "3400") if "Mem" in line else line for line in free]
    text = "".join(f"{line}\n" for line in ["$ pdsh free -g", *written((free, other))])
    (folder / "free.txt").write_text(text, "utf-8")
    return analyse([str(folder)])


def in_alternation(lines: Lines) -> list[str]:
    return [f"{host}: {text}" for texts in zip(*lines, strict=True) for host, text in zip(HOSTS, texts, strict=True)]


@pytest.mark.parametrize(
    "written", [in_alternation, in_turn, ANSIBLE, LOOP], ids=["mixed", "in turn", "ansible", "loop"]
)
def test_the_memory_of_the_log_s_host_is_the_limit(written: Callable[[Lines], list[str]], tmp_path: Path) -> None:
    report = with_hosts(tmp_path, "alpha.log", written)
    assert report.verdict.finding == "per-rank-host-memory-oversubscription"
    assert "it has 449 GiB" in report.findings[0].summary


@pytest.mark.parametrize("written", [in_alternation, ANSIBLE], ids=["mixed", "ansible"])
def test_hosts_of_which_no_log_tells_give_no_limit(written: Callable[[Lines], list[str]], tmp_path: Path) -> None:
    report = with_hosts(tmp_path, "server.log", written)
    assert not any("449 GiB" in finding.summary or "3,900 GiB" in finding.summary for finding in report.findings)
    assert any("free.txt holds outputs of 2 hosts (alpha, beta)" in note for note in report.coverage.notes)


ERROR = "[2026-02-17 10:02:51 TP0] Scheduler hit an exception: RuntimeError: out of luck"
HEAD = "Tue 2026-02-17 10:02:51 UTC [s=9a1f;i=1;b=5]"
NAMES = ("acme-gpu7", "acme-gpu8")


@pytest.mark.parametrize(
    "lines",
    [
        [f"{host}: {ERROR}" for host in NAMES * 3],
        [line for host in NAMES for line in (f"{host} | CHANGED | rc=0 >>", ERROR, "")],
        ["Date,Host,Message", *(f'2026-02-17T10:02:51Z,{host},"{ERROR}"' for host in NAMES)],
        [line for host in NAMES for line in (HEAD, f"    MESSAGE={ERROR}", f"    _HOSTNAME={host}")],
    ],
    ids=["before lines", "ansible", "csv", "journal"],
)
def test_hosts_that_wrappers_name_are_not_passed_on(lines: list[str], tmp_path: Path) -> None:
    (tmp_path / "hosts.log").write_text("".join(f"{line}\n" for line in lines), "utf-8")
    private = Private()
    report = analyse([str(tmp_path)], private=private)
    clean, known = redact(report, private)
    assert "acme" not in repr(clean)
    assert leaks("on acme-gpu7", known)
