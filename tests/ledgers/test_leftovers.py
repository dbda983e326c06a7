"""Processes of SGLang on the host that are not this launch's."""

from __future__ import annotations

from analyzer.events import GpuProcess, ProcessListed
from analyzer.ledgers.leftovers import orphans, ours, server_at
from tests.build import incident, launch, size, where


def listed(pid: int, parent: int | None, command: str, snapshot: int = 0, state: str = "Rl") -> ProcessListed:
    place = where(pid, source="ps.txt")
    return ProcessListed(where=place, pid=pid, parent=parent, command=command, snapshot=snapshot, state=state)


def test_a_server_is_told_by_its_command_line_or_its_process_title() -> None:
    commands = ("sglang::scheduler_TP0", "python3 -m sglang.launch_server --tp 8", "vim sglang.md", "python3 train.py")
    assert [ours(command) for command in commands] == [True, True, False, False]


def test_dead_ranks_and_ranks_with_a_server_are_no_orphans() -> None:
    rows = (
        listed(10, 1, "python3 -m sglang.launch_server"),
        listed(11, 10, "sglang::scheduler_TP0"),
        listed(12, 1, "sglang::scheduler_TP1 <defunct>", state="Zl"),
        listed(13, None, "sglang::scheduler_TP2"),
    )
    assert orphans(incident(launch(outside=rows))) == []


def test_the_last_listing_of_a_file_counts() -> None:
    rows = (listed(11, 1, "sglang::scheduler_TP0"), listed(20, 1, "bash", snapshot=1))
    assert orphans(incident(launch(outside=rows))) == []


def test_an_orphan_brings_what_it_holds_on_all_gpus() -> None:
    held = [
        GpuProcess(where=where(5 + i, source="nvidia-smi.txt"), pid=11, gpu=str(i), used=size("1000 MiB", 5 + i))
        for i in range(2)
    ]
    [left] = orphans(incident(launch(outside=(listed(11, 1, "sglang::scheduler_TP0"), *held))))
    assert left.gpu is not None
    assert left.gpu.number() == 2 * 1000 * 2**20
    assert len(left.lines) == 3


def test_a_pid_is_a_server_s_only_where_the_listing_says_so() -> None:
    rows = (listed(10, 1, "python3 -m sglang.launch_server"), listed(20, 1, "nginx: master process"))
    made = incident(launch(outside=rows))
    assert server_at(made, 20) is None
    assert server_at(made, None) is None
    assert server_at(made, 10) is not None
