"""Stack dumps of `py-spy dump`."""

from __future__ import annotations

from analyzer.events import Fact
from tests.parsers.build_blocks import claims, facts, of, read

DUMP = """Process 4175: sglang::scheduler_TP5
Python v3.10.12 (/usr/bin/python3.10)

Thread 4175 (idle): "MainThread"
    all_reduce (torch/distributed/distributed_c10d.py:2810)
    writing_check (sglang/srt/mem_cache/hiradix_cache.py:304)
Thread 4399 (idle): "tqdm_monitor"
    Condition.wait (threading.py:331)

[2026-05-26 13:36:14 TP5] Scheduler watchdog timeout
"""


def test_a_sentence_about_a_process_is_no_dump() -> None:
    assert not claims("py_spy", "Process 4175 died")


def test_the_main_thread_stands_for_its_process() -> None:
    (fact,) = of(Fact, read("py_spy", DUMP))
    assert fact.name == "stack sglang::scheduler_TP5"
    assert fact.value.splitlines() == [
        "all_reduce (torch/distributed/distributed_c10d.py:2810)",
        "writing_check (sglang/srt/mem_cache/hiradix_cache.py:304)",
    ]


def test_what_is_no_frame_ends_the_dump() -> None:
    assert read("py_spy", DUMP).lines == 8  # the last frame of the last thread


def test_a_dump_that_was_cut_before_its_frames_gives_nothing() -> None:
    assert read("py_spy", "\n".join(DUMP.splitlines()[:3])).events == []


def test_local_variables_under_a_frame_are_passed_over() -> None:
    text = """Process 4175: sglang::scheduler_TP5
Python v3.10.12 (/usr/bin/python3.10)

Thread 4175 (active+gil): "MainThread"
    all_reduce (torch/distributed/distributed_c10d.py:2810)
        Arguments:
            tensor: <Tensor at 0x7f>
    writing_check (sglang/srt/mem_cache/hiradix_cache.py:304)

Thread 4180 (idle): "watchdog"
    wait (threading.py:331)"""
    block = read("py_spy", text)
    frames = facts(block)["stack sglang::scheduler_TP5"].split("\n")
    assert [frame.partition(" ")[0] for frame in frames] == ["all_reduce", "writing_check"]
    assert block.lines == 11
